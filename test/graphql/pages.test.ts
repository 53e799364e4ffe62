import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

const JOBS = 57;

let api: TestApi;
let tenantId: string;
let member: string;
/** Newest first. */
let ids: string[];

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  for (const tenant of [tenantId, await api.makeTenant()]) {
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, correlation_id, created_by)
       select $1, d.id, case n % 3 when 0 then 'queued' else 'failed' end, case n % 3 when 0 then null else now() end,
              'c' || n % 2, 'user:u' || n % 5
       from generate_series(1, ${JOBS}) n, millrace.job_definitions d where d.key = 'echo'`,
      [tenant],
    );
  }
  const { rows } = await api.superuser.query(
    'select id from millrace.jobs where tenant_id = $1 order by id desc',
    [tenantId],
  );
  ids = rows.map((row) => row.id);
});
afterAll(() => api.close());

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {
  jobs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { uuid } } nodes { uuid }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function page(variables: object) {
  const answer = await api.query(member, PAGE, variables);
  expect(answer.errors).toEqual([]);
  return answer.data.jobs;
}

const uuidsOf = (found: { edges: { node: { uuid: string } }[] }) => found.edges.map(({ node }) => node.uuid);

describe('pages of jobs', () => {
  it('show every job once, newest first, whatever the page sizes, forward and backward', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 4, maxLength: 8 }),
        async (sizes) => {
          const forward: string[] = [];
          let after: string | null = null;
          for (let turn = 0; ; turn++) {
            const found = await page({ first: sizes[turn % sizes.length], after });
            forward.push(...uuidsOf(found));
            after = found.pageInfo.endCursor;
            if (!found.pageInfo.hasNextPage) break;
          }
          expect(forward).toEqual(ids);
          const backward: string[] = [];
          let before: string | null = null;
          for (let turn = 0; ; turn++) {
            const found = await page({ last: sizes[turn % sizes.length], before });
            backward.unshift(...uuidsOf(found));
            before = found.pageInfo.startCursor;
            if (!found.pageInfo.hasPreviousPage) break;
          }
          expect(backward).toEqual(ids);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('are 50 long by default, at most 100, and refuse other sizes and cursors by name', async () => {
    expect(uuidsOf(await page({}))).toEqual(ids.slice(0, 50));
    expect(uuidsOf(await page({ first: 100 }))).toEqual(ids);
    for (const [field, variables] of [
      ['first', { first: 101 }],
      ['first', { first: 0 }],
      ['last', { last: -1 }],
      ['last', { first: 1, last: 1 }],
      ['after', { after: 'nonsense' }],
      ['before', { before: 'AAAA' }],
    ] as const) {
      const answer = await api.query(member, PAGE, variables);
      expect(answer.data).toEqual({ jobs: null });
      expect(answer.errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field });
      expect(answer.errors[0]?.extensions?.['allowed']).toBeTruthy();
    }
  });

  it.each([
    ['a literal', 'query { jobs(first: 10000) { nodes { id } } }', {}, 'first'],
    ['a variable', PAGE, { last: 10_000 }, 'last'],
    ['a default', 'query ($n: Int = 10000) { jobs(first: $n) { nodes { id } } }', {}, 'first'],
    [
      'a page within a page, in a fragment',
      '{ jobs(first: 100) { nodes { ...Lines definition { key } } } } fragment Lines on Job { log(last: 9999) { nodes { message loggedAt level } } }',
      {},
      'last',
    ],
  ])(
    'name the page of 10,000 rows of %s, and not what it would cost',
    async (_what, query, variables, field) => {
      const { errors } = await api.query(member, query, variables);
      expect(errors[0]?.extensions).toEqual({ code: 'INVALID_ARGUMENT', field, allowed: '1 to 100' });
      expect(errors[0]?.message).toMatch(/^(first|last) is \d+; allowed: 1 to 100\.$/);
      expect(errors[0]).toMatchObject({ locations: [expect.anything()] });
    },
  );

  it('filter by status, definition, correlation, creator and time', async () => {
    const queued = await page({ first: 100, filter: { statuses: ['QUEUED'] } });
    expect(queued.edges).toHaveLength(19);
    const both = await page({
      first: 100,
      filter: {
        statuses: ['QUEUED', 'FAILED'],
        definitions: ['echo'],
        correlationId: 'c1',
        createdBy: 'user:u3',
      },
    });
    expect(both.edges).toHaveLength(6);
    expect(uuidsOf(await page({ filter: { statuses: [] } }))).toEqual([]);
    const now = new Date(Date.now() + 60_000).toISOString();
    expect(uuidsOf(await page({ filter: { createdAfter: now } }))).toEqual([]);
    expect(uuidsOf(await page({ first: 100, filter: { createdBefore: now } }))).toEqual(ids);
    const unknown = await api.query(member, PAGE, { filter: { definitions: ['ehco'] } });
    expect(unknown.errors[0]?.extensions).toMatchObject({ code: 'UNKNOWN_DEFINITION' });
  });
});
