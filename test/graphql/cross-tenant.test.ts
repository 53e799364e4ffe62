import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphqlAnswer, startTestApi, type TestApi } from '../support/api.ts';
import { inwardFields, rootFields, selectAll } from '../support/selection.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';
import { openSocket } from '../support/ws.ts';
import { accessCases } from './cross-tenant-access.ts';
import { bulkCases } from './cross-tenant-bulk.ts';
import { callCases } from './cross-tenant-calls.ts';
import { jobCases } from './cross-tenant-jobs.ts';
import { linkCases } from './cross-tenant-links.ts';
import { searchCases } from './cross-tenant-search.ts';
import { streamCases } from './cross-tenant-streams.ts';
import { triggerCases } from './cross-tenant-triggers.ts';
import { videoCases } from './cross-tenant-videos.ts';
import { webhookCases } from './cross-tenant-webhooks.ts';
import { workerCases } from './cross-tenant-workers.ts';
import { INWARD_FIELDS } from './inward-fields.ts';
import { pointAcross } from './point-across.ts';

// From the printed schema: a new root field, or a new field to another object, fails until it has a case.
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** In every text of the other tenant's rows. */
const MARK = 'SECRET-OF-THE-OTHER-TENANT';
const NOBODY = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
let other: TenantRows;
let ours: TenantRows;
let token: string;

beforeAll(async () => {
  // Documents here ask for all that there is, at once.
  const unrated = { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' };
  const limits = { MILLRACE_MAX_COMPLEXITY: '1000000', MILLRACE_MAX_FIELDS: '1000', ...unrated };
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours', ...limits } });
  [other, ours] = [await makeTenantRows(api, MARK), await makeTenantRows(api, 'ours')];
  await api.superuser.query(`update millrace.tenants set slug = 'ours' where id = $1`, [ours.tenantId]);
  await pointAcross(api, ours, other, MARK);
  // A list of theirs; ours is empty, and so decides over nobody.
  await api.superuser.query(
    `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, $2, 'member'), ($1, 'them', 'member')`,
    [other.tenantId, MARK],
  );
  token = await api.token(ours.tenantId, 'tenant_admin', { subject: 'us' });
});
afterAll(() => api.close());

/** Executes a root field with everything that it can show. */
async function ask(coordinate: string, args = ''): Promise<GraphqlAnswer> {
  const [root, name] = coordinate.split('.') as [string, string];
  const field = rootFields(schema).find(([found]) => found === coordinate)?.[1];
  if (field === undefined) throw new Error(`no field ${coordinate}`);
  const levels = root === 'Query' && /s$/.test(name) && name !== 'nodes' ? 4 : 3;
  const answer = await api.query(
    token,
    `${root.toLowerCase()} { found: ${name}${args} ${selectAll(schema, getNamedType(field.type).name, levels)} }`,
  );
  // A document that is not valid shows nothing of anybody, and would pass every case.
  expect(answer.errors.map(({ extensions }) => extensions?.['code'])).not.toContain(
    'GRAPHQL_VALIDATION_FAILED',
  );
  return answer;
}

function expectNothingOf(answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(text).not.toContain(MARK);
  for (const id of [other.tenantId, other.jobId]) expect(text).not.toContain(id);
}

/** Another tenant's object and one that does not exist get the same answer, but for the id. */
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
      await expect.poll(() => watching.ended()).toBeTruthy();
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
    await api.superuser.query(`update millrace.calls set title = title || '!' where id = $1`, [other.callId]);
    const before = watching.received.length;
    await api.superuser.query(`update millrace.jobs set priority = priority + 1 where id = $1`, [ours.jobId]);
    await api.superuser.query(`update millrace.videos set title = title || '!' where id = $1`, [
      ours.videoId,
    ]);
    await api.superuser.query(`update millrace.calls set title = title || '!' where id = $1`, [ours.callId]);
    await expect.poll(() => watching.received.length).toBeGreaterThan(before);
    expectNothingOf(watching.received);
    return watching;
  } finally {
    watching.stop();
    await socket.close();
  }
}

const tools = () => ({ api, token, ours, other, mark: MARK, ask, sameAsMissing, expectNothingOf, unchanged });

