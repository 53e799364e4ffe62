/**
 * Builds the console into console/dist; part of npm's `prepare` step. Skips when the output is fresh, and
 * when the development dependencies are not there (a production install brings the built console with it).
 * `--force` builds in any case.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

if (hasVite()) {
  const { buildConsole } = await import('./console/build-console.ts');
  await buildConsole(root, { isForced: process.argv.includes('--force') });
}

function hasVite(): boolean {
  try {
    return createRequire(import.meta.url).resolve('vite') !== '';
  } catch {
    return false;
  }
}
