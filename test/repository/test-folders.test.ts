import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './planted.ts';

const isFolder = (path: string): boolean => existsSync(join(repository, path));

/** The folders that the page lists under "Kinds of their own". */
function kindsIn(page: string): readonly string[] {
  const section = page.split('\n## Kinds of their own\n')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(test\/[\w/-]+)`/gm)].map(([, folder = '']) => folder);
}

/**
 * The folders with tests that mirror no folder of `src`, of `workers` or of the root, and are no kind of
 * their own.
 */
function strayFolders(tests: readonly string[], kinds: readonly string[]): readonly string[] {
  return [...new Set(tests.map((path) => dirname(path)))].filter((folder) => {
    if (kinds.some((kind) => folder === kind || folder.startsWith(`${kind}/`))) return false;
    const room = folder.replace(/^test\/?/, '');
    return room === '' || !(isFolder(`src/${room}`) || isFolder(room));
  });
}

const kinds = kindsIn(readFileSync(join(repository, 'test/README.md'), 'utf8'));
const tests = globSync('test/**/*.test.ts', { cwd: repository }).map((path) => path.replaceAll('\\', '/'));

it('each folder with tests mirrors one of src, workers or the root, or is a kind that test/README.md names', () => {
  expect(tests.length).toBeGreaterThan(300);
  expect(strayFolders(tests, kinds)).toEqual([]);
});

it('every kind that test/README.md names exists and mirrors nothing', () => {
  expect(kinds).toContain('test/contract');
  expect(kinds.filter((kind) => !isFolder(kind))).toEqual([]);
  const files = kinds.map((kind) => `${kind}/a.test.ts`);
  expect(strayFolders(files, [])).toEqual(kinds);
});

it('a folder without a counterpart is found, at any depth', () => {
  const found = strayFolders(
    ['test/queue/a.test.ts', 'test/api/a.test.ts', 'test/domains/nothing/a.test.ts', 'test/a.test.ts'],
    kinds,
  );
  expect(found).toEqual(['test/api', 'test/domains/nothing', 'test']);
});
