import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENQUEUED_COLUMNS } from '../../src/db/enqueued-columns.ts';

const root = new URL('../../prisma/', import.meta.url);

/**
 * Columns that each routine's INSERTs leave to the table's default on purpose: what its caller cannot give.
 */
const LEFT_TO_DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  'routines/enqueue/enqueue.sql': ['replay_of'],
  'routines/links/scrape_link.sql': [
    'priority',
    'source_ref',
    'correlation_id',
    'requested_for',
    'expires_at',
    'timeout_seconds',
    'tags',
    'metadata',
    'replay_of',
  ],
  'pgmq/3_send.sql': [
    'priority',
    'correlation_id',
    'subject_type',
    'subject_id',
    'requested_for',
    'expires_at',
    'timeout_seconds',
    'max_attempts',
    'tags',
    // Only `send` without headers.
    'metadata',
    'replay_of',
  ],
};

it('every INSERT of jobs in SQL gives each column that an enqueue has, or leaves it to its default on purpose', () => {
  const declared = ENQUEUED_COLUMNS.flatMap((column) =>
    'beside' in column ? [column.name, column.beside.name] : [column.name],
  );
  const missing: Record<string, readonly string[]> = {};
  for (const path of ['routines', 'pgmq'].flatMap(sqlFilesBelow)) {
    const text = readFileSync(new URL(path, root), 'utf8');
    const lists = [...text.matchAll(/insert into millrace\.jobs\s*\(([^)]*)\)/g)].map(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    );
    if (lists.length === 0) continue;
    missing[path] = declared.filter((name) => lists.some((given) => !given.includes(name)));
  }
  expect(missing).toEqual(LEFT_TO_DEFAULTS);
});

function sqlFilesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `${folder}/${name}`);
}
