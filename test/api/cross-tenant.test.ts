import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphqlAnswer, startTestApi, type TestApi } from '../support/api.ts';
import { inwardFields, rootFields, selectAll } from '../support/selection.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';
import { openSocket } from '../support/ws.ts';

// From the printed schema: a new root field, or a new way from one object to another, fails here until it has a case.
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** In every text of the other tenant's rows. */
const MARK = 'SECRET-OF-THE-OTHER-TENANT';
const NOBODY = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
let other: TenantRows;
let ours: TenantRows;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  [other, ours] = [await makeTenantRows(api, MARK), await makeTenantRows(api, 'ours')];
  // What only a foreign writer could do: rows of one tenant that point at another's.
  await api.superuser.query(`update millrace.jobs set subject_id = $1 where id = $2`, [
    other.videoId,
    ours.jobId,
  ]);
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, reason, payload, dedupe_key)
     select $1, id, 'video', $2, $3, jsonb_build_object('message', $3::text), $3 from millrace.job_definitions where key = 'echo'`,
    [other.tenantId, ours.videoId, MARK],
  );
  token = await api.token(ours.tenantId, 'tenant_admin', { subject: 'us' });
});
afterAll(() => api.close());

/** Executes a root field with everything that it can show. */
function ask(coordinate: string, args = ''): Promise<GraphqlAnswer> {
  const [root, name] = coordinate.split('.') as [string, string];
  const field = rootFields(schema).find(([found]) => found === coordinate)?.[1];
  if (field === undefined) throw new Error(`no field ${coordinate}`);
  const levels = root === 'Query' && /s$/.test(name) && name !== 'nodes' ? 4 : 3;
  return api.query(
    token,
    `${root.toLowerCase()} { found: ${name}${args} ${selectAll(schema, getNamedType(field.type).name, levels)} }`,
  );
}

function expectNothingOf(answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(text).not.toContain(MARK);
  for (const id of [other.tenantId, other.jobId]) expect(text).not.toContain(id);
}

/** The other tenant's thing and a thing that does not exist get the same answer, word for word but for the id. */
async function sameAsMissing(
  coordinate: string,
  args: (id: string) => string,
  id: string,
): Promise<GraphqlAnswer> {
  const [theirs, nobodys] = [await ask(coordinate, args(id)), await ask(coordinate, args(NOBODY))];
  const text = (answer: GraphqlAnswer) =>
    JSON.stringify({ data: answer.data, errors: answer.errors.map((e) => e.message) });
  expect(text(theirs).replaceAll(id, NOBODY)).toBe(text(nobodys));
  expect(text(theirs)).not.toContain(MARK);
  return theirs;
}

async function unchanged(): Promise<void> {
  const { rows } = await api.superuser.query('select status, reason from millrace.jobs where id = $1', [
    other.jobId,
  ]);
  expect(rows[0]).toEqual({ status: 'failed', reason: MARK });
  const video = await api.superuser.query('select status from millrace.videos where id = $1', [
    other.videoId,
  ]);
  expect(video.rows[0].status).toBe('awaiting_upload');
}

/** Watches while both tenants' rows change; only ours may arrive. */
async function watch(document: string, expectOurs: boolean) {
  const socket = openSocket(api.server.graphqlUrl, { token });
  const watching = socket.subscribe(document);
  try {
    if (!expectOurs) {
      await expect.poll(() => watching.ended(), { timeout: 30_000 }).toBeTruthy();
      // The id is the asker's own word; nothing else may come back.
      expect(JSON.stringify(watching.received)).not.toContain(MARK);
      return watching;
    }
    await watching.next(() => true, 'a first event');
    await api.superuser.query(`update millrace.jobs set priority = priority + 1 where id = $1`, [
      other.jobId,
    ]);
    await api.superuser.query(`update millrace.videos set title = title || '!' where id = $1`, [
      other.videoId,
    ]);
    const before = watching.received.length;
    await api.superuser.query(`update millrace.jobs set priority = priority + 1 where id = $1`, [ours.jobId]);
    await api.superuser.query(`update millrace.videos set title = title || '!' where id = $1`, [
      ours.videoId,
    ]);
    await expect.poll(() => watching.received.length, { timeout: 30_000 }).toBeGreaterThan(before);
    expectNothingOf(watching.received);
    return watching;
  } finally {
    watching.stop();
    await socket.close();
  }
}

/** A change of the caller's own tenant reaches no other. */
async function ownTenant(coordinate: string, args: string): Promise<void> {
  const read = async () =>
    (await api.superuser.query('select * from millrace.tenants where id = $1', [other.tenantId])).rows[0];
  const before = await read();
  const answer = await ask(coordinate, args);
  expect(answer.data.found.TenantPayload_tenant.uuid).toBe(ours.tenantId);
  expectNothingOf(answer);
  expect(await read()).toEqual(before);
}

/** What belongs to the installation is not a tenant admin's to change. */
async function refusedHere(coordinate: string, args: string): Promise<void> {
  const answer = await ask(coordinate, args);
  expect(JSON.stringify(answer)).toContain('FORBIDDEN');
  expectNothingOf(answer);
}

type Case = (() => Promise<unknown>) | string;
const byId = (id: string) => `(id: "${id}")`;
const byInput = (id: string) => `(input: { id: "${id}" })`;

/** One for each coordinate. A text names the case whose answer goes through that field, and so covers it. */
const CASES: Record<string, Case> = {
  'Query.viewer': async () => expectNothingOf(await ask('Query.viewer')),
  'Query.node': async () => {
    await sameAsMissing('Query.node', (id) => `(id: "Job:${id}")`, other.jobId);
    await sameAsMissing('Query.node', (id) => `(id: "Video:${id}")`, other.videoId);
    await sameAsMissing('Query.node', (id) => `(id: "Tenant:${id}")`, other.tenantId);
  },
  'Query.nodes': () => sameAsMissing('Query.nodes', (id) => `(ids: ["Job:${id}"])`, other.jobId),
  'Query.job': async () => {
    await sameAsMissing('Query.job', byId, other.jobId);
    const own = await ask('Query.job', byId(ours.jobId));
    expect(own.data.found.uuid).toBe(ours.jobId);
  },
  'Query.jobs': async () => {
    const answer = await ask('Query.jobs', '(first: 2)');
    expect(answer.errors).toEqual([]);
    expect(answer.data.found.nodes.length).toBeGreaterThan(0);
    expectNothingOf(answer);
    const named = await ask('Query.jobs', `(first: 2, filter: { correlationId: "${MARK}" })`);
    expect(named.data.found.nodes).toEqual([]);
  },
  'Query.jobDefinitions': async () => expectNothingOf(await ask('Query.jobDefinitions')),
  'Query.usage': async () => {
    const today = new Date().toISOString();
    const answer = await ask('Query.usage', `(from: "${today}", to: "${today}")`);
    expect(answer.errors).toEqual([]);
    expect(answer.data.found).toMatchObject([{ runs: '1', wallMs: '7' }]);
    expectNothingOf(answer);
  },
  'UsageDay.runsByOutcome': 'Query.usage',
  'Query.video': async () => {
    await sameAsMissing('Query.video', byId, other.videoId);
    // Another tenant's job about our video stays out of its jobs and its progress.
    const own = await ask('Query.video', byId(ours.videoId));
    expect(own.data.found.uuid).toBe(ours.videoId);
    expectNothingOf(own);
  },
  'Query.videos': async () => {
    const answer = await ask('Query.videos', '(first: 2)');
    expect(answer.errors).toEqual([]);
    expect(answer.data.found.nodes.length).toBeGreaterThan(0);
    expectNothingOf(answer);
  },
  'Mutation.cancelJob': () => sameAsMissing('Mutation.cancelJob', byInput, other.jobId).then(unchanged),
  'Mutation.retryJob': () => sameAsMissing('Mutation.retryJob', byInput, other.jobId).then(unchanged),
  'Mutation.updateJob': () =>
    sameAsMissing('Mutation.updateJob', (id) => `(input: { id: "${id}", priority: 1 })`, other.jobId).then(
      unchanged,
    ),
  'Mutation.cancelJobs': async () => {
    const answer = await ask('Mutation.cancelJobs', `(input: { filter: { ids: ["${other.jobId}"] } })`);
    expect(answer.data.found.CancelJobsPayload_matchedCount).toBe(0);
    await unchanged();
  },
  'Mutation.retryJobs': async () => {
    const filters = [`ids: ["${other.jobId}"]`, `correlationId: "${MARK}"`];
    for (const filter of filters) {
      const answer = await ask('Mutation.retryJobs', `(input: { filter: { ${filter} } })`);
      expect(answer.data.found.RetryJobsPayload_matchedCount).toBe(0);
    }
    await unchanged();
  },
  // The tenant is the caller's own, without a way to name another; definitions belong to the installation.
  'Mutation.pauseTenant': () => ownTenant('Mutation.pauseTenant', ''),
  'Mutation.resumeTenant': () => ownTenant('Mutation.resumeTenant', ''),
  'Mutation.updateTenant': () => ownTenant('Mutation.updateTenant', '(input: { name: "ours" })'),
  'Mutation.setLaneLimit': () => refusedHere('Mutation.setLaneLimit', '(input: { definition: "echo" })'),
  'Mutation.removeLaneLimit': () => refusedHere('Mutation.removeLaneLimit', '(definition: "echo")'),
  'Mutation.pauseDefinition': () => refusedHere('Mutation.pauseDefinition', '(definition: "echo")'),
  'Mutation.resumeDefinition': () => refusedHere('Mutation.resumeDefinition', '(definition: "echo")'),
  'Mutation.updateJobDefinition': () =>
    refusedHere('Mutation.updateJobDefinition', '(input: { definition: "echo", isActive: false })'),
  'Query.tenant': async () => {
    const answer = await ask('Query.tenant');
    expect(answer.data.found.uuid).toBe(ours.tenantId);
    expect(answer.data.found.laneLimits.map((limit: { maxRunning: number }) => limit.maxRunning)).toEqual([
      2,
    ]);
    expectNothingOf(answer);
  },
  'Query.auditLog': async () => {
    const answer = await ask('Query.auditLog', '(first: 5)');
    expect(answer.data.found.nodes.map((node: { actor: string }) => node.actor)).toContain('ours');
    expectNothingOf(answer);
    const named = await ask('Query.auditLog', `(first: 5, filter: { targetId: "${MARK}" })`);
    expect(named.data.found.nodes).toEqual([]);
  },
  'Mutation.completeVideoUpload': () =>
    sameAsMissing('Mutation.completeVideoUpload', byInput, other.videoId).then(unchanged),
  'Mutation.createVideo': async () => {
    const answer = await ask('Mutation.createVideo', '(input: { title: "mine" })');
    expect(answer.errors).toEqual([]);
    expectNothingOf(answer);
  },
  'Mutation.enqueueJob': async () => {
    // A dedupe key that is taken elsewhere is free here.
    const answer = await ask(
      'Mutation.enqueueJob',
      `(input: { definition: "echo", payload: { message: "x" }, dedupeKey: "${MARK}" })`,
    );
    expect(answer.data.found.EnqueueJobPayload_created).toBe(true);
    const { rows } = await api.superuser.query('select tenant_id from millrace.jobs where id = $1', [
      answer.data.found.EnqueueJobPayload_job.uuid,
    ]);
    expect(rows[0].tenant_id).toBe(ours.tenantId);
  },
  'Mutation.enqueueJobs': async () => {
    const input = 'definition: "echo", payload: { message: "x" }';
    const answer = await ask(
      'Mutation.enqueueJobs',
      `(inputs: [{ ${input}, dedupeKey: "${MARK}-many" }, { ${input}, dependsOn: [{ jobId: "${other.jobId}" }] }])`,
    );
    const [created, refused] = answer.data.found.EnqueueJobsPayload_results;
    expect(created.EnqueueJobPayload_created).toBe(true);
    // Another tenant's job is none.
    expect(refused).toMatchObject({ __typename: 'InvalidArgumentError' });
  },
  'Subscription.jobChanged': async () => {
    const theirs = await watch(`subscription { jobChanged(id: "${other.jobId}") { id reason } }`, false);
    const nobodys = await watch(`subscription { jobChanged(id: "${NOBODY}") { id reason } }`, false);
    const say = ({ received }: typeof theirs) => JSON.stringify(received).replaceAll(other.jobId, NOBODY);
    expect(say(theirs)).toContain('NOT_FOUND');
    expect(say(theirs)).toBe(say(nobodys));
  },
  'Subscription.jobChanges': async () => {
    await watch(
      'subscription { jobChanges { ... on JobUpdated { job { id reason video { title } } } } }',
      true,
    );
    await watch(
      `subscription { jobChanges(filter: { ids: ["${other.jobId}", "${ours.jobId}"] }) { ... on JobUpdated { job { id reason } } } }`,
      true,
    );
  },
  'Subscription.videoChanged': async () => {
    await watch(`subscription { videoChanged(id: "${other.videoId}") { id title } }`, false);
    await watch(`subscription { videoChanged(id: "${ours.videoId}") { title jobs { reason } } }`, true);
  },
  // A job of ours that names another tenant's video shows none.
  'Job.video': async () => {
    const answer = await ask('Query.job', byId(ours.jobId));
    expect(answer.data.found.video).toBeNull();
  },
  'Video.jobs': 'Query.video',
  'Video.progress': 'Query.video',
  'Video.urls': 'Query.video',
  'Job.attempts': 'Query.jobs',
  'Job.definition': 'Query.jobs',
  'Job.dependsOn': 'Job.dependents',
  'Job.dependents': async () => {
    // Edges to another tenant's jobs, which only a foreign writer could make, show nothing.
    await api.superuser.query(
      `insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $2, $3), ($2, $1, $3)
       on conflict do nothing`,
      [ours.jobId, other.jobId, ours.tenantId],
    );
    const answer = await ask('Query.job', byId(ours.jobId));
    expect(answer.data.found).toMatchObject({ dependsOn: [], dependents: [] });
    expectNothingOf(answer);
  },
  'JobDependency.job': 'Job.dependents',
  'Job.error': 'Query.jobs',
  'Job.progress': 'Query.jobs',
  'Job.subject': 'Query.jobs',
  'Job.waitingFor': 'Query.jobs',
  'JobAttempt.error': 'Query.jobs',
  'JobConnection.edges': 'Query.jobs',
  'JobConnection.nodes': 'Query.jobs',
  'JobConnection.pageInfo': 'Query.jobs',
  'JobEdge.node': 'Query.jobs',
  'JobDefinitionConnection.edges': 'Query.jobDefinitions',
  'JobDefinitionConnection.nodes': 'Query.jobDefinitions',
  'JobDefinitionConnection.pageInfo': 'Query.jobDefinitions',
  'JobDefinitionEdge.node': 'Query.jobDefinitions',
  'VideoConnection.edges': 'Query.videos',
  'VideoConnection.nodes': 'Query.videos',
  'VideoConnection.pageInfo': 'Query.videos',
  'VideoEdge.node': 'Query.videos',
  'Viewer.tenant': 'Query.viewer',
  'Tenant.laneLimits': 'Query.tenant',
  'Tenant.rateLimit': 'Query.tenant',
  'LaneLimit.definition': 'Query.tenant',
  'LaneLimit.rateLimit': 'Query.tenant',
  'JobDefinition.rateLimit': 'Query.jobDefinitions',
  'JobDefinition.rateLimitPerTenant': 'Query.jobDefinitions',
  'AuditEntryConnection.edges': 'Query.auditLog',
  'AuditEntryConnection.nodes': 'Query.auditLog',
  'AuditEntryConnection.pageInfo': 'Query.auditLog',
  'AuditEntryEdge.node': 'Query.auditLog',
  'UpdateJobPayload.job': 'Mutation.updateJob',
  'CancelJobsPayload.skipped': 'Mutation.cancelJobs',
  'RetryJobsPayload.skipped': 'Mutation.retryJobs',
  'TenantPayload.tenant': 'Mutation.pauseTenant',
  'JobDefinitionPayload.definition': 'Mutation.pauseDefinition',
  'JobUpdated.job': 'Subscription.jobChanges',
  'EnqueueJobPayload.job': 'Mutation.enqueueJob',
  'EnqueueJobsPayload.results': 'Mutation.enqueueJobs',
  'InvalidPayloadError.problems': 'Mutation.enqueueJob',
  'CancelJobPayload.job': 'Mutation.cancelJob',
  'RetryJobPayload.job': 'Mutation.retryJob',
  'ActiveDuplicateError.activeJob': 'Mutation.retryJob',
  'CompleteVideoUploadPayload.job': 'Mutation.completeVideoUpload',
  'CompleteVideoUploadPayload.video': 'Mutation.completeVideoUpload',
  'CreateVideoPayload.upload': 'Mutation.createVideo',
  'CreateVideoPayload.video': 'Mutation.createVideo',
  'UploadTarget.headers': 'Mutation.createVideo',
};

describe('nothing crosses from one tenant to another', () => {
  it('through any field that has no case here', () => {
    const coordinates = [...rootFields(schema).map(([coordinate]) => coordinate), ...inwardFields(schema)];
    expect(Object.keys(CASES).sort()).toEqual(coordinates.sort());
    const named = Object.values(CASES).filter((value) => typeof value === 'string');
    expect(named.filter((name) => typeof CASES[name] !== 'function')).toEqual([]);
  });

  const run = Object.entries(CASES).filter(
    (entry): entry is [string, () => Promise<unknown>] => typeof entry[1] === 'function',
  );
  it.each(run)('through %s', async (_coordinate, check) => {
    await check();
  });

  it('through a header, unless a super admin sends it', async () => {
    const headers = { 'x-millrace-tenant': other.tenantId };
    const refused = await api.query(token, '{ viewer { name } }', {}, headers);
    expect(refused.status).toBe(403);
    expectNothingOf(refused.data);
    const root = await api.token(ours.tenantId, 'super_admin');
    const allowed = await api.query(
      root,
      '{ viewer { tenant { uuid } } jobs { nodes { uuid } } }',
      {},
      headers,
    );
    expect(allowed.data.viewer.tenant.uuid).toBe(other.tenantId);
    expect(allowed.data.jobs.nodes.map((node: { uuid: string }) => node.uuid)).toContain(other.jobId);
  });
});
