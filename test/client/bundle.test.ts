import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository/planted.ts';
import { bundleForBrowser } from './bundle.ts';

/** Where a module comes from: a folder of ours, or a package. */
function originOf(path: string): string {
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return (
    packaged ??
    path
      .slice(repository.length + 1)
      .split('/')
      .slice(0, 2)
      .join('/')
  );
}

describe('bundled for a browser', () => {
  it('millrace/client is its own folder and graphql-ws, imports nothing and is small', async () => {
    const { code, modules, imports } = await bundleForBrowser(join(repository, 'src/client/index.ts'));
    expect(imports).toEqual([]);
    expect(new Set(modules.map(originOf))).toEqual(new Set(['src/client', 'graphql-ws']));
    expect(code).not.toMatch(/node:|require\(|process\./);
    // Vite replaces what only Node has by an empty module of this name.
    expect(modules.join()).not.toContain('browser-external');
    expect(gzipSync(code).length).toBeLessThan(15 * 1024);
  });

  it('millrace/react adds nothing but hooks, and leaves React to its user', async () => {
    const { modules, imports } = await bundleForBrowser(join(repository, 'src/react/index.ts'), {
      external: [/^react/],
    });
    expect(imports).toEqual(['react']);
    expect(new Set(modules.map(originOf))).toEqual(new Set(['src/client', 'src/react']));
  });
});
