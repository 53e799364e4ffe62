import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WALK_BUDGET } from '../../src/jobs/walk-jobs.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket, type TestSocket } from '../support/ws.ts';

// Lists of jobs by when they ended, of those that are due, and by text.

let api: TestApi;
let tenantId: string;
let token: string;
let socket: TestSocket;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member', { subject: 'max' });
  socket = await openSocket(api.server.graphqlUrl, { token });
});
afterAll(async () => {
  await socket.close();
  await api.close();
});

const JOBS = `query ($filter: JobFilter, $orderBy: JobOrder, $first: Int, $after: String, $last: Int, $before: String) {
  jobs(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    isPartial nodes { correlationId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const BY_END = { field: 'FINISHED_AT', direction: 'DESC' };

interface FoundPage {
  readonly names: readonly string[];
  readonly isPartial: boolean;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

async function page(variables: object, as = token): Promise<FoundPage> {
  const { data, errors } = await api.query(as, JOBS, variables);
  expect(errors).toEqual([]);
  const { nodes, ...rest } = data.jobs;
  return { names: nodes.map(({ correlationId }: { correlationId: string }) => correlationId), ...rest };
}

async function insert(names: string, columns: string, values: string, tenant = tenantId): Promise<void> {
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, correlation_id, ${columns})
     select $1, d.id, ${names}, ${values} from millrace.job_definitions d, generate_series(1, 6) n where d.key = 'echo' order by n`,
    [tenant],
  );
}

describe('jobs that are due', () => {
  let member: string;
  const asMember = (variables: object) => page(variables, member);
  const due = true;
  const LONGEST_FIRST = ['due-5', 'due-3', 'due-4', 'late', 'due-1'];

  beforeAll(async () => {
    const tenant = await api.makeTenant();
    member = await api.token(tenant, 'member');
    // Made in the order 1 to 6; 3 and 4 within the same microsecond, 2 for tomorrow, 6 waits for another job.
    const at = `now() - interval '1 minute' * (array[1, -1440, 7, 7, 9, 30])[n]`;
    await insert(
      `'due-' || n`,
      'status, scheduled_for, is_delayed, pending_dependencies, priority',
      `'queued', ${at}, n = 2, case n when 6 then 1 else 0 end, n % 2`,
      tenant,
    );
    const others = 'status, scheduled_for, is_delayed, definition_id';
    await api.superuser.query(
      `with made as (insert into millrace.job_definitions (key) values ('later') returning id)
       insert into millrace.jobs (tenant_id, correlation_id, ${others})
       -- Its time has come, and nothing has made it ready yet.
       select $1, 'late', 'queued', now() - interval '2 minutes', true, id from made`,
      [tenant],
    );
    await insert(`'over-' || n`, 'status, finished_at', `'succeeded', now()`, tenant);
    await insert(`'strange-' || n`, 'status', `'queued'`, await api.makeTenant());
  });

  it('are found by the filter, and by its opposite all others', async () => {
    const names = async (filter: object) => (await asMember({ filter })).names.toSorted();
    expect(await names({ due })).toEqual(LONGEST_FIRST.toSorted());
    expect(await names({ due, definitions: ['later'] })).toEqual(['late']);
    expect(await names({ due, correlationId: 'due-2' })).toEqual([]);
    expect(await names({ due, statuses: ['SUCCEEDED'] })).toEqual([]);
    expect(await names({ due: false, statuses: ['QUEUED'] })).toEqual(['due-2', 'due-6']);
    expect(await names({ due: false })).toHaveLength(8);
  });

  it('come by how long they have been due, in pages from either end, whatever their priorities', async () => {
    for (const [direction, expected] of [
      ['ASC', LONGEST_FIRST],
      ['DESC', LONGEST_FIRST.toReversed()],
    ] as const) {
      const orderBy = { field: 'SCHEDULED_FOR', direction };
      expect((await asMember({ orderBy })).names).toEqual(expected);
      const forward: string[] = [];
      for (let after: string | null = null; ; ) {
        const found: FoundPage = await asMember({ orderBy, filter: { due }, first: 2, after });
        forward.push(...found.names);
        after = found.pageInfo.endCursor;
        if (!found.pageInfo.hasNextPage) break;
      }
      expect(forward).toEqual(expected);
      const backward: string[] = [];
      for (let before: string | null = null; ; ) {
        const found: FoundPage = await asMember({ orderBy, last: 2, before });
        backward.unshift(...found.names);
        before = found.pageInfo.startCursor;
        if (!found.pageInfo.hasPreviousPage) break;
      }
      expect(backward).toEqual(expected);
      const found = await asMember({ orderBy, filter: { text: 'DUE-4', definitions: ['echo'] } });
      expect(found.names).toEqual(['due-4']);
    }
  });
});

