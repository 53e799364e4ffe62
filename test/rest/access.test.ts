import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasRole, ROLES, type Role } from '../../src/core/actor.ts';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { SCOPES, type Scope } from '../../src/core/scopes.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { checkedClient } from '../support/rest-contract.ts';
import { allRoutes, pathOf } from './world.ts';

let api: TestApi;
let tenantId: string;
let routes: readonly RestRoute[];

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
  });
  [tenantId, routes] = [await api.makeTenant(), await allRoutes()];
});
afterAll(() => api?.close());

const NOTHING = '01900000-0000-7000-8000-000000000001';
const IDS = new Proxy({}, { get: () => NOTHING });

/** A key of a role, narrowed to a scope; made by the API, as its owner makes it. */
async function keyOf(role: Role, scope: Scope | null): Promise<string> {
  const owner = await api.token(
    role === 'super_admin' ? SYSTEM_TENANT_ID : tenantId,
    role === 'super_admin' ? role : 'tenant_admin',
  );
  const { data } = await api.query(
    owner,
    `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename ... on CreateApiKeyPayload { secret } ... on DomainFailure { message } } }`,
    {
      input: {
        name: `${role} ${scope}`,
        role: role.toUpperCase(),
        ...(scope !== null && { scopes: [scope.replace(':', '_').toUpperCase()] }),
      },
    },
  );
  if (data?.createApiKey?.secret === undefined) throw new Error(JSON.stringify(data));
  return data.createApiKey.secret;
}

/** What the declarations say; the test asks the server. */
function isAllowed({ need }: RestRoute, role: Role, scope: Scope | null): boolean {
  if (need === null) return true;
  if (!hasRole(role, need.role)) return false;
  return scope === null || need.scope === 'any' || scope === need.scope;
}

test('every route refuses each role and scope that it does not need, and no other', async () => {
  const wrong: string[] = [];
  let cells = 0;
  for (const role of ROLES)
    for (const scope of [null, ...SCOPES]) {
      const token =
        scope === null
          ? await api.token(role === 'super_admin' ? SYSTEM_TENANT_ID : tenantId, role)
          : await keyOf(role, scope);
      const rest = checkedClient(api.url, token);
      for (const route of routes) {
        // A body that no route takes: nothing is done.
        const body = route.body === undefined ? undefined : { nothing_of_it: true };
        const { status, body: answer } = await rest.send(route.method, pathOf(route, IDS), body);
        const isRefused = status === 403 && answer.code === 'FORBIDDEN';
        if (isRefused === isAllowed(route, role, scope))
          wrong.push(`${role} ${scope}: ${route.method} ${route.path} ${status} ${answer.code}`);
        cells++;
      }
    }
  expect(wrong).toEqual([]);
  expect(cells).toBe(ROLES.length * (SCOPES.length + 1) * routes.length);
});

test('the document says of each route what it needs', async () => {
  const { body } = await checkedClientOfDocument();
  for (const route of routes) {
    const operation =
      body.paths[`/api/v1${route.path.replaceAll(/:(\w+)/g, '{$1}')}`][route.method.toLowerCase()];
    expect([operation['x-role'], operation['x-scope']], route.path).toEqual([
      route.need?.role,
      route.need?.scope,
    ]);
  }
});

const checkedClientOfDocument = async () => {
  const response = await fetch(`${api.url}/api/v1/openapi.json`, { headers: { connection: 'close' } });
  return { body: await response.json() };
};
