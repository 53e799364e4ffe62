/**
 * Builds dist/, which is what the npm package carries: Node strips no types below node_modules. `npm pack` runs it; the
 * repository itself runs its sources. dist/ has the same folders as the repository, so that whatever a module finds
 * beside itself (migrations, the sample) is found from there too.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { emitPackage } from './package/emit.ts';

const root = resolve(import.meta.dirname, '..');
const output = resolve(process.argv[2] ?? join(root, 'dist'));

// npm runs `prepare`, which generates the Prisma client, only after `prepack`.
const generated = spawnSync(process.execPath, [join(root, 'scripts/generate.ts')], { stdio: 'inherit' });
if (generated.status !== 0) process.exit(1);

rmSync(output, { recursive: true, force: true });
const problems = emitPackage({
  root,
  output,
  publicEntries: ['src/package/index.ts', 'src/client/index.ts', 'src/react/index.ts'],
});
if (problems !== '') {
  process.stderr.write(problems);
  process.exit(1);
}
for (const path of ['prisma/migrations', 'assets/sample.mp4'])
  cpSync(join(root, path), join(output, path), { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
process.stderr.write(`built millrace ${version}\n`);
