import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { handTypedColumns, read, tablesOf } from './hand-typed-rows.ts';
import { repository } from './planted.ts';

const tables = tablesOf(read(`${repository}/prisma/schema.prisma`).text);

function filesOf(pattern: string) {
  return globSync(pattern, { cwd: repository })
    .filter((path) => !path.startsWith('src/generated/'))
    .map((path) => ({ path, text: read(`${repository}/${path}`).text }));
}

test('no row of a statement has a column whose type was written by hand', () => {
  const statements = ['src/db/sql/**/*.ts', 'src/domains/*/sql/*.ts', 'src/db/rows.ts'].flatMap(filesOf);
  const found = handTypedColumns(tables, statements, filesOf('{src,workers}/**/*.ts'));
  expect(statements.length).toBeGreaterThan(200);
  expect(found, 'Use Columns<Model, …> of src/db/columns.ts').toEqual([]);
});

test('a column that is typed by hand is found, and what a statement makes itself or narrows is not', () => {
  const statement = {
    path: 'src/db/sql/queue/find-clips.ts',
    text: `
      select c.id, c.status, c.size_bytes::float8 as size_bytes from millrace.clips c
      export interface FoundClipRow extends Columns<Clip, 'status'> {
        readonly id: string;
        readonly status: 'queued' | 'ready';
        readonly size_bytes: number;
      }`,
  };
  const user = {
    path: 'src/jobs/show.ts',
    text: 'await tx.query<{ object_key: string; size_bytes: number }>(findClips, [])',
  };
  expect(handTypedColumns(tables, [statement], [user])).toEqual([
    'src/db/sql/queue/find-clips.ts: FoundClipRow has id',
    'src/jobs/show.ts: the row of findClips has object_key',
  ]);
});
