import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let tenantId: string;
let member: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  admin = await api.token(tenantId, 'tenant_admin', { subject: 'root' });
});
afterAll(() => api.close());

const REPLAY = `mutation ($input: ReplayJobInput!) { replayJob(input: $input) { __typename
  ... on DomainFailure { code field allowed message } ... on WrongStateError { status } ... on ActiveDuplicateError { activeJob { uuid } }
  ... on InvalidPayloadError { problems { field } }
  ... on ReplayJobPayload { job { uuid status payload priority correlationId tags metadata subject { type key } maxAttempts timeoutSeconds
    attemptCount dedupeKey createdBy expiresAt source replayOf { uuid replays { uuid } } replays { uuid } } } } }`;

const FULL = {
  definition: 'echo',
  payload: { message: 'first', steps: 2 },
  priority: 7,
  correlationId: 'order-7',
  subject: { type: 'order', key: '7' },
  tags: ['nightly'],
  metadata: { ticket: 4711 },
  maxAttempts: 9,
  timeoutSeconds: 55,
  expiresAt: '2100-01-01T00:00:00Z',
};

async function ended(status = 'succeeded', input: object = FULL, token = member): Promise<string> {
  const answer = await api.query(
    token,
    'mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { ... on EnqueueJobPayload { job { uuid } } ... on DomainFailure { message } } }',
    { input },
  );
  expect(answer.data.enqueueJob.job, JSON.stringify(answer)).toBeDefined();
  const { uuid } = answer.data.enqueueJob.job;
  await end(uuid, status);
  return uuid;
}

async function end(uuid: string, status: string): Promise<void> {
  if (status === 'queued') return;
  await api.superuser.query(
    `update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), claimed_by_worker = 'w',
       lease_expires_at = now() + interval '1 hour', claimed_at = now(), started_at = now() where id = $1`,
    [uuid],
  );
  await api.superuser.query(
    `update millrace.jobs set status = $2, finished_at = now(), attempt_count = 3, lease_token = null, lease_expires_at = null where id = $1`,
    [uuid, status],
  );
}

async function replay(input: object, token = member) {
  const answer = await api.query(token, REPLAY, { input });
  expect(answer.errors).toEqual([]);
  return answer.data.replayJob;
}

it.each(['succeeded', 'failed', 'dead_letter', 'canceled'])(
  'makes a new job from one that is %s, with all that it was asked for',
  async (status) => {
    const was = await ended(status);
    const { job } = await replay({ id: was });
    expect(job.uuid).not.toBe(was);
    expect(job).toMatchObject({
      status: 'QUEUED',
      payload: { message: 'first', steps: 2 },
      priority: 7,
      correlationId: 'order-7',
      subject: { type: 'order', key: '7' },
      tags: ['nightly'],
      metadata: { ticket: 4711 },
      maxAttempts: 9,
      timeoutSeconds: 55,
      attemptCount: 0,
      expiresAt: null,
      source: 'MANUAL',
      createdBy: 'user:alice',
      replayOf: { uuid: was, replays: [{ uuid: job.uuid }] },
      replays: [],
    });
    const { rows } = await api.superuser.query(
      `select status, attempt_count from millrace.jobs where id = $1`,
      [was],
    );
    expect(rows[0]).toEqual({ status, attempt_count: 3 });
  },
);

it('takes another payload, priority and time, and checks the payload by the schema of today', async () => {
  const was = await ended();
  const { job } = await replay({
    id: was,
    payload: { message: 'second' },
    priority: 3,
    scheduledFor: '2101-01-01T00:00:00Z',
  });
  expect(job).toMatchObject({ payload: { message: 'second' }, priority: 3 });
  expect(await replay({ id: was, payload: { message: 5 } })).toMatchObject({
    code: 'INVALID_PAYLOAD',
    problems: [{ field: 'input.payload.message' }],
  });
  expect(await replay({ id: was, priority: -1 })).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'input.priority',
  });
  const { rows } = await api.superuser.query('select count(*)::int from millrace.jobs where replay_of = $1', [
    was,
  ]);
  expect(rows[0].count).toBe(1);
});

