import { once } from 'node:events';
import { request as ask, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestApi } from '../support/api.ts';
import type { ConsoleTools } from './opened-console.ts';

/** The console as files. */
export function served(tools: () => ConsoleTools): void {
  describe('the console is served', () => {
    it('with a policy that allows nothing inline, an index that is asked for again, and compressed assets that are kept', async () => {
      const { url } = tools().api;
      const page = await fetch(`${url}/console/jobs/of/any/depth`, { headers: { connection: 'close' } });
      expect(page.headers.get('cache-control')).toBe('no-cache');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).not.toMatch(/unsafe/);
      const html = await page.text();
      expect(html).toContain('<meta name="millrace-base" content="/console">');
      const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1];
      // Not by `fetch`: its parser fails where a connection ends while so large a body is still being read.
      const asset = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url}${script}`, { agent: false, headers: { 'accept-encoding': 'br' } }, resolve).on(
          'error',
          reject,
        );
      });
      expect(asset.headers['content-encoding']).toBe('br');
      expect(asset.headers['cache-control']).toContain('immutable');
      expect((await buffer(asset)).length).toBeGreaterThan(10_000);
    });

    it.each(['takes away', 'keeps'])(
      'below a path of the public URL, by a proxy that %s it, live and with a policy that nothing breaks',
      async (does) => {
        const proxy = createServer().listen(0, '127.0.0.1');
        await once(proxy, 'listening');
        const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
        const api = await startTestApi({ env: { MILLRACE_PUBLIC_URL: `${origin}/jobs-of/acme` } });
        try {
          forward(proxy, Number(new URL(api.url).port), does === 'keeps' ? '' : '/jobs-of/acme');
          const tenantId = await api.makeTenant();
          const admin = await api.token(tenantId, 'tenant_admin');
          const page = await tools().openAt(`${origin}/jobs-of/acme/console/jobs#token=${admin}`);
          await page.getByRole('heading', { name: 'Jobs' }).waitFor();
          await page.getByText('Live', { exact: true }).waitFor();
          await page.getByRole('link', { name: 'Settings' }).click();
          await page.getByRole('heading', { name: 'Settings' }).waitFor();
          expect(page.url()).toBe(`${origin}/jobs-of/acme/console/settings`);
          await page.reload();
          await page.getByRole('heading', { name: 'Settings' }).waitFor();
          expect(tools().problems).toEqual([]);
        } finally {
          await tools().openAt(`${tools().api.url}/health/live`);
          proxy.closeAllConnections();
          proxy.close();
          await api.close();
        }
      },
    );
  });
}

/** Requests and sockets go on to a port of this host. @param taken from the beginning of each path */
function forward(proxy: Server, port: number, taken: string): void {
  const pathOf = ({ url = '/' }: IncomingMessage): string =>
    url.startsWith(taken) ? url.slice(taken.length) : url;
  proxy.on('request', (request, response) => {
    const { method, headers } = request;
    const onward = ask({ host: '127.0.0.1', port, path: pathOf(request), method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  proxy.on('upgrade', (request, socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      const lines = [`GET ${pathOf(request)} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on('error', () => end.destroy());
  });
}
