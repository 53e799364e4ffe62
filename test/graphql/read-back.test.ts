import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

// What is committed is answered for, although nothing can be read: reads and writes come by different
// connections, and here those that read are refused by the database.

let api: TestApi;
let token: string;
let tenantId: string;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());
beforeEach(() => allowReads(true));

/** Takes every read of jobs from the role that reads and leaves its writes. */
async function allowReads(isAllowed: boolean): Promise<void> {
  await api.superuser.query(
    isAllowed
      ? `drop policy if exists unreadable on millrace.jobs`
      : `create policy unreadable on millrace.jobs as restrictive for select to millrace_api using (1 / (case when current_setting('transaction_read_only') = 'on' then 0 else 1 end) = 1)`,
  );
}

it('a job that was enqueued is there once, and the answer has its id and says not to repeat', async () => {
  await allowReads(false);
  const { data, errors } = await api.query(
    token,
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { jobId isNew job { id } } } }',
  );
  await allowReads(true);
  expect(data.enqueueJob).toMatchObject({ isNew: true, job: null, jobId: expect.any(String) });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({
    path: ['enqueueJob', 'job'],
    extensions: { code: 'RESULT_UNAVAILABLE' },
  });
  expect(errors[0]?.message).toContain('do not repeat');
  const { rows } = await api.superuser.query(
    'select count(*)::int as n from millrace.jobs where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

it('a cancellation, a change and a retry are done, and answered as such without the job', async () => {
  const enqueued = await api.query(
    token,
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { jobId } } }',
  );
  const id = enqueued.data.enqueueJob.jobId;
  for (const [field, payload, status] of [
    ['updateJob(input: { id: $id, priority: 7 })', 'UpdateJobPayload', 'queued'],
    ['cancelJob(input: { id: $id })', 'CancelJobPayload', 'canceled'],
    ['retryJob(input: { id: $id })', 'RetryJobPayload', 'queued'],
  ]) {
    await allowReads(false);
    const { data, errors } = await api.query(
      token,
      `mutation ($id: ID!) { ${field} { __typename ... on ${payload} { job { id } } } }`,
      { id },
    );
    await allowReads(true);
    expect([field, data]).toEqual([
      field,
      { [field?.split('(')[0] ?? '']: { __typename: payload, job: null } },
    ]);
    expect(errors.map(({ extensions }) => extensions?.['code'])).toEqual(['RESULT_UNAVAILABLE']);
    expect(errors[0]?.message).toContain(id.split(':').at(-1));
    const { rows } = await api.superuser.query(
      `select status from millrace.jobs where tenant_id = $1 order by id desc limit 1`,
      [tenantId],
    );
    expect(rows).toEqual([{ status }]);
  }
});