/** A change of the caller's own tenant reaches no other. */
async function ownTenant(coordinate: string, args: string): Promise<void> {
  const read = async () =>
    (await api.superuser.query('select * from millrace.tenants where id = $1', [other.tenantId])).rows[0];
  const before = await read();
  const answer = await ask(coordinate, args);
  expect(
    answer.data.found[`${coordinate.charAt(9).toUpperCase()}${coordinate.slice(10)}Payload_tenant`].uuid,
  ).toBe(ours.tenantId);
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
    await sameAsMissing('Query.node', (id) => `(id: "Clip:${id}")`, other.clipId);
    await sameAsMissing('Query.node', (id) => `(id: "Segment:${id}")`, other.segmentId);
    await sameAsMissing('Query.node', (id) => `(id: "Link:${id}")`, other.linkId);
    await sameAsMissing('Query.node', (id) => `(id: "BulkAction:${id}")`, other.bulkActionId);
    await sameAsMissing('Query.node', (id) => `(id: "Call:${id}")`, other.callId);
    await sameAsMissing('Query.node', (id) => `(id: "Tenant:${id}")`, other.tenantId);
    await sameAsMissing('Query.node', (id) => `(id: "ApiKey:${id}")`, other.apiKeyId);
    await sameAsMissing('Query.node', (id) => `(id: "JobLogLine:${id}:1:1")`, other.jobId);
    for (const [type, table] of [
      ['AuditEntry', 'audit_log'],
      ['Member', 'tenant_members'],
      ['JobArtifact', 'artifacts'],
    ]) {
      const { rows } = await api.superuser.query(`select id from millrace.${table} where tenant_id = $1`, [
        other.tenantId,
      ]);
      for (const row of rows) await sameAsMissing('Query.node', (id) => `(id: "${type}:${id}")`, row.id);
    }
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
  'Query.jobDefinition': async () => expectNothingOf(await ask('Query.jobDefinition', '(key: "echo")')),
  'Query.jobSummary': async () => {
    const { rows } = await api.superuser.query(
      'select count(*)::integer as queued from millrace.jobs where tenant_id = $1 and status = $2',
      [ours.tenantId, 'queued'],
    );
    const answer = await ask('Query.jobSummary');
    // The other tenant has one that failed lately, too.
    expect(answer.data.found.counts).toMatchObject({ queued: rows[0].queued, failed: 1 });
    expectNothingOf(answer);
  },
  'Query.jobStatistics': async () => {
    const ended = `select from millrace.jobs where tenant_id = $1 and finished_at > now() - interval '1 hour'`;
    const { rowCount } = await api.superuser.query(ended, [ours.tenantId]);
    const answer = await ask('Query.jobStatistics');
    expect(answer.data.found.jobCount).toBe(rowCount);
    expectNothingOf(answer);
  },
  'Query.video': async () => {
    await sameAsMissing('Query.video', byId, other.videoId);
    // Another tenant's job about our video stays out of its jobs and its progress.
    const own = await ask('Query.video', byId(ours.videoId));
    expect(own.data.found.uuid).toBe(ours.videoId);
    expectNothingOf(own);
  },
  'Video.pipeline': async () => {
    // A stage of theirs, which only a foreign writer could make one of our video's, is none of it.
    const made = [];
    for (const { tenantId } of [other, ours]) {
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id)
         select $1, id, 'video', $2 from millrace.job_definitions where key = 'transcode' returning id`,
        [tenantId, ours.videoId],
      );
      made.push(rows[0].id);
    }
    const [theirs, own] = made;
    const answer = await api.query(
      token,
      `{ video(id: "${ours.videoId}") { pipeline { stage stages { stage status jobs { uuid } } } } }`,
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data.video.pipeline.stages[0]).toMatchObject({ stage: 'TRANSCODE', jobs: [{ uuid: own }] });
    expect(JSON.stringify(answer)).not.toContain(theirs);
    expectNothingOf(answer);
  },
  'Query.clip': async () => {
    await sameAsMissing('Query.clip', byId, other.clipId);
    const own = await ask('Query.clip', byId(ours.clipId));
    // A job of theirs, which only a foreign writer could give it, is none.
    expect(own.data.found).toMatchObject({ uuid: ours.clipId, job: null });
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
  'Mutation.replayJob': () => sameAsMissing('Mutation.replayJob', byInput, other.jobId).then(unchanged),
  'Mutation.redactJob': () =>
    sameAsMissing('Mutation.redactJob', (id) => `(input: { id: "${id}" })`, other.jobId).then(unchanged),
  'Mutation.updateJob': () =>
    sameAsMissing('Mutation.updateJob', (id) => `(input: { id: "${id}", priority: 1 })`, other.jobId).then(
      unchanged,
    ),
  'Mutation.deleteClip': async () => {
    await sameAsMissing('Mutation.deleteClip', byInput, other.clipId);
    const { rowCount } = await api.superuser.query('select from millrace.clips where id = $1', [
      other.clipId,
    ]);
    expect(rowCount).toBe(1);
  },
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
  'Mutation.pauseTenant': () => ownTenant('Mutation.pauseTenant', '(input: {})'),
  'Mutation.resumeTenant': () => ownTenant('Mutation.resumeTenant', '(input: {})'),
  'Mutation.updateTenant': () => ownTenant('Mutation.updateTenant', '(input: { name: "ours" })'),
  'Mutation.setLaneLimit': () => refusedHere('Mutation.setLaneLimit', '(input: { definition: "echo" })'),
  'Mutation.removeLaneLimit': () =>
    refusedHere('Mutation.removeLaneLimit', '(input: { definition: "echo" })'),
  'Mutation.pauseJobDefinition': () =>
    refusedHere('Mutation.pauseJobDefinition', '(input: { definition: "echo" })'),
  'Mutation.resumeJobDefinition': () =>
    refusedHere('Mutation.resumeJobDefinition', '(input: { definition: "echo" })'),
  'Mutation.archiveJobDefinition': () =>
    refusedHere('Mutation.archiveJobDefinition', '(input: { definition: "echo" })'),
  'Mutation.restoreJobDefinition': () =>
    refusedHere('Mutation.restoreJobDefinition', '(input: { definition: "echo" })'),
  'Mutation.createJobDefinition': () =>
    refusedHere('Mutation.createJobDefinition', '(input: { key: "not-ours" })'),
  ...triggerCases(tools),
  ...linkCases(tools),
  'Mutation.updateJobDefinition': () =>
    refusedHere('Mutation.updateJobDefinition', '(input: { definition: "echo", isActive: false })'),
  ...accessCases(tools),
  'Mutation.requestClip': () =>
    sameAsMissing(
      'Mutation.requestClip',
      (id) => `(input: { videoId: "${id}", startMs: 0, endMs: 1000, paddingMs: 0 })`,
      other.videoId,
    ).then(unchanged),
  'Mutation.enqueueJob': async () => {
    // A dedupe key that is taken elsewhere is free here.
    const answer = await ask(
      'Mutation.enqueueJob',
      `(input: { definition: "echo", payload: { message: "x" }, dedupeKey: "${MARK}" })`,
    );
    expect(answer.data.found.EnqueueJobPayload_isNew).toBe(true);
    const { rows } = await api.superuser.query('select tenant_id from millrace.jobs where id = $1', [
      answer.data.found.EnqueueJobPayload_job.uuid,
    ]);
    expect(rows[0].tenant_id).toBe(ours.tenantId);
  },
  'Mutation.enqueueJobs': async () => {
    const input = 'definition: "echo", payload: { message: "x" }';
    const answer = await ask(
      'Mutation.enqueueJobs',
      `(input: { jobs: [{ ${input}, dedupeKey: "${MARK}-many" }, { ${input}, dependsOn: [{ jobId: "${other.jobId}" }] }] })`,
    );
    const [created, refused] = answer.data.found.EnqueueJobsPayload_results;
    expect(created.EnqueueJobPayload_isNew).toBe(true);
    // Another tenant's job is none.
    expect(refused).toMatchObject({ __typename: 'InvalidArgumentError' });
  },
  ...streamCases(() => ({ ...tools(), watch })),
  ...jobCases(tools),
  ...callCases(tools),
  ...searchCases(tools),
  ...videoCases(tools),
  ...workerCases(tools),
  ...webhookCases(tools),
  ...bulkCases(tools),
  ...INWARD_FIELDS,
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
