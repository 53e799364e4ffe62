import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/**
 * Bundles `millrace/client` and `millrace/react` into one module each, with what they share in a third.
 * graphql-ws, the only package that they use beside React, goes in: its licence, which asks for that, goes
 * beside it.
 */
export async function bundleClient(root: string, output: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: output,
      emptyOutDir: false,
      minify: false,
      target: 'es2022',
      lib: {
        entry: { client: join(root, 'src/client/index.ts'), react: join(root, 'src/react/index.ts') },
        formats: ['es'],
      },
      rollupOptions: { external: [/^react$/], output: { chunkFileNames: 'shared.js' } },
    },
  });
  copyFileSync(join(root, 'node_modules/graphql-ws/LICENSE.md'), join(output, 'LICENSE.graphql-ws.md'));
}
