import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FeedConditions, feedValues, NO_CHANGING_CONDITIONS } from '../../src/db/feed-conditions.ts';
import type { JobConditions, WalkSource } from '../../src/db/job-walk-parts.ts';
import { ENDED_BADLY, GATHERED_SOURCES, WALK_SOURCES } from '../../src/db/job-walk-parts.ts';
import type { ReadTransaction } from '../../src/db/prisma.ts';
import { countJobs } from '../../src/db/sql/feed/count-jobs.ts';
import { findChangedJobs } from '../../src/db/sql/feed/find-changed-jobs.ts';
import { findInitialJobs } from '../../src/db/sql/feed/find-initial-jobs.ts';
import { readTail } from '../../src/db/sql/feed/read-tail.ts';
import { countAffordablePayloads } from '../../src/db/sql/read/count-affordable-payloads.ts';
import { countGatheredJobs } from '../../src/db/sql/read/count-gathered-jobs.ts';
import { findArtifactPages } from '../../src/db/sql/read/find-artifact-pages.ts';
import { findListedJobs } from '../../src/db/sql/read/find-listed-jobs.ts';
import { findWalkEnd } from '../../src/db/sql/read/find-walk-end.ts';
import { jobStatistics } from '../../src/db/sql/read/job-statistics.ts';
import { workerRuns } from '../../src/db/sql/read/worker-runs.ts';
import type { Statement } from '../../src/db/statement.ts';
import { feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { walkJobs } from '../../src/jobs/walk-jobs.ts';
import { fillWithJobs } from '../support/million-jobs.ts';
import { blocksOf, faultsOf, planOf, sortedWhole } from '../support/plans.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// What no plan may have at a million jobs, whatever the statistics say: a table read whole, parallel workers,
// another tenant's jobs.

const COUNT = 1_000_000;
let q: TestQueue;
let large: string;
let small: string;

beforeAll(async () => {
  q = await openTestQueue();
  ({ large, small } = await fillWithJobs(q.superuser, COUNT));
});
afterAll(() => q.close());

const PLACE = {
  operator: '>',
  timeMicros: String(Date.now() * 1_000 - 864e9),
  id: '01920000-0000-7000-8000-000000000000',
} as const;
const base = (tenantId: string): JobConditions => ({ tenantId, direction: 'desc', idBounds: [] });
const LISTS: Readonly<Record<string, Partial<JobConditions>>> = {
  all: {},
  'oldest first': { direction: 'asc' },
  queued: { statuses: ['queued'] },
  'queued of a definition': { statuses: ['queued', 'running'], definitionIds: [] },
  failed: { statuses: ['failed'] },
  'ended badly, by bulk': { statuses: ENDED_BADLY, direction: 'asc' },
  'queued or failed': { statuses: ['queued', 'failed'] },
  due: { due: true },
  'due, of a definition': { due: true, definitionIds: [] },
  'not due': { due: false, statuses: ['queued'] },
  'due longest first': { order: 'scheduled', direction: 'asc', due: true },
  'due, a later page': { order: 'scheduled', places: [PLACE], definitionIds: [] },
  'due, about something': { order: 'scheduled', subject: { type: 'order', id: '8' } },
  succeeded: { statuses: ['succeeded'] },
  'created by': { creators: ['user:nobody'] },
  'of a definition': { definitionIds: [] },
  correlation: { correlationId: 'run-1', statuses: ['failed'] },
  subject: { subject: { type: 'order', id: '8' } },
  'a stretch of time': { finishedAfter: new Date(Date.now() - 864e5), finishedBefore: new Date() },
  errors: { errorTypes: ['Broken'] },
  tags: { tags: ['none'] },
  text: { text: 'broken' },
  payload: { payload: { json: '{"a": 1}', withoutDefinitions: [] }, minAttemptCount: 1 },
  ids: { ids: ['01920000-0000-7000-8000-000000000000'] },
  'latest end first': { order: 'finished' },
  'a later page, by the end': { order: 'finished', direction: 'asc', places: [PLACE] },
  'failed, by the end': { order: 'finished', statuses: ['failed'] },
  'of a correlation, by the end': { order: 'finished', correlationId: 'run-1', places: [PLACE] },
  'about something, by the end': { order: 'finished', subject: { type: 'order', id: '8' } },
  'those named, by the end': { order: 'finished', ids: ['01920000-0000-7000-8000-000000000000'] },
  'made and ended then, by the end': {
    order: 'finished',
    finishedAfter: new Date(Date.now() - 864e5),
    idBounds: [{ operator: '>', id: '01920000-0000-7000-8000-000000000000' }],
    text: 'broken',
  },
};

const NO_FEED: FeedConditions = {
  ids: null,
  definitionIds: null,
  subject: null,
  correlationId: null,
  createdBy: null,
};
const FEEDS: Readonly<Record<string, Partial<FeedConditions>>> = {
  all: {},
  'of a definition': { definitionIds: ['01920000-0000-7000-8000-000000000000'] },
  correlation: { correlationId: 'run-1' },
  subject: { subject: { type: 'order', id: '8' } },
  'created by': { createdBy: 'user:nobody' },
  ids: { ids: ['01920000-0000-7000-8000-000000000000'] },
  'statuses and tags': { statuses: ['running'], tags: ['x'] },
  'failed runs': { minAttemptCount: 2 },
  'errors and text': { errorTypes: ['Broken'], text: 'broken' },
};

describe.each([
  ['statistics of when there were 300 jobs', ''],
  ['fresh statistics', 'analyze millrace.jobs, millrace.tenant_jobs'],
])('with %s', (_name, before) => {
  beforeAll(async () => {
    if (before !== '') await q.superuser.query(before);
  });

  test.each(Object.entries(LISTS))(
    'the list of jobs and bulk verbs find theirs among the tenant’s own: %s',
    async (_case, asked) => {
      for (const tenantId of [large, small]) {
        const conditions = { ...base(tenantId), ...asked };
        for (const source of WALK_SOURCES.filter((one) => isOpenTo(one, conditions))) {
          const limits = { take: 51, budget: 5_000, columns: 'j.id' };
          const bound = [
            findListedJobs(source, conditions, limits),
            findWalkEnd(source, conditions, 5_000),
            ...(conditions.payload != null
              ? [countAffordablePayloads(source, conditions, { budget: 5_000, bytes: 8_000_000 })]
              : []),
            ...(isCounted(source, conditions) ? [countGatheredJobs(source, conditions, 100)] : []),
          ];
          for (const one of bound) {
            const plan = await planOf(q.url, one, 'api', tenantId, 'custom');
            expect([source, faultsOf(plan)]).toEqual([source, []]);
            // A small tenant has fewer than a page looks at: sorting them is right.
            if (source === 'finishes' && tenantId === large)
              expect([one.statement.name, sortedWhole(plan, 'jobs')]).toEqual([one.statement.name, []]);
          }
        }
      }
    },
  );

  test.each(Object.entries(FEEDS))(
    'streams find their state and what they missed likewise: %s',
    async (_case, asked) => {
      const conditions = { ...NO_FEED, ...asked };
      const changed = { ...conditions, ...NO_CHANGING_CONDITIONS };
      const { rows } = await q.superuser.query('select pg_snapshot_xmin(pg_current_snapshot())::text as xid');
      for (const tenantId of [large, small]) {
        const initial = [tenantId, 3600, 1001, 10_000, ...feedValues(conditions)];
        const missed = [
          tenantId,
          rows[0].xid,
          [],
          null,
          null,
          '00000000-0000-0000-0000-000000000000',
          2_000,
          50_001,
        ];
        for (const one of [
          { statement: findInitialJobs(conditions), values: initial },
          { statement: findChangedJobs(changed), values: [...missed, ...feedValues(changed)] },
        ])
          expect(faultsOf(await planOf(q.url, one, 'api', tenantId, 'generic'))).toEqual([]);
      }
    },
  );

  test('counts and the looks of the tailer are found by index alone', async () => {
    for (const one of [
      { statement: countJobs, values: [large, [3600], 10_000, 10_000] },
      { statement: jobStatistics, values: [86_400, 5_000, 60, 20] },
      {
        statement: findArtifactPages,
        values: [
          ['01920000-0000-7000-8000-000000000000'],
          ['poster'],
          [''],
          [''],
          [51],
          ['hls_segment'],
          large,
        ],
      },
    ])
      expect(faultsOf(await planOf(q.url, one, 'api', large, 'generic'))).toEqual([]);
    const runs = { statement: workerRuns, values: [['worker-1']] };
    expect(faultsOf(await planOf(q.url, runs, 'worker', large, 'generic'), true)).toEqual([]);
    const tail = {
      statement: readTail(feedTablesOf(registeredDomains({ echo: true }))),
      values: ['1', [], 2_000],
    };
    expect(faultsOf(await planOf(q.url, tail, 'worker', large, 'generic'), true)).toEqual([]);
  });
});

test('a claim reads what it claims and no table whole', async () => {
  const counts = async () => {
    await q.db.asWorker({ name: 'flush', text: 'select pg_stat_force_next_flush()' }, []);
    await q.superuser.query('select pg_stat_force_next_flush()');
    const { rows } = await q.superuser.query(
      `select t.seq_scan::int as scans, (select sum(idx_tup_read)::int from pg_stat_user_indexes i where i.relid = t.relid) as entries
       from pg_stat_user_tables t where t.relname = 'jobs'`,
    );
    return rows[0];
  };
  const before = await counts();
  await q.claim(5);
  const after = await counts();
  expect(after.scans).toBe(before.scans);
  expect(after.entries - before.entries).toBeLessThan(5_000);
});

test('the newest queued jobs, and those due longest, cost what a page shows beside thousands of ready ones', async () => {
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 20_000)`,
    [large, q.definitionId('alpha')],
  );
  const asked = { ...base(large), statuses: ['queued'] as const };
  const newest = await walked(asked);
  expect(newest.rows).toHaveLength(51);
  // As many as gathering all 20,000 ready ones takes would be over 2,000.
  expect(newest.blocks).toBeLessThan(1_500);
  const longest = await walked({ ...base(large), due: true, order: 'scheduled', direction: 'asc' });
  expect(longest.rows).toHaveLength(51);
  expect(longest.blocks).toBeLessThan(700);
});

/** Walks for a page. @returns its rows, and the blocks that its statements read */
async function walked(conditions: JobConditions) {
  let blocks = 0;
  const reads = {
    query: async (statement: Statement, values: unknown[]) => {
      blocks += blocksOf(
        await planOf(q.url, { statement, values }, 'api', large, 'custom', 'analyze, buffers, '),
      );
      return (await q.superuser.query(statement.text, values)).rows;
    },
  } as unknown as ReadTransaction;
  const { rows } = await walkJobs(reads, conditions, { take: 51, columns: 'j.id' });
  return { rows, blocks };
}

test('a page of a job’s files costs what it shows, wherever in thousands of them it begins', async () => {
  const jobId = '01920000-0000-7000-8000-00000000000a';
  await q.superuser.query(`insert into millrace.jobs (id, tenant_id, definition_id) values ($1, $2, $3)`, [
    jobId,
    large,
    q.definitionId('alpha'),
  ]);
  await q.superuser.query(
    `insert into millrace.artifacts (tenant_id, job_id, run_no, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
     select $1, $2, 1, 'video', '7', 'frame', 'frames/7/' || n * 67 || '.jpg', 1, repeat('0', 64), 'image/jpeg' from generate_series(1, 5000) n`,
    [large, jobId],
  );
  await q.superuser.query('analyze millrace.artifacts');
  for (const after of ['', 'frames/7/268067.jpg']) {
    const values = [[jobId], [null], [after === '' ? '' : 'frame'], [after], [51], ['hls_segment'], large];
    const bound = { statement: findArtifactPages, values };
    expect(blocksOf(await planOf(q.url, bound, 'api', large, 'custom', 'analyze, buffers, '))).toBeLessThan(
      100,
    );
  }
});

function isCounted(source: WalkSource, { order = 'created' }: JobConditions): boolean {
  if (source === 'lanes') return true;
  if (order !== 'created') return ['subject', 'correlation', 'ended'].includes(source);
  return GATHERED_SOURCES.includes(source);
}

function isOpenTo(
  source: WalkSource,
  { ids, subject, correlationId, statuses, finishedAfter, due, order }: JobConditions,
): boolean {
  if (source === 'finishes') return order === 'finished';
  if (source === 'lanes') return order === 'scheduled';
  if (source === 'due') return due === true && order !== 'finished';
  if (order === 'scheduled' && source === 'ended') return false;
  if (order !== undefined && [...GATHERED_SOURCES, 'list'].includes(source)) return false;
  if (source === 'ids') return ids != null;
  if (source === 'subject') return subject != null;
  if (source === 'correlation') return correlationId != null;
  if (source === 'ended') return statuses?.every((one) => ENDED_BADLY.includes(one)) === true;
  if (source === 'active' || source === 'merged')
    return statuses?.some((one) => one === 'queued' || one === 'running') === true;
  if (source === 'finished' || source === 'near') return finishedAfter != null;
  return true;
}
