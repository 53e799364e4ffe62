/**
 * Builds the packages and packs them: `npm run build:packages [-- <folder> [<build folder>]]` leaves
 * `millrace-<version>.tgz` and `millrace-client-<version>.tgz` in that folder, else in the current one, and
 * prints their paths.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const destination = resolve(process.argv[2] ?? process.cwd());
const built = resolve(process.argv[3] ?? join(root, 'dist'));
mkdirSync(destination, { recursive: true });

run(process.execPath, [join(root, 'scripts/build.ts'), built]);
for (const name of ['millrace', 'client']) {
  const packed = run('npm', ['pack', join(built, name), '--pack-destination', destination]);
  process.stdout.write(`${join(destination, packed.trim().split('\n').at(-1) ?? '')}\n`);
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
  return stdout;
}
