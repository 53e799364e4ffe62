import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('what another transaction holds for too long is BUSY and never INTERNAL', async () => {
  const token = await api.token(await api.makeTenant(), 'tenant_admin');
  await api.superuser.query('begin');
  try {
    await api.superuser.query('lock table millrace.jobs in access exclusive mode');
    const { data, errors } = await api.query(
      token,
      'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { __typename } }',
    );
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ code: 'BUSY' });
    expect(errors[0]?.message).toContain('nothing was done');
  } finally {
    await api.superuser.query('rollback');
  }
});

it('a read that takes too long is TIMED_OUT, and neither UNAVAILABLE nor an outage', async () => {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'member');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo'`,
    [tenantId],
  );
  await api.superuser.query(
    `create policy slow on millrace.jobs as restrictive for select to millrace_api using (pg_sleep(20) is not null)`,
  );
  const slow = await api.query(token, '{ jobs { nodes { id } } }');
  await api.superuser.query('drop policy slow on millrace.jobs');
  expect(slow.errors[0]?.extensions).toMatchObject({ code: 'TIMED_OUT' });
  expect(slow.errors[0]?.message).toContain('ask for less');
  expect((await api.query(token, '{ jobs { nodes { id } } }')).data.jobs.nodes).toHaveLength(1);
});
