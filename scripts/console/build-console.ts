import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressFolder } from './compress-folder.ts';

/** Of whatever a change makes another console. */
const SOURCES = ['console/**/*.{ts,tsx,css,html,svg}', 'src/{client,react}/*.ts', 'scripts/console/*.ts'];

/**
 * Builds the console into `console/dist`: an index, and hashed assets with their brotli and gzip forms beside
 * them. Skips when the output was built of the same sources and packages.
 * @param root the repository's folder
 */
export async function buildConsole(
  root: string,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<void> {
  const output = join(root, 'console/dist');
  const stampFile = join(output, '.stamp');
  const stamp = fingerprint(root);
  if (!isForced && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  rmSync(output, { recursive: true, force: true });
  const before = process.env['NODE_ENV'];
  // Vite takes it from here, and a test's would bring React's development form.
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: join(root, 'console'),
    // Assets find each other from where they are: the console may be served below any path.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    plugins: [react()],
    build: {
      outDir: output,
      emptyOutDir: true,
      target: 'es2022',
      // An inlined asset would be a data: URL, which the page's policy refuses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
      reportCompressedSize: false,
    },
  });
  if (before === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = before;
  await compressFolder(join(output, 'assets'));
  writeFileSync(stampFile, stamp);
}

function fingerprint(root: string): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['console/dist/**'] }));
  for (const path of files.sort()) hash.update(path).update(readFileSync(join(root, path)));
  return hash.update(readFileSync(join(root, 'package.json'))).digest('hex');
}
