import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './planted.ts';

const PATH = /`((?:src|workers|test|prisma|scripts|bench|chaos|conformance|docs|examples)\/[\w./-]+)`/g;

/** The paths of the repository that a page names. */
function pathsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PATH)].map(([, path = '']) => path))];
}

const read = (page: string): string => readFileSync(join(repository, page), 'utf8');

it.each([
  ['docs/architecture.md', 40],
  ['test/README.md', 30],
])('every path that %s names exists', (page, least) => {
  const paths = pathsIn(read(page));
  expect(paths.length).toBeGreaterThan(least);
  expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
});

it('so does every path of the other pages', () => {
  const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md'], {
    cwd: repository,
    exclude: ['**/node_modules/**'],
  });
  const named = pages.flatMap((page) => pathsIn(read(page)).map((path) => ({ page, path })));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ path }) => !existsSync(join(repository, path)))).toEqual([]);
});

it('a path that does not exist is found among those that a page names', () => {
  expect(pathsIn('See `src/nowhere/room.ts` and `npm run check`.')).toEqual(['src/nowhere/room.ts']);
});
