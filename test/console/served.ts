import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
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
  });
}
