import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitPromised } from '../../support/lateness.ts';
import { waitFor } from '../../support/wait.ts';
import { endBoth, watchTwice } from './watch-twice.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function newTenant() {
  const tenantId = await api.makeTenant();
  return { tenantId, admin: await api.token(tenantId, 'tenant_admin', { subject: 'admin' }) };
}

async function newKey(admin: string) {
  const answer = await api.query(
    admin,
    'mutation { createApiKey(input: { name: "k", role: TENANT_ADMIN }) { ... on CreateApiKeyPayload { secret apiKey { uuid } } } }',
  );
  const { secret, apiKey } = answer.data.createApiKey;
  return { secret: secret as string, id: apiKey.uuid as string };
}

/** Runs a mutation that must do what it says. */
async function run(token: string, mutation: string): Promise<void> {
  const answer = await api.query(
    token,
    `mutation { done: ${mutation} { __typename ... on DomainFailure { message } } }`,
  );
  expect(answer.data.done.message).toBeUndefined();
}

// Nothing is waited for but the change itself: 2 s are what is promised.
describe('open streams end on both transports within 2 s, and get no event after', () => {
  it('when their API key is revoked', async () => {
    const { tenantId, admin } = await newTenant();
    const { secret, id } = await newKey(admin);
    const both = await watchTwice(api, secret);
    await run(admin, `revokeApiKey(input: { id: "${id}" })`);
    await endBoth(api, both, 2_000);
    const counts = () => [both.onSocket.received.length, both.stream.received.length];
    const before = counts();
    // One with the rights still gets what comes, so it was there to be sent.
    const other = await watchTwice(api, admin);
    const seen = other.stream.received.length;
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo'`,
      [tenantId],
    );
    await waitFor(() => other.stream.received.length > seen, { describe: 'the event for others' });
    expect(counts()).toEqual(before);
    other.stream.stop();
    await other.socket.close();
  });

  it('when the API key is given an end that has come', async () => {
    const { admin } = await newTenant();
    const { secret, id } = await newKey(admin);
    const both = await watchTwice(api, secret);
    await api.superuser.query('update millrace.api_keys set expires_at = now() where id = $1', [id]);
    await endBoth(api, both, 2_000);
  });

  it('when their token is revoked by its jti, and another of the same person goes on', async () => {
    const { tenantId, admin } = await newTenant();
    const [ended, good] = [
      await api.token(tenantId, 'member', { subject: 'bob' }),
      await api.token(tenantId, 'member', { subject: 'bob' }),
    ];
    const { jti } = JSON.parse(Buffer.from(ended.split('.')[1] ?? '', 'base64url').toString());
    const [both, other] = [await watchTwice(api, ended), await watchTwice(api, good)];
    await run(admin, `revokeTokens(input: { jti: "${jti}" })`);
    await waitPromised(() => both.socket.closeCode() === 4403 && both.stream.isEnded(), {
      describe: 'both streams to end',
      withinMs: 2_000,
      databaseUrl: api.databaseUrl,
    });
    expect(other.socket.closeCode()).toBeNull();
    expect(other.stream.isEnded()).toBe(false);
    other.stream.stop();
    await other.socket.close();
  });

  it('when their person is revoked', async () => {
    const { tenantId, admin } = await newTenant();
    const both = await watchTwice(api, await api.token(tenantId, 'member', { subject: 'bob' }));
    await run(admin, 'revokeTokens(input: { subject: "bob" })');
    await endBoth(api, both, 2_000);
  });

  it('when their person is taken off the tenant’s list', async () => {
    const { tenantId, admin } = await newTenant();
    await run(admin, 'setMember(input: { subject: "admin", role: TENANT_ADMIN })');
    await run(admin, 'setMember(input: { subject: "bob", role: MEMBER })');
    const both = await watchTwice(api, await api.token(tenantId, 'member', { subject: 'bob' }));
    await run(admin, 'removeMember(input: { subject: "bob" })');
    await endBoth(api, both, 2_000);
  });

  it('when their tenant is deleted, and not when it is paused', async () => {
    const { tenantId, admin } = await newTenant();
    const both = await watchTwice(api, await api.token(tenantId, 'member'));
    await run(admin, 'pauseTenant(input: {})');
    const seen = both.stream.received.length;
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo'`,
      [tenantId],
    );
    await waitFor(() => both.stream.received.length > seen, { describe: 'an event of the paused tenant' });
    await api.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [tenantId]);
    await endBoth(api, both, 2_000);
  });
});
