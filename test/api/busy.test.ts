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
