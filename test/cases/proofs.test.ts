import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/proofs.md', import.meta.url), 'utf8');

/** The rows of the page's table: number, what went wrong, tests. */
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([no, what, tests]) => ({ no: Number(no), what: what ?? '', tests: (tests ?? '').split(' · ') }));

test('the page about proofs names every case of the queue, of realtime and of media once, in order', () => {
  expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: 54 }, (_, index) => index + 1));
});

test.each(rows)('case $no ($what) names tests that there are, or says that it has none yet', ({ tests }) => {
  for (const named of tests) {
    if (named.startsWith('not yet: ')) continue;
    const [, file, name] = /^`(test\/\S+\.test\.ts)`: (.+)$/.exec(named) ?? [];
    if (file === undefined || name === undefined) throw new Error(`not a test's file and name: ${named}`);
    const path = new URL(`../../${file}`, import.meta.url);
    expect(existsSync(path), `${file} exists`).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(name);
  }
});
