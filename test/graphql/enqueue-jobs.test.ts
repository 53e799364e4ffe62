import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let tenantId: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_MAX_PAYLOAD_BYTES: '10000' } });
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member', { subject: 'max' });
});
afterAll(() => api.close());

const SHOWN = `__typename ... on DomainFailure { code message field allowed }
  ... on EnqueueJobPayload { isNew jobId job { id uuid status payload createdBy } }`;
const MANY = `mutation ($inputs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $inputs }) {
  __typename ... on DomainFailure { code message field allowed } ... on EnqueueJobsPayload { results { ${SHOWN} } } } }`;
const ONE = `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { ${SHOWN} } }`;

async function many(inputs: readonly object[], document = MANY) {
  const answer = await api.query(member, document, { inputs });
  expect(answer.errors).toEqual([]);
  return answer.data.enqueueJobs;
}

async function one(input: object) {
  const answer = await api.query(member, ONE, { input });
  expect(answer.errors).toEqual([]);
  return answer.data.enqueueJob;
}

const hello = { definition: 'echo', payload: { message: 'hello' } };

describe('enqueueJobs', () => {
  it('gives one result a job, in order, each bad one with its place and code', async () => {
    const { results } = await many([
      hello,
      { ...hello, definition: 'nobody' },
      { ...hello, payload: { message: 5 } },
      { ...hello, payload: { message: 'x'.repeat(10_000) } },
      { ...hello, priority: -1 },
      { ...hello, definition: 'transcode' },
      { ...hello, subject: { type: 'video', key: 'no-uuid' } },
      { ...hello, dedupeKey: 'twice' },
      { ...hello, dedupeKey: 'twice' },
      { ...hello, dedupeKey: 'millrace:echo:1' },
      { ...hello, dependsOn: [{ jobId: 'Job:01900000-0000-7000-8000-000000000000', policy: 'RUN' }] },
      hello,
    ]);
    expect(
      results.map((result: { code?: string; field?: string; isNew?: boolean }) =>
        result.code === undefined ? result.isNew : [result.code, result.field],
      ),
    ).toEqual([
      true,
      ['UNKNOWN_DEFINITION', 'input.jobs[1].definition'],
      ['INVALID_PAYLOAD', 'input.jobs[2].payload.message'],
      ['PAYLOAD_TOO_LARGE', 'input.jobs[3].payload'],
      ['INVALID_ARGUMENT', 'input.jobs[4].priority'],
      ['FORBIDDEN', 'input.jobs[5]'],
      ['INVALID_ARGUMENT', 'input.jobs[6].subject.key'],
      true,
      false,
      ['INVALID_ARGUMENT', 'input.jobs[9].dedupeKey'],
      ['INVALID_ARGUMENT', 'input.jobs[10].dependsOn[0].jobId'],
      true,
    ]);
    expect(results[0].job).toMatchObject({
      id: results[0].jobId,
      status: 'QUEUED',
      payload: { message: 'hello', steps: 1 },
      createdBy: 'user:max',
    });
    expect(results[8].jobId).toBe(results[7].jobId);
  });

  it('takes 1,000 jobs and refuses more as a whole', async () => {
    const brief = MANY.replace(SHOWN, '__typename');
    const { results } = await many(Array(1_000).fill(hello), brief);
    expect(results).toEqual(Array(1_000).fill({ __typename: 'EnqueueJobPayload' }));
    expect(await many(Array(1_001).fill(hello), brief)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.jobs',
      allowed: 'at most 1000 jobs in one call',
    });
    expect((await many([], brief)).results).toEqual([]);
  });
});

describe('enqueueJob', () => {
  it('takes expiry, timeout, a dedupe window and jobs to wait for', async () => {
    const parent = await one(hello);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const child = await one({
      ...hello,
      expiresAt,
      timeoutSeconds: 5,
      dedupeKey: 'window',
      dedupeWindowSeconds: 60,
      dependsOn: [{ jobId: parent.jobId }],
    });
    const { rows } = await api.superuser.query('select * from millrace.jobs where id = $1', [child.job.uuid]);
    expect(rows[0]).toMatchObject({
      expires_at: new Date(expiresAt),
      timeout_seconds: 5,
      pending_dependencies: 1,
      dedupe_key: 'window',
    });
  });

  it('refuses a payload over the configured limit, naming both sizes', async () => {
    const payload = { message: 'x'.repeat(10_000) };
    expect(await one({ ...hello, payload })).toMatchObject({
      __typename: 'PayloadTooLargeError',
      code: 'PAYLOAD_TOO_LARGE',
      field: 'input.payload',
      message: 'payload is 10014 bytes of JSON; allowed: at most 10000 bytes of JSON.',
      allowed: 'at most 10000 bytes of JSON',
    });
  });
});
