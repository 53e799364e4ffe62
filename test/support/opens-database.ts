import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a test file, or a file of `test/` that it imports, imports to open a database or to start something.
 */
const OPENERS =
  /from '(?:pg|node:child_process|node:worker_threads|playwright-core|vite)'|support\/(?:api|browser|database|installed-example|media|model-run|packages|pgbouncer|postgres|program|psql|queue|s3-server|small-disk|superuser)\.ts|\binject\(/;
const IMPORTED = /(?:from|import\()\s*'(\.[^']+\.ts)'/g;

/**
 * Whether a test file opens a database or starts processes of its own, as far as its imports within `test/`
 * say. One that does neither leaves nothing behind that another could meet, so such files share their
 * processes.
 * @param path of the file, from the repository's root
 */
export function opensDatabase(root: string, path: string, known: Map<string, boolean> = new Map()): boolean {
  const seen = known.get(path);
  if (seen !== undefined) return seen;
  known.set(path, false);
  const text = readFileSync(join(root, path), 'utf8');
  const opens =
    OPENERS.test(text) ||
    [...text.matchAll(IMPORTED)]
      .map(([, imported]) => join(dirname(path), imported ?? ''))
      .some(
        (imported) =>
          imported.startsWith('test/') &&
          existsSync(join(root, imported)) &&
          opensDatabase(root, imported, known),
      );
  known.set(path, opens);
  return opens;
}
