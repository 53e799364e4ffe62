import { afterAll, beforeAll, expect, it } from 'vitest';
import { WALK_BUDGET } from '../../src/jobs/walk-jobs.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

// A rare filter on a long history: a page looks at a limited number of jobs and says where it stopped.

const HISTORY = 2 * WALK_BUDGET + 10;
let api: TestApi;
let token: string;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
  const insert = (count: number, columns: string, values: string): Promise<unknown> =>
    api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, ${columns})
       select $1, d.id, ${values} from millrace.job_definitions d, generate_series(1, $2::integer) n where d.key = 'echo'`,
      [tenantId, count],
    );
  await insert(2, 'created_by, correlation_id', `'user:rare', 'oldest'`);
  await insert(
    HISTORY,
    'status, finished_at, created_by, correlation_id',
    `'succeeded', now(), 'user:max', 'many'`,
  );
  await insert(1, 'created_by, correlation_id', `'user:rare', 'newest'`);
  await insert(3, 'status, finished_at, created_by', `'failed', now() - interval '1 day', 'user:max'`);
});
afterAll(() => api.close());

const JOBS = `query ($filter: JobFilter, $first: Int, $after: String, $last: Int, $before: String) {
  jobs(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    isPartial nodes { correlationId status } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

async function page(variables: object) {
  const { data, errors } = await api.query(token, JOBS, variables);
  expect(errors).toEqual([]);
  return data.jobs;
}

it('a short page says that it is partial, and its cursor goes on behind what was looked at, to the end', async () => {
  const filter = { createdBy: 'user:rare' };
  const first = await page({ filter, first: 3 });
  expect(first).toMatchObject({ isPartial: true, nodes: [{ correlationId: 'newest' }] });
  expect(first.pageInfo.hasNextPage).toBe(true);
  const second = await page({ filter, first: 3, after: first.pageInfo.endCursor });
  expect(second).toMatchObject({ isPartial: true, nodes: [], pageInfo: { hasNextPage: true } });
  const third = await page({ filter, first: 3, after: second.pageInfo.endCursor });
  expect(third).toMatchObject({ isPartial: false, pageInfo: { hasNextPage: false } });
  expect(third.nodes.map((node: { correlationId: string }) => node.correlationId)).toEqual([
    'oldest',
    'oldest',
  ]);
});

it('a search in payloads ends a page early where they are large, and goes on behind what was read', async () => {
  const tenant = await api.makeTenant();
  const member = await api.token(tenant, 'member');
  // Not to be compressed: 600 kB each, of which a page reads eight megabytes.
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, correlation_id, payload)
     select $1, d.id, 'large ' || n, jsonb_build_object('n', n % 30, 'text', (select string_agg(md5(random()::text || i), '') from generate_series(1, 18750) i))
     from millrace.job_definitions d, generate_series(1, 30) n where d.key = 'echo' order by n`,
    [tenant],
  );
  const found: string[] = [];
  let pages = 0;
  for (let after: string | null = null, isPartial = true; isPartial; pages += 1) {
    const { data, errors } = await api.query(member, JOBS, {
      filter: { payloadContains: { n: 1 } },
      first: 5,
      after,
    });
    expect(errors).toEqual([]);
    ({ isPartial } = data.jobs);
    found.push(...data.jobs.nodes.map((node: { correlationId: string }) => node.correlationId));
    after = data.jobs.pageInfo.endCursor;
    expect(data.jobs.pageInfo.hasNextPage).toBe(isPartial);
  }
  expect(found).toEqual(['large 1']);
  expect(pages).toBe(3);
});

it('the same from the other end', async () => {
  const filter = { createdBy: 'user:rare' };
  const last = await page({ filter, last: 3 });
  expect(last.isPartial).toBe(true);
  expect(last.nodes).toHaveLength(2);
  expect(last.pageInfo.hasPreviousPage).toBe(true);
  const before = await page({ filter, last: 3, before: last.pageInfo.startCursor });
  expect(before).toMatchObject({ isPartial: true, nodes: [] });
  const rest = await page({ filter, last: 3, before: before.pageInfo.startCursor });
  expect(rest).toMatchObject({ isPartial: false, nodes: [{ correlationId: 'newest' }] });
  expect(rest.pageInfo.hasPreviousPage).toBe(false);
});

it('what has an index of its own is found whole: failed, waiting, of a stretch of time, of a correlation', async () => {
  const day = 86_400_000;
  const yesterday = {
    finishedAfter: new Date(Date.now() - 1.5 * day),
    finishedBefore: new Date(Date.now() - day / 2),
  };
  for (const [filter, count] of [
    [{ statuses: ['FAILED'] }, 3],
    [{ statuses: ['FAILED', 'DEAD_LETTER', 'CANCELED'] }, 3],
    [{ statuses: ['QUEUED'] }, 3],
    [{ statuses: ['QUEUED', 'FAILED'] }, 6],
    [{ statuses: ['QUEUED'], definitions: ['echo'] }, 3],
    [{ statuses: ['RUNNING'] }, 0],
    [yesterday, 3],
    [{ ...yesterday, statuses: ['FAILED'] }, 3],
    [{ correlationId: 'oldest' }, 2],
  ] as const) {
    const found = await page({ filter, first: 10 });
    expect([filter, found.nodes.length, found.isPartial]).toEqual([filter, count, false]);
  }
});

it('bulk verbs say so too, and go on from their cursor until all is done', async () => {
  const document = `mutation ($input: CancelJobsInput!) { cancelJobs(input: $input) {
    ... on CancelJobsPayload { matchedCount canceledCount hasMore isPartial endCursor } } }`;
  const cancel = async (input: object) => (await api.query(token, document, { input })).data.cancelJobs;
  // Statuses that no index has, and a creator whose jobs are rare.
  const filter = { statuses: ['QUEUED', 'SUCCEEDED'], createdBy: 'user:rare' };
  const first = await cancel({ filter, limit: 5 });
  expect(first).toMatchObject({ matchedCount: 2, canceledCount: 2, hasMore: true, isPartial: true });
  const answers = [first];
  while (answers.at(-1).hasMore)
    answers.push(await cancel({ filter, limit: 5, after: answers.at(-1).endCursor }));
  expect(answers.reduce((sum, { canceledCount }) => sum + canceledCount, 0)).toBe(3);
  expect(answers.at(-1)).toMatchObject({ isPartial: false });
});
