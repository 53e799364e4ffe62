import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { Database } from '../../../src/db/database.ts';
import { deletedTenantsDuty } from '../../../src/domains/tenants/duties/deleted-tenants.ts';
import { deletedMediaDuty } from '../../../src/domains/videos/duties/deleted-media.ts';
import { openStorage, type Storage } from '../../../src/storage/open-storage.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openDatabase, silentLog } from '../../support/queue.ts';
import { restClient } from '../../support/rest.ts';
import { makeTenantRows } from '../../support/tenant-rows.ts';
import { openSocket } from '../../support/ws.ts';

let api: TestApi;
let root: string;
let database: Database;
let storage: Storage;
const turn = { goOn: () => true, upSeconds: 1_000, pause: async () => undefined };

beforeAll(async () => {
  api = await startTestApi();
  root = await api.token(await api.makeTenant(), 'super_admin');
  database = openDatabase(api.databaseUrl);
  storage = await openStorage(
    loadConfig({ MILLRACE_JWT_SECRET: 'x'.repeat(32), MILLRACE_STORAGE_DIR: api.storageDir }),
  );
});
afterAll(async () => {
  await database.close();
  await api.close();
});

const FAILURE = '... on DomainFailure { code field message }';

async function create(input: object, token = root) {
  const answer = await api.query(
    token,
    `mutation ($input: CreateTenantInput!) { createTenant(input: $input) { ${FAILURE} ... on CreateTenantPayload { tenant { id uuid slug name laneLimits { maxRunning } } } } }`,
    { input },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.createTenant;
}

async function remove(id: string, token = root) {
  const answer = await api.query(
    token,
    `mutation ($id: ID!) { deleteTenant(input: { id: $id, reason: "left" }) { ${FAILURE} ... on DeleteTenantPayload { deletedTenantId } } }`,
    { id },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.deleteTenant;
}

describe('a super admin', () => {
  test('makes tenants, lists them with how their queues stand, and changes another one', async () => {
    const { tenant } = await create({ slug: 'acme', name: 'Acme' });
    expect(tenant).toMatchObject({ slug: 'acme', name: 'Acme', laneLimits: null });
    expect(await create({ slug: 'acme' })).toMatchObject({ code: 'ALREADY_EXISTS', field: 'input.slug' });
    expect(await create({ slug: 'Not good' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.slug',
    });
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, scheduled_for, is_delayed)
       select $1, d.id, 'queued', now() + x, x > '0' from millrace.job_definitions d, unnest(array['-90 s', '-30 s', '1 hour']::interval[]) x where d.key = 'echo'`,
      [tenant.uuid],
    );
    const { data, errors } = await api.query(
      root,
      `{ tenants(first: 10) { nodes { slug queue { readyCount delayedCount waitingCount runningCount oldestReadySeconds isComplete } } } }`,
    );
    expect(errors).toEqual([]);
    const acme = data.tenants.nodes.find(({ slug }: { slug: string }) => slug === 'acme');
    expect(acme.queue).toMatchObject({
      readyCount: 2,
      delayedCount: 1,
      waitingCount: 0,
      runningCount: 0,
      isComplete: true,
    });
    expect(acme.queue.oldestReadySeconds).toBeGreaterThanOrEqual(90);
    const changed = await api.query(
      root,
      `mutation ($id: ID!) { updateTenant(input: { id: $id, weight: 3 }) { ${FAILURE} ... on UpdateTenantPayload { tenant { slug weight } } } }`,
      { id: tenant.id },
    );
    expect(changed.errors).toEqual([]);
    expect(changed.data.updateTenant.tenant).toEqual({ slug: 'acme', weight: 3 });
    const own = await api.token(tenant.uuid, 'member');
    const summary = await api.query(
      own,
      '{ jobSummary { counts { queued } oldestQueuedAt oldestQueuedSeconds definitions { definitionKey oldestQueuedAt } } }',
    );
    expect(summary.data.jobSummary).toMatchObject({ counts: { queued: 3 } });
    expect(summary.data.jobSummary.oldestQueuedSeconds).toBeGreaterThanOrEqual(90);
    const { oldestQueuedAt, definitions } = summary.data.jobSummary;
    expect(definitions).toEqual([{ definitionKey: 'echo', oldestQueuedAt }]);
  });

  test('is the only one who may', async () => {
    const tenantId = await api.makeTenant();
    const admin = await api.token(tenantId, 'tenant_admin');
    const other = await api.makeTenant();
    expect(await create({ slug: 'mine' }, admin)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await remove(tenantId, admin)).toMatchObject({ code: 'FORBIDDEN' });
    const changed = await api.query(
      admin,
      `mutation ($id: ID!) { updateTenant(input: { id: $id, name: "x" }) { ${FAILURE} } }`,
      { id: other },
    );
    expect(changed.data.updateTenant).toMatchObject({ code: 'FORBIDDEN' });
    for (const field of ['tenants { nodes { slug } }', 'tenant { queue { readyCount } }']) {
      const answer = await api.query(admin, `{ ${field} }`);
      expect(answer.errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

test('workersChanged sends the list, and again when a worker comes, falls silent or goes', async () => {
  await api.superuser.query('delete from millrace.job_workers');
  const socket = openSocket(api.server.graphqlUrl, { token: root });
  const watching = socket.subscribe(
    'subscription { workersChanged { name isStale jobTypes { definitionKey } } }',
  );
  const list = async (expected: object) => {
    await expect.poll(() => watching.received.at(-1)?.data.workersChanged).toMatchObject(expected);
  };
  await list([]);
  await api.superuser.query(
    `insert into millrace.job_workers (worker_id, hostname, pid, definition_keys, concurrency, metadata)
     values ('w-1', 'box', 7, '{echo}', 4, '{"typeConcurrency": {"echo": 2}}')`,
  );
  await list([{ name: 'w-1', isStale: false, jobTypes: [{ definitionKey: 'echo' }] }]);
  await api.superuser.query(`update millrace.job_workers set last_seen_at = now() - interval '1 minute'`);
  await list([{ name: 'w-1', isStale: true }]);
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, run_no, lease_token, lease_expires_at, claimed_by_worker, claimed_at)
     select $1, id, 'running', 1, gen_random_uuid(), '2030-01-01T00:00:00Z'::timestamptz + make_interval(secs => n), w, '2026-01-01T00:00:00Z'
     from millrace.job_definitions, (values (1, 'w-1'), (2, 'w-1'), (3, 'another')) x (n, w) where key = 'echo'`,
    [await api.makeTenant()],
  );
  const asked = await api.query(
    root,
    '{ workers { name pid isStale jobTypes { definitionKey concurrency } runs { definitionKey jobCount oldestClaimedAt leaseExpiresAt } } }',
  );
  const runs = [
    {
      definitionKey: 'echo',
      jobCount: 2,
      oldestClaimedAt: '2026-01-01T00:00:00.000Z',
      leaseExpiresAt: '2030-01-01T00:00:01.000Z',
    },
  ];
  expect(asked.data.workers).toEqual([
    { name: 'w-1', pid: 7, isStale: true, jobTypes: [{ definitionKey: 'echo', concurrency: 2 }], runs },
  ]);
  const { body } = await restClient(api.url, root).get('/admin/workers');
  expect(body.data[0].runs).toMatchObject([{ definition_key: 'echo', job_count: 2 }]);
  await api.superuser.query(`delete from millrace.jobs where claimed_by_worker in ('w-1', 'another')`);
  await api.superuser.query('delete from millrace.job_workers');
  await list([]);
  expect(watching.received).toHaveLength(4);
  watching.stop();
  const stranger = openSocket(api.server.graphqlUrl, {
    token: await api.token(await api.makeTenant(), 'tenant_admin'),
  });
  const refused = stranger.subscribe('subscription { workersChanged { name } }');
  expect(JSON.stringify(await refused.next(() => true, 'a refusal'))).toContain('FORBIDDEN');
  refused.stop();
});

describe('a deleted tenant', () => {
  test('is gone at once for all who act on it, and later with all its rows and files', async () => {
    const { tenantId, videoId } = await makeTenantRows(api, 'doomed');
    const bystander = await makeTenantRows(api, 'stays');
    const member = await api.token(tenantId, 'member');
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, run_no, lease_token, lease_expires_at, claimed_by_worker, claimed_at)
       select $1, id, 'running', 1, gen_random_uuid(), now() + interval '1 hour', 'w', now() from millrace.job_definitions where key = 'echo'`,
      [tenantId],
    );
    const key = `videos/proxy/${videoId}/index.m3u8`;
    await storage.store.put(key, { stream: Readable.from(['x']) });
    expect(await remove(tenantId)).toEqual({ deletedTenantId: tenantId });
    expect(await remove(tenantId)).toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.query(member, '{ tenant { slug } }')).status).toBe(401);
    const duty = deletedTenantsDuty(database, silentLog);
    await duty.run(turn);
    const left = async () =>
      (
        await api.superuser.query(
          `select status, cancel_requested_at is not null as asked from millrace.jobs where tenant_id = $1`,
          [tenantId],
        )
      ).rows;
    expect(await left()).toEqual([{ status: 'running', asked: true }]);
    await api.superuser.query(
      `update millrace.jobs set status = 'canceled', lease_token = null, lease_expires_at = null, finished_at = now() where tenant_id = $1`,
      [tenantId],
    );
    await api.superuser.query(`update millrace.deleted_media set deleted_at = now() - interval '2 days'`);
    await deletedMediaDuty({
      database,
      ...storage,
      storage: storage.store,
      log: silentLog,
      keptSeconds: 1,
    }).run(turn);
    await duty.run(turn);
    const { rows: tables } = await api.superuser.query(
      `select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'millrace' and column_name = 'tenant_id' and table_type = 'BASE TABLE'
         and table_name not like '%tombstones' and table_name not in ('job_log_lines', 'audit_log')`,
    );
    // Logs of deleted jobs are a duty of their own.
    const logs = await api.superuser.query('select from millrace.deleted_job_logs');
    expect(logs.rowCount).toBe(1);
    for (const { table_name: table } of tables) {
      const { rows } = await api.superuser.query(
        `select count(*)::int as n from millrace."${table}" where tenant_id = $1`,
        [tenantId],
      );
      expect(rows[0].n, table).toBe(0);
    }
    expect(
      (await api.superuser.query('select from millrace.tenants where id = $1', [tenantId])).rowCount,
    ).toBe(0);
    const stays = await api.superuser.query(
      'select count(*)::int as n from millrace.videos where tenant_id = $1',
      [bystander.tenantId],
    );
    expect(stays.rows[0].n).toBe(1);
    expect(await storage.store.stat(key)).toBeNull();
  });

  test('cannot be the system tenant, nor one that is not there', async () => {
    expect(await remove('00000000-0000-0000-0000-000000000000')).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.id',
    });
    expect(await remove('01900000-0000-7000-8000-000000000000')).toMatchObject({ code: 'NOT_FOUND' });
  });
});
