import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const MAX_LINES = 150;
const BASELINE = '20261203000000_baseline';

function sqlFiles(folder: string): readonly { readonly path: string; readonly sql: string }[] {
  const root = new URL(`../../prisma/${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.sql'))
    .map((path) => ({ path, sql: readFileSync(new URL(path, root), 'utf8') }));
}

test('no routine has more than 150 lines', () => {
  const routines = sqlFiles('routines');
  expect(routines.length).toBeGreaterThan(100);
  const long = routines.filter(({ sql }) => sql.trimEnd().split('\n').length > MAX_LINES);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('migrations since the baseline make tables, types and indexes, and nothing that runs', () => {
  const migrations = sqlFiles('migrations').filter(({ path }) => !path.startsWith(BASELINE));
  expect(migrations.length).toBeGreaterThan(15);
  const runs =
    /^\s*(create|alter|drop)\s+(or\s+replace\s+)?(function|procedure|trigger|policy|view|rule)\b/im;
  expect(migrations.filter(({ sql }) => runs.test(sql)).map(({ path }) => path)).toEqual([]);
});
