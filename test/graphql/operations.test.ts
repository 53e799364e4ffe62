import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLogDuty } from '../../workers/maintenance/pruner.ts';
import { type GraphqlAnswer, startTestApi, type TestApi } from '../support/api.ts';
import { openDatabase } from '../support/queue.ts';
import { turn } from '../workers/runtime/support/turn.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const FAILURE = '__typename ... on DomainFailure { code field allowed message }';

/** The payload of a mutation. */
const payloadOf = (mutation: string): string => `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Payload`;
const ROOT_LOG = { 'x-millrace-tenant': '00000000-0000-0000-0000-000000000000' };

async function tenantWith(status: string, count: number, more = '') {
  const tenantId = await api.makeTenant();
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, created_by ${more && ', correlation_id'})
     select $1, d.id, $2, case when $2 in ('queued') then null else now() end, 'user:alice' ${more && `, '${more}'`}
     from millrace.job_definitions d, generate_series(1, $3) where d.key = 'echo' returning id`,
    [tenantId, status, count],
  );
  const [admin, root] = [await api.token(tenantId, 'tenant_admin'), await api.token(tenantId, 'super_admin')];
  return { tenantId, ids: rows.map((row) => row.id as string), admin, root };
}

async function auditCount(tenantId: string): Promise<number> {
  const { rows } = await api.superuser.query(
    'select count(*)::int as n from millrace.audit_log where tenant_id = $1',
    [tenantId],
  );
  return rows[0].n;
}

const CANCEL_JOBS = `mutation ($input: CancelJobsInput!) { cancelJobs(input: $input) { ${FAILURE}
  ... on CancelJobsPayload { matchedCount canceledCount requestedCount skipped { reason count } hasMore endCursor } } }`;
const RETRY_JOBS = `mutation ($input: RetryJobsInput!) { retryJobs(input: $input) { ${FAILURE}
  ... on RetryJobsPayload { matchedCount retriedCount skipped { reason count } hasMore } } }`;

describe('cancelJobs and retryJobs', () => {
  it('work through a selection in pages until there is no more', async () => {
    const { admin } = await tenantWith('queued', 5);
    const counts: number[] = [];
    for (let after: string | null = null; ; ) {
      const input: object = { filter: { definitions: ['echo'] }, limit: 2, after };
      const answer: GraphqlAnswer = await api.query(admin, CANCEL_JOBS, { input });
      const { cancelJobs } = answer.data;
      expect(cancelJobs).toMatchObject({ __typename: 'CancelJobsPayload', skipped: [] });
      counts.push(cancelJobs.canceledCount);
      after = cancelJobs.endCursor;
      if (!cancelJobs.hasMore) break;
    }
    expect(counts).toEqual([2, 2, 1]);
  });

  it.each([
    ['an empty filter', { filter: {} }, 'filter'],
    ['a filter of nulls', { filter: { statuses: null, correlationId: null } }, 'filter'],
    ['a limit of 0', { filter: { statuses: ['QUEUED'] }, limit: 0 }, 'limit'],
    ['a limit of 10001', { filter: { statuses: ['QUEUED'] }, limit: 10_001 }, 'limit'],
    ['a foreign cursor', { filter: { statuses: ['QUEUED'] }, after: 'x' }, 'after'],
    ['an id of another kind', { filter: { ids: ['Video:1'] } }, 'filter.ids[0]'],
    ['a text with NUL', { filter: { correlationId: 'a\0b' } }, 'filter.correlationId'],
  ])('refuse %s, naming the field, and write nothing', async (_what, input, field) => {
    const { tenantId, admin } = await tenantWith('queued', 1);
    for (const [name, document] of [
      ['cancelJobs', CANCEL_JOBS],
      ['retryJobs', RETRY_JOBS],
    ] as const) {
      const answer = await api.query(admin, document, { input });
      expect(answer.data?.[name]).toMatchObject({
        __typename: 'InvalidArgumentError',
        field: `input.${field}`,
      });
    }
    expect(await auditCount(tenantId)).toBe(0);
  });

  it('refuse a definition that is not there and a spread of more than a day', async () => {
    const { admin } = await tenantWith('failed', 1);
    const unknown = await api.query(admin, CANCEL_JOBS, { input: { filter: { definitions: ['nope'] } } });
    expect(unknown.data.cancelJobs.code).toBe('UNKNOWN_DEFINITION');
    const input = { filter: { statuses: ['FAILED'] }, spreadSeconds: 86_401 };
    const spread = await api.query(admin, RETRY_JOBS, { input });
    expect(spread.data.retryJobs).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.spreadSeconds' });
  });

  it('say of each named job what became of it', async () => {
    const { admin, ids, tenantId } = await tenantWith('succeeded', 2);
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
       select $1, id, 'failed', now() from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId],
    );
    const named = [...ids.map((id) => `Job:${id}`), rows[0].id];
    const answer = await api.query(admin, RETRY_JOBS, { input: { filter: { ids: named } } });
    expect(answer.data.retryJobs).toMatchObject({
      matchedCount: 3,
      retriedCount: 1,
      skipped: [{ reason: 'SUCCEEDED', count: 2 }],
    });
  });

  it('do not spend their limit on jobs that have ended, or for retries have not', async () => {
    const { admin, tenantId } = await tenantWith('succeeded', 3, 'batch');
    const failed = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, correlation_id)
       select $1, id, 'failed', now(), 'batch' from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId],
    );
    const input = { filter: { correlationId: 'batch' }, limit: 1 };
    const retried = await api.query(admin, RETRY_JOBS, { input });
    expect(retried.data.retryJobs).toMatchObject({ retriedCount: 1, hasMore: false });
    const canceled = await api.query(admin, CANCEL_JOBS, { input });
    expect(canceled.data.cancelJobs).toMatchObject({ canceledCount: 1, hasMore: false });
    const log = await api.query(
      admin,
      '{ auditLog { nodes { action actor targetKey details } pageInfo { hasNextPage } } }',
    );
    expect(log.data.auditLog.nodes).toMatchObject([
      {
        action: 'JOBS_CANCEL',
        actor: 'user:alice',
        targetKey: null,
        details: { filter: { correlationId: 'batch' }, changedCount: 1, jobIds: [failed.rows[0].id] },
      },
      { action: 'JOBS_RETRY', details: { filter: { correlationId: 'batch' }, changedCount: 1 } },
    ]);
  });
});

const UPDATE_JOB = `mutation ($input: UpdateJobInput!) { updateJob(input: $input) { ${FAILURE}
  ... on WrongStateError { status } ... on UpdateJobPayload { job { priority scheduledFor requestedFor } } } }`;

describe('updateJob', () => {
  it('is for the job’s own creator among members, and for admins', async () => {
    const { tenantId, ids } = await tenantWith('queued', 1);
    const input = { id: ids[0], priority: 3 };
    const [alice, bob] = [
      await api.token(tenantId, 'member', { subject: 'alice' }),
      await api.token(tenantId, 'member', { subject: 'bob' }),
    ];
    expect((await api.query(bob, UPDATE_JOB, { input })).data.updateJob.code).toBe('FORBIDDEN');
    expect((await api.query(alice, UPDATE_JOB, { input })).data.updateJob.job.priority).toBe(3);
  });

  it('refuses a job that has ended, with its status, and values out of range', async () => {
    const { admin, ids, tenantId } = await tenantWith('failed', 1);
    const wrong = await api.query(admin, UPDATE_JOB, { input: { id: ids[0], priority: 3 } });
    expect(wrong.data.updateJob).toMatchObject({ code: 'WRONG_STATE', status: 'FAILED', allowed: 'QUEUED' });
    for (const [change, field] of [
      [{ priority: -1 }, 'input.priority'],
      [{ priority: 1_000_001 }, 'input.priority'],
      [{ scheduledFor: '2200-01-01T00:00:00Z' }, 'input.scheduledFor'],
      [{}, 'input'],
    ] as const) {
      const answer = await api.query(admin, UPDATE_JOB, { input: { id: ids[0], ...change } });
      expect(answer.data.updateJob).toMatchObject({ code: 'INVALID_ARGUMENT', field });
    }
    expect(await auditCount(tenantId)).toBe(0);
  });
});

describe('pauses', () => {
  it('of a tenant are recorded once each, however often they are asked for', async () => {
    const { admin, tenantId } = await tenantWith('queued', 1);
    for (const verb of ['pauseTenant', 'pauseTenant', 'resumeTenant', 'resumeTenant']) {
      const answer = await api.query(
        admin,
        `mutation { ${verb}(input: { reason: "${verb}" }) { ${FAILURE} ... on ${payloadOf(verb)} { tenant { isPaused } } } }`,
      );
      expect(answer.data[verb].tenant.isPaused).toBe(verb === 'pauseTenant');
    }
    const { rows } = await api.superuser.query(
      "select action, target_id, details ->> 'reason' as reason from millrace.audit_log where tenant_id = $1 order by id",
      [tenantId],
    );
    expect(rows).toEqual([
      { action: 'tenant.pause', target_id: tenantId, reason: 'pauseTenant' },
      { action: 'tenant.resume', target_id: tenantId, reason: 'resumeTenant' },
    ]);
  });

  it('of a definition that is not there are refused', async () => {
    const { root } = await tenantWith('queued', 0);
    for (const key of ['nope', 'a\\u0000b']) {
      const document = `mutation { pauseJobDefinition(input: { definition: "${key}" }) { ${FAILURE} } }`;
      expect((await api.query(root, document)).data.pauseJobDefinition.code).toBe('UNKNOWN_DEFINITION');
    }
  });

  it('give up after two seconds when an open transaction holds the row', async () => {
    const { admin, tenantId } = await tenantWith('queued', 0);
    await api.superuser.query('begin');
    await api.superuser.query('select 1 from millrace.tenants where id = $1 for update', [tenantId]);
    const answer = await api.query(admin, `mutation { pauseTenant(input: {}) { ${FAILURE} } }`);
    await api.superuser.query('rollback');
    expect(answer.data.pauseTenant.code).toBe('BUSY');
    expect(await auditCount(tenantId)).toBe(0);
  });
});

const UPDATE_DEFINITION = `mutation ($input: UpdateJobDefinitionInput!) { updateJobDefinition(input: $input) { ${FAILURE}
  ... on UpdateJobDefinitionPayload { definition { maxRunning maxRunningPerTenant isActive rateLimit { count periodSeconds } } } } }`;
const UPDATE_TENANT = `mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { ${FAILURE}
  ... on UpdateTenantPayload { tenant { name weight maxRunning rateLimit { count } retentionSeconds } } } }`;

describe('limits', () => {
  it('of a definition: null clears, absent leaves, and old and new are on record', async () => {
    const { root } = await tenantWith('queued', 0);
    const set = async (change: object) =>
      (await api.query(root, UPDATE_DEFINITION, { input: { definition: 'echo', ...change } })).data
        .updateJobDefinition.definition;
    const rateLimit = { count: 5, periodSeconds: 60 };
    expect(await set({ maxRunning: 3, rateLimit })).toMatchObject({ maxRunning: 3, rateLimit });
    expect(await set({ maxRunning: null })).toMatchObject({ maxRunning: null, rateLimit });
    expect(await set({ rateLimit: null, isActive: true })).toMatchObject({ rateLimit: null, isActive: true });
    const log = await api.query(
      root,
      '{ auditLog(filter: { action: DEFINITION_UPDATE, targetKey: "echo" }) { nodes { details } } }',
      {},
      ROOT_LOG,
    );
    expect(log.data.auditLog.nodes.map((node: { details: object }) => node.details)).toEqual([
      { old: { rateLimit }, new: { rateLimit: null } },
      { old: { maxRunning: 3 }, new: { maxRunning: null } },
      { old: { maxRunning: null, rateLimit: null }, new: { maxRunning: 3, rateLimit } },
    ]);
  });

  it.each([
    [{ maxRunning: 0 }, 'maxRunning'],
    [{ maxRunningPerTenant: 1_000_001 }, 'maxRunningPerTenant'],
    [{ rateLimit: { count: 0, periodSeconds: 1 } }, 'rateLimit.count'],
    [{ rateLimitPerTenant: { count: 1, periodSeconds: 86_401 } }, 'rateLimitPerTenant.periodSeconds'],
    [{ retentionSeconds: -1 }, 'retentionSeconds'],
    [{ isActive: null }, 'isActive'],
  ])('of a definition are refused out of range: %j', async (change, field) => {
    const { root } = await tenantWith('queued', 0);
    const input = { definition: 'echo', ...change };
    const answer = await api.query(root, UPDATE_DEFINITION, { input });
    expect(answer.data.updateJobDefinition).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: `input.${field}`,
      allowed: expect.any(String),
    });
  });

  it('of a tenant are a super admin’s to set, its name its admin’s', async () => {
    const { admin, root, tenantId } = await tenantWith('queued', 0);
    const update = async (token: string, input: object) =>
      (await api.query(token, UPDATE_TENANT, { input })).data.updateTenant;
    expect(await update(admin, { name: 'Ours', weight: 9 })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await auditCount(tenantId)).toBe(0);
    expect(await update(admin, { name: 'Ours' })).toMatchObject({ tenant: { name: 'Ours', weight: 1 } });
    const limits = { weight: 9, maxRunning: 4, rateLimit: { count: 2, periodSeconds: 1 } };
    expect(await update(root, { ...limits, retentionSeconds: 60 })).toMatchObject({
      tenant: { name: 'Ours', weight: 9, maxRunning: 4, rateLimit: { count: 2 }, retentionSeconds: 60 },
    });
    expect(await update(root, { weight: 101 })).toMatchObject({ field: 'input.weight', allowed: '1 to 100' });
    expect(await update(root, { weight: null })).toMatchObject({ field: 'input.weight' });
    expect(await update(root, { name: ' ' })).toMatchObject({ field: 'input.name' });
    expect(await update(root, { retentionSeconds: null })).toMatchObject({
      tenant: { retentionSeconds: null, maxRunning: 4 },
    });
  });

  it('of a lane are set, changed in part, and taken away', async () => {
    const { root, tenantId } = await tenantWith('queued', 0);
    const answer = async (document: string) =>
      Object.values(
        (
          await api.query(
            root,
            `mutation { ${document} { ${FAILURE} ... on ${payloadOf(document.split('(')[0] ?? '')} { tenant { laneLimits { definition { key } maxRunning rateLimit { count } } } } } }`,
          )
        ).data as Record<string, { tenant: { laneLimits: unknown[] } }>,
      )[0]?.tenant.laneLimits;
    const definition = { key: 'echo' };
    expect(await answer('setLaneLimit(input: { definition: "echo", maxRunning: 2 })')).toEqual([
      { definition, maxRunning: 2, rateLimit: null },
    ]);
    const rate = 'rateLimit: { count: 7, periodSeconds: 60 }';
    expect(await answer(`setLaneLimit(input: { definition: "echo", ${rate} })`)).toEqual([
      { definition, maxRunning: 2, rateLimit: { count: 7 } },
    ]);
    expect(await answer('removeLaneLimit(input: { definition: "echo" })')).toEqual([]);
    expect(await answer('removeLaneLimit(input: { definition: "echo" })')).toEqual([]);
    expect(await auditCount(tenantId)).toBe(3);
  });
});

describe('auditLog', () => {
  it('pages newest first, filters, and refuses an action that there is not', async () => {
    const { admin, ids } = await tenantWith('queued', 3);
    for (const id of ids) await api.query(admin, UPDATE_JOB, { input: { id, priority: 1 } });
    const first = await api.query(
      admin,
      '{ auditLog(first: 2) { nodes { targetKey } pageInfo { hasNextPage endCursor } } }',
    );
    expect(first.data.auditLog.nodes).toEqual([{ targetKey: ids[2] }, { targetKey: ids[1] }]);
    const { endCursor } = first.data.auditLog.pageInfo;
    const rest = await api.query(
      admin,
      `{ auditLog(first: 2, after: "${endCursor}") { nodes { targetKey } pageInfo { hasNextPage } } }`,
    );
    expect(rest.data.auditLog).toEqual({ nodes: [{ targetKey: ids[0] }], pageInfo: { hasNextPage: false } });
    const one = await api.query(
      admin,
      `{ auditLog(filter: { targetType: JOB, targetKey: "${ids[1]}", actor: "user:alice", action: JOB_UPDATE, createdAfter: "2020-01-01T00:00:00Z" }) { nodes { targetKey } } }`,
    );
    expect(one.data.auditLog.nodes).toEqual([{ targetKey: ids[1] }]);
    const none = await api.query(admin, '{ auditLog(filter: { action: JOB_EXPLODE }) { nodes { uuid } } }');
    expect(none.errors[0]?.message).toContain('Value "JOB_EXPLODE" does not exist in "AuditAction" enum.');
  });

  it('cannot be changed by the roles that the program works as', async () => {
    for (const role of ['millrace_api', 'millrace_worker', 'millrace_admin']) {
      for (const sql of ['delete from millrace.audit_log', `update millrace.audit_log set actor = 'me'`]) {
        if (role === 'millrace_worker' && sql.startsWith('delete')) continue;
        await api.superuser.query(`begin; set local role ${role}`);
        await expect(api.superuser.query(sql)).rejects.toMatchObject({ code: '42501' });
        await api.superuser.query('rollback');
      }
    }
  });

  it('loses entries whose time is up to the worker’s role, and none of the last day', async () => {
    const tenantId = await api.makeTenant();
    const add = (hours: number) =>
      api.superuser.query(
        `insert into millrace.audit_log (id, tenant_id, actor, action, target_type, created_at)
         values (uuidv7(make_interval(hours => -$2::int)), $1, 'user:old', 'job.cancel', 'job', now() - make_interval(hours => $2::int))`,
        [tenantId, hours],
      );
    for (const hours of [72, 25, 23, 1]) await add(hours);
    const left = async () => {
      const { rows } = await api.superuser.query(
        `select round(extract(epoch from now() - created_at) / 3600)::int as hours from millrace.audit_log
         where actor = 'user:old' order by id`,
      );
      return rows.map((row) => row.hours);
    };
    const database = openDatabase(api.databaseUrl, 1);
    try {
      expect(await auditLogDuty(database, null).run(turn())).toEqual({ entries: 0 });
      expect(await auditLogDuty(database, 2 * 86_400).run(turn())).toEqual({ entries: 1 });
      expect(await left()).toEqual([25, 23, 1]);
      await auditLogDuty(database, 0).run(turn());
      expect(await left()).toEqual([23, 1]);
    } finally {
      await database.close();
    }
  });
});
