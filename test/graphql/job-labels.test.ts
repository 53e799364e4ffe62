import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openSocket, type TestSocket } from '../support/ws.ts';

// Tags and metadata of jobs, through the API alone.

let api: TestApi;
let tenantId: string;
let member: string;
let socket: TestSocket;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member', { subject: 'max' });
  socket = openSocket(api.server.graphqlUrl, { token: member });
});
afterAll(async () => {
  await socket.close();
  await api.close();
});

const FAILURE = '... on DomainFailure { code field allowed message }';
const ENQUEUE = `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { __typename ${FAILURE}
  ... on EnqueueJobPayload { job { uuid tags metadata } } } }`;
const UPDATE = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { __typename ${FAILURE}
  ... on UpdateJobPayload { job { status version tags metadata } } } }`;
const JOBS = 'query ($filter: JobFilter) { jobs(filter: $filter) { nodes { uuid } } }';
const CHANGES = `subscription ($filter: JobChangesFilter) { jobChanges(filter: $filter) { __typename
  ... on JobUpdated { job { uuid status tags metadata } } ... on JobLeft { jobId } } }`;

async function mutate(document: string, input: object, token = member) {
  const { data, errors } = await api.query(token, document, { input });
  expect(errors).toEqual([]);
  return Object.values(data)[0] as {
    readonly __typename: string;
    readonly field?: string;
    readonly message?: string;
    readonly job?: Record<string, unknown>;
  };
}

async function enqueued(labels: object): Promise<string> {
  const { job } = await mutate(ENQUEUE, { definition: 'echo', payload: { message: 'x' }, ...labels });
  return job?.['uuid'] as string;
}

async function found(filter: object, token = member): Promise<readonly string[]> {
  const { data, errors } = await api.query(token, JOBS, { filter });
  expect(errors).toEqual([]);
  return data.jobs.nodes.map(({ uuid }: { uuid: string }) => uuid).sort();
}

/** Ends a job, as a worker does. */
async function end(id: string): Promise<void> {
  await api.superuser.query(
    `update millrace.jobs set status = 'running', run_no = 1, claimed_at = now(), started_at = now(),
       lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 minute' where id = $1`,
    [id],
  );
  await api.superuser.query(
    `update millrace.jobs set status = 'succeeded', finished_at = now(), lease_token = null, lease_expires_at = null where id = $1`,
    [id],
  );
}

