import { expect } from 'vitest';
import type { GraphqlAnswer, TestApi } from '../support/api.ts';
import type { TenantRows } from '../support/tenant-rows.ts';

/** What the cases work with once the server runs. */
export interface CrossTenantTools {
  readonly api: TestApi;
  readonly token: string;
  readonly ours: TenantRows;
  readonly other: TenantRows;
  readonly mark: string;
  ask(coordinate: string, args?: string): Promise<GraphqlAnswer>;
  sameAsMissing(coordinate: string, args: (id: string) => string, id: string): Promise<GraphqlAnswer>;
  expectNothingOf(answer: unknown): void;
  /** That nothing of the other tenant has changed. */
  unchanged(): Promise<void>;
}

/**
 * The cases about a tenant's own affairs: its keys, tokens and members, its limits, what it used and what was
 * done there.
 */
export function accessCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  return {
    'Mutation.createApiKey': async () => {
      const { api, ours, ask, expectNothingOf } = tools();
      const answer = await ask('Mutation.createApiKey', '(input: { name: "mine", role: MEMBER })');
      expect(answer.data.found.__typename).toBe('CreateApiKeyPayload');
      expectNothingOf(answer);
      const { rows } = await api.superuser.query('select tenant_id from millrace.api_keys where id = $1', [
        answer.data.found.CreateApiKeyPayload_apiKey.uuid,
      ]);
      expect(rows[0].tenant_id).toBe(ours.tenantId);
    },
    'Query.workers': async () => {
      const answer = await tools().ask('Query.workers');
      expect(answer.errors[0]?.extensions?.['code']).toBe('FORBIDDEN');
      expect(answer.data.found).toBeNull();
    },
    'Query.tenants': async () => {
      const answer = await tools().ask('Query.tenants');
      expect(answer.errors[0]?.extensions?.['code']).toBe('FORBIDDEN');
      expect(answer.data.found).toBeNull();
    },
    'Mutation.createTenant': async () => {
      const { data } = await tools().ask('Mutation.createTenant', '(input: { slug: "not-ours" })');
      expect(data.found.__typename).toBe('ForbiddenError');
    },
    'Mutation.deleteTenant': async () => {
      const { api, other, ask } = tools();
      const { data } = await ask('Mutation.deleteTenant', `(input: { id: "${other.tenantId}" })`);
      expect(data.found.__typename).toBe('ForbiddenError');
      const { rows } = await api.superuser.query('select deleted_at from millrace.tenants where id = $1', [
        other.tenantId,
      ]);
      expect(rows[0].deleted_at).toBeNull();
    },
    'Mutation.createAccessToken': async () => {
      const { other, sameAsMissing } = tools();
      await sameAsMissing('Mutation.createAccessToken', (id) => `(input: { jobId: "${id}" })`, other.jobId);
      await sameAsMissing(
        'Mutation.createAccessToken',
        (id) => `(input: { videoId: "${id}" })`,
        other.videoId,
      );
    },
    'Mutation.revokeAccessToken': async () => {
      const { api, other, ask } = tools();
      const them = await api.token(other.tenantId, 'member', { subject: 'them' });
      const { data } = await api.query(
        them,
        'mutation { createAccessToken(input: { ownJobs: true }) { ... on CreateAccessTokenPayload { token jti } } }',
      );
      const { token, jti } = data.createAccessToken;
      await ask('Mutation.revokeAccessToken', `(input: { jti: "${jti}" })`);
      expect((await api.query(token, '{ viewer { name } }')).errors).toEqual([]);
    },
    'Mutation.revokeApiKey': async () => {
      const { api, other, sameAsMissing } = tools();
      await sameAsMissing('Mutation.revokeApiKey', (id) => `(input: { id: "${id}" })`, other.apiKeyId);
      const { rows } = await api.superuser.query('select revoked_at from millrace.api_keys where id = $1', [
        other.apiKeyId,
      ]);
      expect(rows[0].revoked_at).toBeNull();
    },
    'Mutation.revokeTokens': async () => {
      const { api, other, ask } = tools();
      const them = await api.token(other.tenantId, 'member', { subject: 'them' });
      const answer = await ask('Mutation.revokeTokens', '(input: { subject: "them" })');
      expect(answer.data.found.__typename).toBe('RevokeTokensPayload');
      expect((await api.query(them, '{ viewer { name } }')).errors).toEqual([]);
    },
    'Mutation.setMember': async () => {
      const { api, other, mark, ask, expectNothingOf } = tools();
      // Alone on its list, `us` goes on to be somebody here, and theirs stays empty.
      const answer = await ask('Mutation.setMember', '(input: { subject: "us", role: TENANT_ADMIN })');
      expect(answer.data.found.__typename).toBe('SetMemberPayload');
      expectNothingOf(answer);
      expect(await membersOf(api, other.tenantId)).toEqual([mark, 'them']);
    },
    'Mutation.removeMember': async () => {
      const { api, other, mark, ask } = tools();
      await ask('Mutation.setMember', '(input: { subject: "us", role: TENANT_ADMIN })');
      const answer = await ask('Mutation.removeMember', `(input: { subject: "${mark}" })`);
      expect(answer.data.found.__typename).toBe('NotFoundError');
      expect(await membersOf(api, other.tenantId)).toEqual([mark, 'them']);
    },
    'Tenant.apiKeys': async () => {
      const { api, token, ours, expectNothingOf } = tools();
      const answer = await api.query(token, '{ tenant { apiKeys { nodes { uuid name createdBy } } } }');
      expect(answer.data.tenant.apiKeys.nodes.map((node: { uuid: string }) => node.uuid)).toContain(
        ours.apiKeyId,
      );
      expectNothingOf(answer);
    },
    'Tenant.members': async () => {
      const { api, token, expectNothingOf } = tools();
      const answer = await api.query(token, '{ tenant { members { nodes { uuid subject } } } }');
      expect(answer.errors).toEqual([]);
      expectNothingOf(answer);
    },
    'Query.usage': async () => {
      const { ask, expectNothingOf } = tools();
      const today = new Date().toISOString();
      const answer = await ask('Query.usage', `(from: "${today}", to: "${today}")`);
      expect(answer.errors).toEqual([]);
      expect(answer.data.found).toMatchObject({ days: [{ runCount: '1', wallMs: '7' }] });
      expectNothingOf(answer);
    },
    'Query.tenant': async () => {
      const { ours, ask, expectNothingOf } = tools();
      const answer = await ask('Query.tenant');
      expect(answer.data.found.uuid).toBe(ours.tenantId);
      expect(answer.data.found.laneLimits.map((limit: { maxRunning: number }) => limit.maxRunning)).toEqual([
        2,
      ]);
      expectNothingOf(answer);
    },
    'Query.auditLog': async () => {
      const { mark, ask, expectNothingOf } = tools();
      const answer = await ask('Query.auditLog', '(first: 50)');
      expect(answer.data.found.nodes.map((node: { actor: string }) => node.actor)).toContain('ours');
      expectNothingOf(answer);
      const named = await ask('Query.auditLog', `(first: 5, filter: { targetKey: "${mark}" })`);
      expect(named.data.found.nodes).toEqual([]);
    },
  };
}

async function membersOf(api: TestApi, tenantId: string): Promise<string[]> {
  const { rows } = await api.superuser.query(
    'select user_sub from millrace.tenant_members where tenant_id = $1 order by user_sub',
    [tenantId],
  );
  return rows.map((row) => row.user_sub);
}
