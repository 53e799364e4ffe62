import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the API reads with. Sums over a table that is kept small for that purpose are no counts of a page. */
const FOLDERS = ['src/db/sql/read', 'src/domains', 'src/jobs', 'src/graphql'];
const SUMS_OF_HOURS = ['src/db/sql/read/sum-usage.ts'];
/** Statements of workers' stages, which work through one whole video. */
const OF_STAGES = ['count-index', 'merge-segments', 'insert-read-frames'].map(
  (name) => `src/domains/search/sql/${name}.ts`,
);
/** Counts of at most as many rows as their statement names, or of the words of one query. */
const BOUNDED = [
  'src/db/sql/read/count-affordable-payloads.ts',
  'src/db/sql/read/count-gathered-jobs.ts',
  'src/db/sql/read/count-workers.ts',
  'src/db/sql/read/job-statistics.ts',
  'src/db/sql/read/worker-runs.ts',
  'src/domains/tenants/sql/measure-tenants.ts',
  'src/domains/triggers/sql/new-trigger-facts.ts',
  'src/domains/triggers/sql/prune-triggered.ts',
  'src/domains/videos/sql/lock-video-for-janitor.ts',
  'src/domains/webhooks/sql/insert-webhook-endpoint.ts',
  'src/domains/webhooks/sql/insert-webhook-source.ts',
  'src/domains/webhooks/sql/prune-webhooks.ts',
];

function sourcesIn(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

test('no read of the API counts rows without a bound', () => {
  const counting = FOLDERS.flatMap(sourcesIn)
    .filter(({ text }) => /\bcount\s*\(\s*\*\s*\)|\.count\(\s*[{)]|\b_count\b/i.test(text))
    .map(({ path }) => path);
  expect(counting.filter((path) => ![...SUMS_OF_HOURS, ...OF_STAGES, ...BOUNDED].includes(path))).toEqual([]);
});

test('no page of the API offers a total', () => {
  const schema = readFileSync(join(root, 'schema.graphql'), 'utf8');
  expect(schema).toMatch(/type \w+Connection/);
  expect(schema).not.toMatch(/\btotalCount\b/);
});
