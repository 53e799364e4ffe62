/**
 * Builds the folders of the packages that are published: `dist/millrace`, the program and the library,
 * compiled, since Node strips no types below node_modules, and `dist/client`, which pages install. The
 * repository itself runs its sources. `dist/millrace` has the same folders as the repository, so that
 * whatever a module finds beside itself (migrations, routines, the sample) is found from there too.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildConsole } from './console/build-console.ts';
import { bundleClient } from './package/bundle-client.ts';
import { emitModules, emitTypes } from './package/emit.ts';
import { clientManifest, libraryManifest, type Manifest } from './package/manifests.ts';

const root = resolve(import.meta.dirname, '..');
const output = resolve(process.argv[2] ?? join(root, 'dist'));
const library = join(output, 'millrace');
const client = join(output, 'client');

const generated = spawnSync(process.execPath, [join(root, 'scripts/generate.ts')], { stdio: 'inherit' });
if (generated.status !== 0) process.exit(1);
await buildConsole(root);

rmSync(output, { recursive: true, force: true });
const problems = [
  emitModules({ root, output: library }),
  emitTypes({
    root,
    output: library,
    entries: ['src/package/index.ts', 'src/client/index.ts', 'src/react/index.ts', 'src/library/index.ts'],
  }),
  emitTypes({
    root: join(root, 'src'),
    output: client,
    entries: ['client/index.ts', 'react/index.ts'],
  }),
].join('');
if (problems !== '') {
  process.stderr.write(problems);
  process.exit(1);
}
await bundleClient(root, client);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
copy(library, [
  'console/dist',
  'prisma/migrations',
  'prisma/routines',
  'prisma/pgmq',
  'assets/sample.mp4',
  'schema.graphql',
  'openapi.json',
  'commands.schema.json',
  'README.md',
  'CHANGELOG.md',
]);
writeManifest(library, libraryManifest(manifest));
cpSync(join(root, 'docs/client.md'), join(client, 'README.md'));
writeManifest(client, clientManifest(manifest));
for (const folder of [library, client]) copy(folder, ['LICENSE']);
process.stderr.write(`built millrace and @millrace/client ${manifest.version}\n`);

function copy(folder: string, paths: readonly string[]): void {
  // Stamps of what is generated are for the repository alone.
  const filter = (source: string) => !basename(source).startsWith('.');
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true, filter });
}

function writeManifest(folder: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}
