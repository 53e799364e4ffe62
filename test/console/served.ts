import { get, type IncomingMessage } from 'node:http';
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

    it('below the path of the public URL, whether a proxy takes that away or leaves it, and works there', async () => {
      const api = await startTestApi({ env: { MILLRACE_PUBLIC_URL: 'https://example.com/jobs-of/acme' } });
      try {
        for (const path of ['/console/jobs', '/jobs-of/acme/console/jobs']) {
          const page = await fetch(`${api.url}${path}`, { headers: { connection: 'close' } });
          expect(await page.text()).toContain('<meta name="millrace-base" content="/jobs-of/acme/console">');
        }
        const admin = await api.token(await api.makeTenant(), 'tenant_admin');
        const page = await tools().openAt(`${api.url}/jobs-of/acme/console/jobs#token=${admin}`);
        await page.getByText('Live', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('heading', { name: 'Settings' }).waitFor();
        expect(page.url()).toBe(`${api.url}/jobs-of/acme/console/settings`);
        expect(tools().problems).toEqual([]);
        await page.goto('about:blank');
      } finally {
        await api.close();
      }
    });
  });
}