it('writes the audit log with the job, and nothing of a replay that was refused', async () => {
  const was = await ended();
  await replay({ id: was, payload: { message: 5 } });
  const { job } = await replay({ id: was, payload: { message: 'other' } });
  const { data } = await api.query(
    admin,
    '{ auditLog { nodes { action actor targetType targetKey details } } }',
  );
  expect(data.auditLog.nodes.filter(({ targetKey }: { targetKey: string }) => targetKey === was)).toEqual([
    {
      action: 'JOB_REPLAY',
      actor: 'user:alice',
      targetType: 'JOB',
      targetKey: was,
      details: { newJobId: job.uuid, isPayloadEdited: true },
    },
  ]);
});

it('refuses a job that has not ended and one whose dedupe key is taken', async () => {
  const open = await ended('queued');
  expect(await replay({ id: open })).toMatchObject({
    code: 'WRONG_STATE',
    status: 'QUEUED',
    field: 'input.id',
    allowed: 'SUCCEEDED, FAILED, DEAD_LETTER, CANCELED',
  });
  const keyed = { ...FULL, dedupeKey: 'only-one' };
  const was = await ended('succeeded', keyed);
  const { job } = await replay({ id: was });
  expect(job.dedupeKey).toBe('only-one');
  expect(await replay({ id: was })).toMatchObject({
    code: 'ACTIVE_DUPLICATE',
    activeJob: { uuid: job.uuid },
  });
});

it('makes one job of two replays at once where the job has a dedupe key', async () => {
  const was = await ended('succeeded', { ...FULL, dedupeKey: 'at-once' });
  const answers = await Promise.all([replay({ id: was }), replay({ id: was }), replay({ id: was })]);
  expect(answers.map(({ __typename }) => __typename).sort()).toEqual([
    'ActiveDuplicateError',
    'ActiveDuplicateError',
    'ReplayJobPayload',
  ]);
});

it('never makes a second transcode of a video, for whatever role', async () => {
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, subject_type, subject_id)
     select $1, id, 'failed', now(), 'video', gen_random_uuid()::text from millrace.job_definitions where key = 'transcode' returning id`,
    [tenantId],
  );
  for (const token of [member, admin, await api.token(tenantId, 'super_admin')])
    expect(await replay({ id: rows[0].id }, token)).toMatchObject({ code: 'FORBIDDEN' });
});

it('asks for the role that enqueues the definition, no matter who made the job', async () => {
  await api.superuser.query(
    `insert into millrace.job_definitions (key, enqueue_role) values ('strong-replay', 'tenant_admin')`,
  );
  const strong = await ended('failed', { definition: 'strong-replay' }, admin);
  expect(await replay({ id: strong })).toMatchObject({ code: 'FORBIDDEN', allowed: 'TENANT_ADMIN' });
  expect(await replay({ id: strong }, admin)).toMatchObject({ __typename: 'ReplayJobPayload' });
  const of = await ended('failed', FULL, admin);
  expect(await replay({ id: of })).toMatchObject({ job: { createdBy: 'user:alice' } });
  const can = await api.query(
    member,
    `{ nodes(ids: ["Job:${strong}", "Job:${of}"]) { ... on Job { viewerCanReplay } } }`,
  );
  expect(can.data.nodes).toEqual([{ viewerCanReplay: false }, { viewerCanReplay: true }]);
  await api.superuser.query(
    `update millrace.job_definitions set is_active = false where key = 'strong-replay'`,
  );
  expect(await replay({ id: strong }, admin)).toMatchObject({
    code: 'DEFINITION_INACTIVE',
    field: 'input.definition',
  });
});

it('asks for a payload where that of the ended job was redacted', async () => {
  const was = await ended();
  const redacted = await api.query(
    admin,
    `mutation { redactJob(input: { id: "${was}" }) { __typename ... on DomainFailure { message } } }`,
  );
  expect(redacted.data.redactJob).toEqual({ __typename: 'RedactJobPayload' });
  expect(await replay({ id: was })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.payload' });
  expect(await replay({ id: was, payload: { message: 'again' } })).toMatchObject({
    job: { payload: { message: 'again' } },
  });
});

it('leaves no trace of the ended job once that is deleted', async () => {
  const was = await ended();
  const { job } = await replay({ id: was });
  await api.superuser.query('delete from millrace.jobs where id = $1', [was]);
  const answer = await api.query(member, `{ job(id: "${job.uuid}") { status replayOf { uuid } } }`);
  expect(answer.data.job).toEqual({ status: 'QUEUED', replayOf: null });
});
