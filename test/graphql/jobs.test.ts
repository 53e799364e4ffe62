import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let tenantId: string;
let admin: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin', { subject: 'ann' });
  member = await api.token(tenantId, 'member', { subject: 'max' });
});
afterAll(() => api.close());

const ENQUEUE = `mutation ($input: EnqueueJobInput!) {
  enqueueJob(input: $input) {
    __typename
    ... on DomainFailure { code message field allowed }
    ... on InvalidPayloadError { problems { field message allowed } }
    ... on EnqueueJobPayload { isNew job { id uuid status payload priority dedupeKey correlationId createdBy version createdAt
      scheduledFor requestedFor subject { type key } definition { key } attempts { attemptNo } maxAttempts } }
  }
}`;

async function enqueue(token: string, input: object) {
  const answer = await api.query(token, ENQUEUE, { input });
  expect(answer.errors).toEqual([]);
  return answer.data.enqueueJob;
}

const hello = { definition: 'echo', payload: { message: 'hello' } };

describe('enqueueJob', () => {
  it('writes a job with the schema’s defaults and shows all of it', async () => {
    const result = await enqueue(member, {
      ...hello,
      priority: 7,
      correlationId: 'c-1',
      subject: { type: 'order', key: '42' },
      maxAttempts: 2,
    });
    expect(result).toMatchObject({
      __typename: 'EnqueueJobPayload',
      isNew: true,
      job: {
        status: 'QUEUED',
        payload: { message: 'hello', steps: 1, durationMs: 0, failTimes: 0 },
        priority: 7,
        correlationId: 'c-1',
        subject: { type: 'order', key: '42' },
        createdBy: 'user:max',
        maxAttempts: 2,
        version: '1',
        definition: { key: 'echo' },
        attempts: [],
      },
    });
    expect(result.job.id).toBe(`Job:${result.job.uuid}`);
    expect(result.job.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { rows } = await api.superuser.query('select * from millrace.jobs where id = $1', [
      result.job.uuid,
    ]);
    expect(rows[0]).toMatchObject({ tenant_id: tenantId, source: 'manual', priority: 7 });
  });

  it('gives the active job for a dedupe key that is taken', async () => {
    const first = await enqueue(member, { ...hello, dedupeKey: 'only-one' });
    const second = await enqueue(member, { ...hello, dedupeKey: 'only-one' });
    expect(first.isNew).toBe(true);
    expect(second).toMatchObject({ isNew: false, job: { id: first.job.id } });
  });

  it('refuses an unknown definition', async () => {
    expect(await enqueue(member, { definition: 'no-such-thing' })).toMatchObject({
      __typename: 'UnknownDefinitionError',
      code: 'UNKNOWN_DEFINITION',
      field: 'input.definition',
    });
  });

  it('refuses a definition that is switched off', async () => {
    await api.superuser.query(
      `insert into millrace.job_definitions (key, is_active, enqueue_role) values ('off', false, 'member')`,
    );
    expect(await enqueue(member, { definition: 'off' })).toMatchObject({ code: 'DEFINITION_INACTIVE' });
  });

  it('names every problem of a payload by its path and what would have been taken', async () => {
    const result = await enqueue(member, {
      definition: 'echo',
      payload: { message: 5, steps: 0, unknown: true },
    });
    expect(result.__typename).toBe('InvalidPayloadError');
    const byField = Object.fromEntries(
      result.problems.map((problem: { field: string; allowed: string }) => [problem.field, problem.allowed]),
    );
    expect(byField).toMatchObject({
      'input.payload.message': 'string',
      'input.payload.steps': 'at least 1',
    });
    expect(byField['input.payload.unknown']).toContain('message');
    expect(await enqueue(member, { definition: 'echo', payload: {} })).toMatchObject({
      field: 'input.payload.message',
      allowed: expect.stringContaining('required'),
    });
  });

  it('notices that a definition’s schema was changed', async () => {
    await api.superuser.query(
      `insert into millrace.job_definitions (key, enqueue_role, arg_schema) values ('shaped', 'member', '{"required":["a"]}')`,
    );
    expect(await enqueue(member, { definition: 'shaped' })).toMatchObject({ field: 'input.payload.a' });
    await api.superuser.query(
      `update millrace.job_definitions set arg_schema = '{}', updated_at = clock_timestamp() where key = 'shaped'`,
    );
    expect(await enqueue(member, { definition: 'shaped' })).toMatchObject({ isNew: true });
  });

  it.each([
    ['a NUL character', { message: 'a\u0000b' }, 'payload.message'],
    ['half a surrogate pair', { message: 'a\ud800b' }, 'payload.message'],
    ['too many levels', { message: JSON.parse(`${'['.repeat(120)}${']'.repeat(120)}`) }, 'payload.message'],
  ])('refuses a payload with %s, saying what is allowed', async (_what, payload, field) => {
    const result = await enqueue(member, { definition: 'echo', payload });
    expect(result.__typename).toBe('InvalidPayloadError');
    expect(result.field.startsWith(`input.${field}`)).toBe(true);
    expect(result.allowed).not.toBe('');
  });

  it.each([
    ['priority', { priority: -1 }],
    ['priority', { priority: 1_000_001 }],
    ['maxAttempts', { maxAttempts: 0 }],
    ['scheduledFor', { scheduledFor: '9999-01-01T00:00:00Z' }],
    ['dedupeKey', { dedupeKey: '' }],
    ['correlationId', { correlationId: 'x'.repeat(256) }],
    ['subject.key', { subject: { type: 'video', key: 'no-uuid' } }],
  ])('refuses %s out of range', async (field, extra) => {
    expect(await enqueue(member, { ...hello, ...extra })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: `input.${field}`,
    });
  });

  it('keeps a past time as requestedFor and runs the job now', async () => {
    const result = await enqueue(member, { ...hello, scheduledFor: '2020-01-01T00:00:00+02:00' });
    expect(result.job.requestedFor).toBe('2019-12-31T22:00:00.000Z');
    expect(Date.parse(result.job.scheduledFor)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('lets nobody enqueue what is for a stronger role or for Millrace itself', async () => {
    await api.superuser.query(
      `insert into millrace.job_definitions (key, enqueue_role) values ('strong', 'tenant_admin')`,
    );
    expect(await enqueue(admin, { definition: 'strong' })).toMatchObject({ isNew: true });
    expect(await enqueue(member, { definition: 'strong' })).toMatchObject({
      code: 'FORBIDDEN',
      allowed: 'TENANT_ADMIN',
    });
    await api.superuser.query(
      `insert into millrace.job_definitions (key, enqueue_role) values ('inner', 'system')`,
    );
    const root = await api.token(tenantId, 'super_admin');
    expect(await enqueue(root, { definition: 'inner' })).toMatchObject({ code: 'FORBIDDEN' });
  });
});

const CANCEL = `mutation ($input: CancelJobInput!) { cancelJob(input: $input) { __typename
  ... on DomainFailure { code field allowed } ... on WrongStateError { status }
  ... on CancelJobPayload { isCancelRequested job { status isCancelRequested reason } } } }`;
const RETRY = `mutation ($input: RetryJobInput!) { retryJob(input: $input) { __typename
  ... on DomainFailure { code field allowed } ... on WrongStateError { status }
  ... on ActiveDuplicateError { activeJob { id } } ... on RetryJobPayload { job { status attemptCount } } } }`;

describe('cancelJob and retryJob', () => {
  it('cancel a queued job at once and put it back again', async () => {
    const { job } = await enqueue(member, hello);
    const canceled = await api.query(admin, CANCEL, { input: { id: job.id, reason: 'not needed' } });
    expect(canceled.data.cancelJob).toMatchObject({
      isCancelRequested: false,
      job: { status: 'CANCELED', reason: 'not needed' },
    });
    const again = await api.query(admin, CANCEL, { input: { id: job.uuid } });
    expect(again.data.cancelJob).toMatchObject({ code: 'WRONG_STATE', status: 'CANCELED' });
    const retried = await api.query(admin, RETRY, { input: { id: job.uuid } });
    expect(retried.data.retryJob).toMatchObject({ job: { status: 'QUEUED', attemptCount: 0 } });
    const twice = await api.query(admin, RETRY, { input: { id: job.id } });
    expect(twice.data.retryJob).toMatchObject({ code: 'WRONG_STATE', status: 'QUEUED' });
  });

  it('ask a running job to stop and do not retry it meanwhile', async () => {
    const { job } = await enqueue(member, hello);
    await startRunning(job.uuid);
    const answer = await api.query(admin, CANCEL, { input: { id: job.id } });
    expect(answer.data.cancelJob).toMatchObject({
      isCancelRequested: true,
      job: { status: 'RUNNING', isCancelRequested: true },
    });
    const retried = await api.query(admin, RETRY, { input: { id: job.id } });
    expect(retried.data.retryJob).toMatchObject({ code: 'STILL_RUNNING' });
  });

  it('name the active job that holds the dedupe key', async () => {
    const { job } = await enqueue(member, { ...hello, dedupeKey: 'taken' });
    await api.query(admin, CANCEL, { input: { id: job.id } });
    const { job: rival } = await enqueue(member, { ...hello, dedupeKey: 'taken' });
    const retried = await api.query(admin, RETRY, { input: { id: job.id } });
    expect(retried.data.retryJob).toMatchObject({ code: 'ACTIVE_DUPLICATE', activeJob: { id: rival.id } });
  });

  it('are for members only on their own jobs', async () => {
    const { job: own } = await enqueue(member, hello);
    const { job: other } = await enqueue(admin, hello);
    const answers = await Promise.all(
      [own, other].map((job) => api.query(member, CANCEL, { input: { id: job.id } })),
    );
    expect(answers[0]?.data.cancelJob).toMatchObject({ job: { status: 'CANCELED' } });
    expect(answers[1]?.data.cancelJob).toMatchObject({ code: 'FORBIDDEN', allowed: 'TENANT_ADMIN' });
  });

  it('say NOT_FOUND for what is not there and INVALID_ARGUMENT for what is no id', async () => {
    const missing = await api.query(admin, CANCEL, { input: { id: '01900000-0000-7000-8000-000000000000' } });
    expect(missing.data.cancelJob).toMatchObject({ code: 'NOT_FOUND' });
    const wrong = await api.query(admin, RETRY, {
      input: { id: 'Video:01900000-0000-7000-8000-000000000000' },
    });
    expect(wrong.data.retryJob).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.id' });
  });
});

async function startRunning(uuid: string): Promise<void> {
  await api.superuser.query(
    `update millrace.jobs set status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(),
       lease_expires_at = now() + interval '1 hour', claimed_at = now(), started_at = now(), claimed_by_worker = 'w' where id = $1`,
    [uuid],
  );
}

describe('reading jobs', () => {
  it('shows the attempts, the running one last, and the progress of the last run only', async () => {
    const { job } = await enqueue(member, hello);
    await startRunning(job.uuid);
    await api.superuser.query(
      `insert into millrace.stored_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, error)
       values ($1, 0, $2, 'old', 'failed', now(), '{"type":"Boom","message":"it broke","timestamp":"2026-01-01T00:00:00Z","retryCount":0}')`,
      [job.uuid, tenantId],
    );
    await api.superuser.query(
      `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, stage) values ($1, $2, 1, 40, 'half')`,
      [job.uuid, tenantId],
    );
    const document = `query ($id: ID!) { job(id: $id) { progress { percent stage }
      attempts { attemptNo status worker error { type message failedAt retryCount } finishedAt } } }`;
    const before = await api.query(member, document, { id: job.id });
    expect(before.data.job).toMatchObject({
      progress: { percent: 40, stage: 'half' },
      attempts: [
        { attemptNo: 0, status: 'FAILED', error: { type: 'Boom', message: 'it broke' } },
        { attemptNo: 1, status: 'RUNNING', worker: 'w', finishedAt: null },
      ],
    });
    await api.superuser.query('update millrace.job_progress set run_no = 0 where job_id = $1', [job.uuid]);
    const after = await api.query(member, document, { id: job.id });
    expect(after.data.job.progress).toBeNull();
  });

  it('finds one by node and several by nodes, null for those that are not there', async () => {
    const { job } = await enqueue(member, hello);
    const missing = 'Job:01900000-0000-7000-8000-000000000000';
    const answer = await api.query(
      member,
      `query ($ids: [ID!]!, $id: ID!) { node(id: $id) { id ... on Job { status } } nodes(ids: $ids) { id } }`,
      { id: job.id, ids: [missing, job.id] },
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual({ node: { id: job.id, status: 'QUEUED' }, nodes: [null, { id: job.id }] });
  });

  it('lists the definitions with their schemas', async () => {
    const answer = await api.query(
      member,
      '{ jobDefinitions { nodes { key enqueueRole payloadSchema isActive } } }',
    );
    const echo = answer.data.jobDefinitions.nodes.find((node: { key: string }) => node.key === 'echo');
    expect(echo).toMatchObject({ enqueueRole: 'MEMBER', isActive: true, payloadSchema: { type: 'object' } });
  });

  it('pages through the definitions by their keys from a to z, in both directions', async () => {
    const page = async (args: string) =>
      (
        await api.query(
          member,
          `{ jobDefinitions(${args}) { nodes { key } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        )
      ).data.jobDefinitions;
    const keys = ({ nodes }: { nodes: { key: string }[] }) => nodes.map(({ key }) => key);
    const { rows } = await api.superuser.query('select key from millrace.job_definitions order by key');
    const all = rows.map(({ key }) => key);
    expect(keys(await page('first: 100'))).toEqual(all);
    const first = await page('first: 2');
    expect(keys(first)).toEqual(all.slice(0, 2));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const next = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(keys(next)).toEqual(all.slice(2, 4));
    expect(keys(await page(`last: 2, before: "${next.pageInfo.startCursor}"`))).toEqual(all.slice(0, 2));
    const last = await page('last: 1');
    expect(keys(last)).toEqual(all.slice(-1));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const one = 'query ($key: String!) { jobDefinition(key: $key) { key isActive } }';
    const echo = await api.query(member, one, { key: 'echo' });
    expect(echo.data.jobDefinition).toEqual({ key: 'echo', isActive: true });
    expect(await api.query(member, one, { key: 'nothing' })).toMatchObject({
      data: { jobDefinition: null },
      errors: [],
    });
    for (const key of ['x'.repeat(101), 'echo\0'])
      expect((await api.query(member, one, { key })).errors[0]?.extensions).toMatchObject({ field: 'key' });
    const refused = await api.query(member, '{ jobDefinitions(after: "bm9wZQ") { nodes { key } } }');
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'after' });
  });
});

it('the attempts of a job show how each of them ended, with its process, times, output and error', async () => {
  const { job } = await enqueue(member, hello);
  const ends = ['succeeded', 'failed', 'timeout', 'canceled', 'lost', 'interrupted'];
  await api.superuser.query(
    `insert into millrace.stored_attempts (job_id, tenant_id, attempt_no, worker_id, status, claimed_at, started_at, finished_at, pid, exit_code,
       signal, stdout_tail, stderr_tail, error)
     select j.id, j.tenant_id, n, 'w-' || n, s, '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', 100 + n, n,
       'SIGTERM', 'out ' || n, 'err ' || n, '{"type": "E", "message": "m", "timestamp": "2026-01-01T00:00:02Z", "retryCount": 0}'
     from millrace.jobs j, unnest($2::text[]) with ordinality x(s, n) where j.id = $1`,
    [job.uuid, ends],
  );
  const { data, errors } = await api.query(
    member,
    `query ($id: ID!) { job(id: $id) { attempts { attemptNo status worker pid exitCode signal startedAt finishedAt stdoutTail stderrTail error { message } } } }`,
    { id: job.uuid },
  );
  expect(errors).toEqual([]);
  expect(data.job.attempts).toHaveLength(ends.length);
  expect(data.job.attempts).toEqual(
    expect.arrayContaining(
      ends.map((status, index) => ({
        attemptNo: index + 1,
        status: status.toUpperCase(),
        worker: `w-${index + 1}`,
        pid: 101 + index,
        exitCode: index + 1,
        signal: 'SIGTERM',
        startedAt: '2026-01-01T00:00:01.000Z',
        finishedAt: '2026-01-01T00:00:02.000Z',
        stdoutTail: `out ${index + 1}`,
        stderrTail: `err ${index + 1}`,
        error: { message: 'm' },
      })),
    ),
  );
});