describe('tags and metadata', () => {
  it('are read back as they were given, each tag once, and are empty where nothing was given', async () => {
    const metadata = { customer: { id: 7 }, note: 'é"\\{}' };
    const input = { definition: 'echo', payload: { message: 'x' }, tags: ['b', 'a,{"}', 'b'], metadata };
    expect((await mutate(ENQUEUE, input)).job).toMatchObject({ tags: ['b', 'a,{"}'], metadata });
    const plain = await mutate(ENQUEUE, { ...input, tags: [], metadata: {} });
    expect(plain.job).toMatchObject({ tags: [], metadata: null });
  });

  it.each([
    ['21 tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
    ['an empty tag', { tags: ['a', ''] }, 'tags[1]'],
    ['a tag of 65 characters', { tags: ['x'.repeat(65)] }, 'tags[0]'],
    ['a tag with a NUL', { tags: ['a\0'] }, 'tags[0]'],
    ['a list as metadata', { metadata: [1] }, 'metadata'],
    ['a text as metadata', { metadata: 'text' }, 'metadata'],
    ['metadata beyond 4 KiB', { metadata: { a: 'x'.repeat(4090) } }, 'metadata'],
    ['metadata too deep', { metadata: JSON.parse(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`) }, 'metadata'],
  ])('refuse %s by name, at enqueue and at update', async (_what, labels, field) => {
    const job = await enqueued({});
    for (const answer of [
      await mutate(ENQUEUE, { definition: 'echo', payload: { message: 'x' }, ...labels }),
      await mutate(UPDATE, { id: job, ...labels }),
    ])
      expect(answer).toMatchObject({
        __typename: 'InvalidArgumentError',
        field: `input.${field}`,
        allowed: expect.any(String),
      });
  });

  it('select jobs of the own tenant that have one of the tags, also for bulk verbs', async () => {
    const ids = [
      await enqueued({ tags: ['red', 'shared'] }),
      await enqueued({ tags: ['green'] }),
      await enqueued({ tags: ['blue', 'shared'] }),
    ];
    expect(await found({ tags: ['red', 'green', 'nobody'] })).toEqual(ids.slice(0, 2).sort());
    expect(await found({ tags: ['shared'], statuses: ['QUEUED'] })).toEqual([ids[0], ids[2]].sort());
    expect(await found({ tags: [] })).toEqual([]);
    const stranger = await api.token(await api.makeTenant(), 'member');
    expect(await found({ tags: ['shared'] }, stranger)).toEqual([]);

    const admin = await api.token(tenantId, 'tenant_admin');
    const cancel = `mutation ($input: CancelJobsInput!) { cancelJobs(input: $input) { __typename
      ... on CancelJobsPayload { canceledCount } } }`;
    expect(await mutate(cancel, { filter: { tags: ['shared'] } }, admin)).toMatchObject({ canceledCount: 2 });
  });

  it('change in any state, and what is empty removes them; priority and time stay those of queued jobs', async () => {
    const id = await enqueued({ tags: ['first'], metadata: { a: 1 } });
    await end(id);
    expect((await mutate(UPDATE, { id, tags: ['seen'] })).job).toMatchObject({
      status: 'SUCCEEDED',
      tags: ['seen'],
      metadata: { a: 1 },
    });
    const changed = await mutate(UPDATE, { id, metadata: { b: 2 } });
    expect(changed.job).toMatchObject({ tags: ['seen'], metadata: { b: 2 } });
    // What is like that already is no change.
    expect((await mutate(UPDATE, { id, tags: ['seen'] })).job?.['version']).toBe(changed.job?.['version']);
    expect(await mutate(UPDATE, { id, tags: ['x'], priority: 1 })).toMatchObject({
      __typename: 'WrongStateError',
    });
    const emptied = await mutate(UPDATE, { id, tags: [], metadata: {} });
    expect(emptied.job).toMatchObject({ tags: [], metadata: null });

    const { rows } = await api.superuser.query(
      `select details from millrace.audit_log where target_id = $1 and action = 'job.update' order by created_at, id`,
      [id],
    );
    expect(rows.map(({ details }) => details)).toEqual([
      { old: { tags: ['first'] }, new: { tags: ['seen'] } },
      { old: { tags: ['seen'] }, new: { tags: ['seen'], isMetadataChanged: true } },
      { old: { tags: ['seen'] }, new: { tags: [], isMetadataChanged: true } },
    ]);
  });

  it('are changed by members on their own jobs only', async () => {
    const id = await enqueued({});
    const other = await api.token(tenantId, 'member', { subject: 'eve' });
    expect(await mutate(UPDATE, { id, tags: ['mine'] }, other)).toMatchObject({
      __typename: 'ForbiddenError',
    });
  });
});

describe('jobChanges with tags', () => {
  it('begins with the jobs that have one, sends every change of labels, and JobLeft when the last one is lost', async () => {
    const id = await enqueued({ tags: ['live', 'other'] });
    const outside = await enqueued({ tags: ['other'] });
    const watching = socket.subscribe(CHANGES, { filter: { tags: ['live', 'lively'] } });
    await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'the state');
    const shown = () =>
      watching.received.map(({ data }) => data.jobChanges).filter(({ job }) => job !== undefined);
    expect(shown().map(({ job }) => job.uuid)).toEqual([id]);

    await mutate(UPDATE, { id, metadata: { step: 1 } });
    await watching.next(({ data }) => data?.jobChanges.job?.metadata?.step === 1, 'the metadata');
    await mutate(UPDATE, { id, tags: ['other'] });
    await watching.next(({ data }) => data?.jobChanges.__typename === 'JobLeft', 'the leave');

    // One that was never in it comes in with its tag.
    await mutate(UPDATE, { id: outside, tags: ['lively'] });
    await watching.next(({ data }) => data?.jobChanges.job?.uuid === outside, 'the other job');
    const fresh = await enqueued({ tags: ['live'] });
    await watching.next(({ data }) => data?.jobChanges.job?.uuid === fresh, 'a new job');
    watching.stop();
  });

  it('refuses a tag that no job can have', async () => {
    const watching = socket.subscribe(CHANGES, { filter: { tags: ['x'.repeat(65)] } });
    const refused = await watching.next(({ errors }) => errors !== undefined, 'an error');
    expect(refused.errors?.[0].extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'filter.tags[0]',
    });
  });
});
