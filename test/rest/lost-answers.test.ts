import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RestRoute } from '../../src/rest/route.ts';
import { usualStatus } from '../../src/rest/route.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type CommitProxy, startCommitProxy } from '../support/commit-proxy.ts';
import { restClient } from '../support/rest.ts';
import { checkAnswer } from '../support/rest-contract.ts';
import { waitFor } from '../support/wait.ts';
import { allRoutes, filled, makeWorld, pathOf, type World } from './world.ts';

let api: TestApi;
let proxy: CommitProxy;
let world: World;
let routes: readonly RestRoute[];

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
    via: async (databaseUrl) => {
      proxy = await startCommitProxy(databaseUrl);
      return proxy;
    },
  });
  world = await makeWorld(api);
  routes = (await allRoutes()).filter(({ method }) => method === 'POST');
});
afterAll(() => api?.close());

/** Nothing of what these write is worth keeping an answer of: carried out twice, they give the same. */
const REPEATABLE = ['createJobUpload', 'heartbeatJobs', 'previewSchedule', 'signJobFiles'];

/** All that a request that is carried out twice would write twice. */
const TABLES = [
  'app_events',
  'audit_log',
  'clips',
  'job_definitions',
  'job_log_lines',
  'jobs',
  'stored_attempts',
  'tenants',
  'trigger_runs',
  'triggers',
  'videos',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_sources',
];
const UNFINISHED = 'select from millrace.bulk_actions where finished_at is null';

const counts = async () =>
  (
    await api.superuser.query(
      `select ${TABLES.map((table) => `(select count(*)::int from millrace.${table}) as ${table}`)}`,
    )
  ).rows[0];

const tokenFor = ({ need }: RestRoute) =>
  need?.role === 'super_admin' ? world.superAdmin : need?.role === 'worker' ? world.worker : world.admin;

test('every POST either records what came of it, or may be carried out twice', () => {
  const plain = routes.filter(({ action }) => action === undefined).map(({ operationId }) => operationId);
  expect(plain.sort()).toEqual(REPEATABLE);
});

test('every POST that was carried out, but not answered, is answered when it is asked again, and done once', async () => {
  const wrong: string[] = [];
  for (const route of routes.filter(({ action }) => action !== undefined)) {
    const { operationId } = route;
    const rest = restClient(api.url, tokenFor(route));
    const path = pathOf(route, world.ids);
    const send = () =>
      rest.send('POST', path, filled(route.example.body, world.ids), {
        'idempotency-key': `lost-${operationId}`,
      });
    const lostBefore = proxy.lostCount;
    proxy.loseCommitOf('record_idempotent_outcome');
    const unheard = await send();
    proxy.disarm();
    if (proxy.lostCount === lostBefore || unheard.status < 500) {
      wrong.push(`${operationId}: ${unheard.status} ${JSON.stringify(unheard.body)}: no commit got lost`);
      continue;
    }
    // A bulk action that another request began writes an entry of the audit log with each batch.
    await waitFor(async () => (await api.superuser.query(UNFINISHED)).rowCount === 0, {
      describe: 'bulk actions to end',
    });
    const before = await counts();
    const again = await send();
    const more = await send();
    expect(await counts(), operationId).toEqual(before);
    if (again.status !== usualStatus(route))
      wrong.push(`${operationId}: ${again.status} ${JSON.stringify(again.body)}`);
    expect(again.headers.get('idempotency-replayed'), operationId).toBe('true');
    checkAnswer('POST', path, again);
    expect([more.status, more.body], operationId).toEqual([again.status, again.body]);
  }
  expect(wrong).toEqual([]);
});