describe('jobs in the order of their ends', () => {
  let member: string;
  const asMember = (variables: object) => page(variables, member);
  // Made in the order 1 to 6 and ended in another one; 3 and 4 within the same microsecond.
  const LATEST_FIRST = ['end-6', 'end-2', 'end-5', 'end-4', 'end-3', 'end-1'];

  beforeAll(async () => {
    const tenant = await api.makeTenant();
    member = await api.token(tenant, 'member');
    const micros = '(array[1, 500, 2, 2, 3, 999])[n]';
    await insert(
      `'end-' || n`,
      'status, finished_at, subject_type, subject_id',
      `case n when 5 then 'failed' else 'succeeded' end, timestamptz '2026-01-01' + ${micros} * interval '1 microsecond', 'order', '7'`,
      tenant,
    );
    await insert(`'waiting-' || n`, 'status', `'queued'`, tenant);
  });

  it('come latest first or earliest first, to the microsecond, without those that have not ended', async () => {
    expect((await asMember({ orderBy: BY_END })).names).toEqual(LATEST_FIRST);
    const ascending = { field: 'FINISHED_AT', direction: 'ASC' };
    expect((await asMember({ orderBy: ascending })).names).toEqual(LATEST_FIRST.toReversed());
    const made = await asMember({ orderBy: { field: 'CREATED_AT', direction: 'ASC' }, first: 6 });
    expect(made.names).toEqual([1, 2, 3, 4, 5, 6].map((n) => `end-${n}`));
  });

  it.each([1, 2, 4])('are each shown once in pages of %i, forward and backward', async (size) => {
    for (const [direction, expected] of [
      ['DESC', LATEST_FIRST],
      ['ASC', LATEST_FIRST.toReversed()],
    ] as const) {
      const orderBy = { field: 'FINISHED_AT', direction };
      const forward: string[] = [];
      for (let after: string | null = null; ; ) {
        const found: FoundPage = await asMember({ orderBy, first: size, after });
        forward.push(...found.names);
        expect(found.pageInfo.hasPreviousPage).toBe(after !== null);
        after = found.pageInfo.endCursor;
        if (!found.pageInfo.hasNextPage) break;
      }
      expect(forward).toEqual(expected);
      const backward: string[] = [];
      for (let before: string | null = null; ; ) {
        const found: FoundPage = await asMember({ orderBy, last: size, before });
        backward.unshift(...found.names);
        before = found.pageInfo.startCursor;
        if (!found.pageInfo.hasPreviousPage) break;
      }
      expect(backward).toEqual(expected);
    }
  });

  it('take every filter, also those that have an index of their own', async () => {
    for (const [filter, names] of [
      [{ statuses: ['FAILED'] }, ['end-5']],
      [
        { subject: { type: 'order', key: '7' }, statuses: ['SUCCEEDED'] },
        LATEST_FIRST.filter((one) => one !== 'end-5'),
      ],
      [{ correlationId: 'end-2' }, ['end-2']],
      [{ sources: ['MANUAL', 'EVENT'], correlationId: 'end-2' }, ['end-2']],
      [{ sources: ['EVENT', 'SCHEDULE'] }, []],
      [{ statuses: ['QUEUED'] }, []],
      [{ finishedBefore: '2026-01-01T00:00:00.001Z', text: 'END-6' }, ['end-6']],
      [{ createdAfter: '2099-01-01T00:00:00Z' }, []],
    ] as const)
      expect([filter, (await asMember({ filter, orderBy: BY_END })).names]).toEqual([filter, names]);
  });

  it('refuse a cursor of the other order by name', async () => {
    const byEnd = await asMember({ orderBy: BY_END, first: 1 });
    const byAge = await asMember({ first: 1 });
    for (const [orderBy, after] of [
      [null, byEnd.pageInfo.endCursor],
      [BY_END, byAge.pageInfo.endCursor],
      [BY_END, 'A'.repeat(38)],
    ]) {
      const { errors } = await api.query(member, JOBS, { orderBy, after });
      expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'after' });
    }
  });

  it('a page that finds few of many says that it is partial and goes on behind what was looked at', async () => {
    const tenant = await api.makeTenant();
    const admin = await api.token(tenant, 'tenant_admin');
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, correlation_id, status, finished_at, created_by)
       select $1, d.id, 'n' || n, 'succeeded', now() - n * interval '1 second', case when n in (1, $2) then 'user:rare' end
       from millrace.job_definitions d, generate_series(1, $2::integer) n where d.key = 'echo'`,
      [tenant, WALK_BUDGET + 10],
    );
    const asked = { filter: { createdBy: 'user:rare' }, orderBy: BY_END, first: 5 };
    const first = await page(asked, admin);
    expect(first).toMatchObject({ names: ['n1'], isPartial: true, pageInfo: { hasNextPage: true } });
    const rest = await page({ ...asked, after: first.pageInfo.endCursor }, admin);
    expect(rest).toMatchObject({
      names: [`n${WALK_BUDGET + 10}`],
      isPartial: false,
      pageInfo: { hasNextPage: false },
    });
  });
});

describe('jobs by text', () => {
  it('are found by their error, correlation id, subject and tags in whatever case, and never by their payload', async () => {
    const tenant = await api.makeTenant();
    const member = await api.token(tenant, 'member');
    const error = (message: string) => `jsonb_build_object('type', 'ProbeFailed', 'message', '${message}')`;
    const columns = 'status, finished_at, last_error, subject_type, subject_id, tags, payload';
    await insert(
      `'Batch-Ä' || n`,
      columns,
      `'failed', now(), case n when 1 then ${error('50% of C:\\x gone')} when 2 then ${error('other')} end,
       case n when 3 then 'Invoice' end, case n when 3 then 'R-7' end, case n when 4 then array['Night_Run'] end, '{"message": "secretword"}'`,
      tenant,
    );
    for (const [text, names] of [
      ['probefailed', ['Batch-Ä2', 'Batch-Ä1']],
      ['50% OF c:\\X', ['Batch-Ä1']],
      ['%', ['Batch-Ä1']],
      ['invoice', ['Batch-Ä3']],
      ['r-7', ['Batch-Ä3']],
      ['night_run', ['Batch-Ä4']],
      ['batch-ä6', ['Batch-Ä6']],
      ['secretword', []],
    ] as const)
      expect([text, (await page({ filter: { text } }, member)).names]).toEqual([text, names]);
    for (const text of ['', 'a\0', 'x'.repeat(201)]) {
      const { errors } = await api.query(member, JOBS, { filter: { text } });
      expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.text' });
    }
  });

  it('are followed by jobChanges, as those with an error of a type: one comes in when it fails and leaves when it does not any more', async () => {
    await insert(`'live-' || n`, 'status', `'queued'`);
    const set = (name: string, error: object | null) =>
      api.superuser.query(
        `update millrace.jobs set last_error = $3 where tenant_id = $1 and correlation_id = $2`,
        [tenantId, name, error],
      );
    await set('live-1', { type: 'Refused', message: 'the Pump is off' });
    const document = `subscription ($filter: JobChangesFilter) { jobChanges(filter: $filter) { __typename
      ... on JobUpdated { job { correlationId } } ... on JobLeft { jobId } } }`;
    for (const filter of [{ errorTypes: ['Refused'] }, { text: 'pump' }]) {
      const watching = socket.subscribe(document, { filter });
      await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'the state');
      const names = () => watching.received.flatMap(({ data }) => data.jobChanges.job?.correlationId ?? []);
      expect(names()).toEqual(['live-1']);
      await set('live-2', { type: 'Refused', message: 'PUMP again' });
      await watching.next(({ data }) => data?.jobChanges.job?.correlationId === 'live-2', 'another one');
      await set('live-3', { type: 'Gone', message: 'valve' });
      await set('live-2', null);
      await watching.next(({ data }) => data?.jobChanges.__typename === 'JobLeft', 'the leave');
      expect(new Set(names())).toEqual(new Set(['live-1', 'live-2']));
      watching.stop();
    }
    const refused = socket.subscribe(document, { filter: { text: 'x'.repeat(201) } });
    const { errors } = await refused.next((event) => event.errors !== undefined, 'an error');
    expect(errors?.[0].extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.text' });
  });
});

describe('jobChanges by time, source and failed runs', () => {
  const CHANGES = `subscription ($filter: JobChangesFilter, $after: String) { jobChanges(filter: $filter, after: $after) { __typename
    ... on JobUpdated { cursor job { correlationId } } ... on JobLeft { cursor jobId } } }`;
  const set = (name: string, columns: string) =>
    api.superuser.query(`update millrace.jobs set ${columns} where tenant_id = $1 and correlation_id = $2`, [
      tenantId,
      name,
    ]);
  const endedAt = (time: string) => `status = 'canceled', finished_at = '${time}'`;
  const open = async (filter: object) => {
    const watching = socket.subscribe(CHANGES, { filter });
    await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'the state');
    const seen = () =>
      watching.received.flatMap(({ data: { jobChanges: event } }) =>
        event.__typename === 'JobUpdated'
          ? event.job.correlationId
          : event.__typename === 'JobLeft'
            ? 'left'
            : [],
      );
    return { watching, seen, next: (name: string) => watching.next(() => seen().includes(name), name) };
  };

  it('a job comes in when it ends within the bounds, and leaves when it is put back', async () => {
    const startMs = Date.now() - 7_200_000;
    const at = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString();
    await insert(`'ended-' || n`, 'status', `'queued'`);
    await set('ended-1', endedAt(at(1).replace('Z', '999Z')));
    const { watching, seen, next } = await open({ finishedAfter: at(0), finishedBefore: at(60) });
    await set('ended-2', endedAt(at(60)));
    await set('ended-3', endedAt(at(-0.001).replace('Z', '999Z')));
    await set('ended-4', endedAt(at(59.999).replace('Z', '999Z')));
    await next('ended-4');
    expect(seen()).toEqual(['ended-1', 'ended-4']);
    await set('ended-4', `status = 'queued', finished_at = null`);
    await next('left');
    watching.stop();
  });

  it('the state reaches back to `finishedAfter` by itself', async () => {
    await insert(`'reach-' || n`, 'status, finished_at', `'succeeded', now() - n * interval '1 hour'`);
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString();
    const { watching, seen } = await open({ finishedAfter: hours(4.5), finishedBefore: hours(1.5) });
    expect(seen().filter((name) => name.startsWith('reach-'))).toEqual(['reach-2', 'reach-3', 'reach-4']);
    watching.stop();
  });

  it('a job comes in at its second failed run, goes on so after a break, and leaves when it is retried', async () => {
    await insert(`'tried-' || n`, 'status, attempt_count', `'queued', case n when 1 then 2 else 0 end`);
    const filter = { minAttemptCount: 2, correlationId: null, text: 'tried-' };
    const { watching, seen, next } = await open(filter);
    expect(seen()).toEqual(['tried-1']);
    for (const count of [1, 2]) await set('tried-3', `attempt_count = ${count}`);
    await next('tried-3');
    await set('tried-1', 'attempt_count = 0');
    await next('left');
    expect(seen().toSorted()).toEqual(['left', 'tried-1', 'tried-3']);
    const after = watching.received.at(-1)?.data.jobChanges.cursor;
    watching.stop();
    await set('tried-4', 'attempt_count = 1');
    await set('tried-5', 'attempt_count = 7');
    const again = socket.subscribe(CHANGES, { filter, after });
    await again.next(({ data }) => data?.jobChanges.job?.correlationId === 'tried-5', 'what was missed');
    expect(again.received.some(({ data }) => data?.jobChanges.job?.correlationId === 'tried-4')).toBe(false);
    again.stop();
  });

  it('a condition that no stream has is refused by name', async () => {
    for (const filter of [{ payloadContains: { order: 7 } }, { due: true }]) {
      const refused = socket.subscribe(CHANGES, { filter });
      await waitFor(() => refused.ended() !== null, { describe: 'an error' });
      expect(refused.ended()).toEqual([
        expect.objectContaining({
          message: expect.stringContaining(
            `Field "${Object.keys(filter)[0]}" is not defined by type "JobChangesFilter"`,
          ),
          extensions: { code: 'BAD_USER_INPUT', field: 'filter' },
        }),
      ]);
    }
    const refused = socket.subscribe(CHANGES, { filter: { minAttemptCount: 0 } });
    const { errors } = await refused.next((event) => event.errors !== undefined, 'an error');
    expect(errors?.[0].extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'filter.minAttemptCount',
    });
  });

  it('what was enqueued outside the bounds, or asked for by another source, is not sent', async () => {
    await insert(`'early-' || n`, 'source', `'event'`);
    const bound = new Date(Date.now() + 1);
    await waitFor(() => Date.now() > bound.getTime(), { describe: 'the bound to pass' });
    await insert(`'late-' || n`, 'source', `case n when 1 then 'event' else 'manual' end`);
    const late = await open({ createdAfter: bound, sources: ['EVENT'] });
    const early = await open({ createdBefore: bound, sources: ['EVENT'] });
    expect(late.seen()).toEqual(['late-1']);
    expect(new Set(early.seen())).toContain('early-1');
    expect(early.seen().filter((name) => name.startsWith('late'))).toEqual([]);
    for (const name of ['early-2', 'late-2', 'late-1']) await set(name, 'priority = 7');
    await late.watching.next(() => late.seen().length === 2, 'the change');
    await early.watching.next(() => early.seen().at(-1) === 'early-2', 'its change');
    expect(late.seen()).toEqual(['late-1', 'late-1']);
    for (const { watching } of [late, early]) watching.stop();
  });
});
