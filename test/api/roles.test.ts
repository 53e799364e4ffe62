import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/core/actor.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { rootFields } from '../support/selection.ts';
import { openStream } from '../support/sse.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

let api: TestApi;
let tenantId: string;
let jobId: string;
let videoId: string;
let linkId: string;
let canceled: { videoId: string; clipId: string };

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours' } });
  tenantId = await api.makeTenant();
  await api.superuser.query(`update millrace.tenants set slug = 'ours' where id = $1`, [tenantId]);
  const job = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, created_by) select $1, id, 'user:somebody' from millrace.job_definitions
     where key = 'echo' returning id`,
    [tenantId],
  );
  jobId = job.rows[0].id;
  // A log without a line would have nothing to say before its job has ended.
  await api.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, logged_at)
     values ($1, 1, 1, $2, 'info', 'a line', now())`,
    [jobId, tenantId],
  );
  const video = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key) values ($1, 'v', 'k') returning id`,
    [tenantId],
  );
  videoId = video.rows[0].id;
  const link = await api.superuser.query(
    `insert into millrace.links (tenant_id, url) values ($1, 'http://example.com/') returning id`,
    [tenantId],
  );
  linkId = link.rows[0].id;
  const { rows } = await api.superuser.query(
    `with clip as (
       insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms) values ($1, $2, 0, 1, 0) returning id)
     insert into millrace.videos (tenant_id, title, original_key) values ($1, 'v', 'k2')
     returning id as "videoId", (select id from clip) as "clipId"`,
    [tenantId, videoId],
  );
  canceled = rows[0];
});
afterAll(() => api.close());

const READERS: readonly Role[] = ['member', 'tenant_admin', 'super_admin'];
const ADMINS: readonly Role[] = ['tenant_admin', 'super_admin'];
const OPERATORS: readonly Role[] = ['super_admin'];
const WORKERS: readonly Role[] = ['worker'];
const LEASE = (): string => `lease: { jobUuid: "${jobId}", runNo: 1, token: "${jobId}" }`;

/** For each root field: who may, and a document. A new field fails the first test until it is here. */
const MATRIX: Record<string, { readonly roles: readonly Role[]; readonly document: () => string }> = {
  'Query.viewer': { roles: ROLES, document: () => '{ viewer { name } }' },
  'Query.node': { roles: READERS, document: () => `{ node(id: "Job:${jobId}") { id } }` },
  'Query.nodes': { roles: READERS, document: () => `{ nodes(ids: ["Job:${jobId}"]) { id } }` },
  'Query.job': { roles: READERS, document: () => `{ job(id: "${jobId}") { id } }` },
  'Query.jobs': { roles: READERS, document: () => '{ jobs { nodes { id } } }' },
  'Query.jobDefinitions': { roles: READERS, document: () => '{ jobDefinitions { nodes { id } } }' },
  'Query.jobDefinition': { roles: READERS, document: () => '{ jobDefinition(key: "echo") { id } }' },
  'Query.jobSummary': { roles: READERS, document: () => '{ jobSummary { counts { queued } } }' },
  'Query.usage': {
    roles: ADMINS,
    document: () => '{ usage(from: "2026-11-01T00:00:00Z", to: "2026-11-28T00:00:00Z") { date } }',
  },
  'Query.video': { roles: READERS, document: () => `{ video(id: "${videoId}") { id } }` },
  'Query.clip': { roles: READERS, document: () => `{ clip(id: "${videoId}") { id } }` },
  'Query.call': { roles: READERS, document: () => `{ call(id: "${videoId}") { id } }` },
  'Query.calls': { roles: READERS, document: () => '{ calls { nodes { id } } }' },
  'Query.searchCalls': { roles: READERS, document: () => '{ searchCalls(query: "x") { edges { cursor } } }' },
  'Mutation.submitCall': {
    roles: READERS,
    document: () =>
      'mutation { submitCall(input: { recording: { upload: { fileName: "x.wav" } } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.completeCallUpload': {
    roles: READERS,
    document: () =>
      `mutation { completeCallUpload(input: { callId: "${videoId}" }) { ... on DomainFailure { code } } }`,
  },
  // A member's own alone; what is not there answers everybody the same.
  'Mutation.deleteCall': {
    roles: READERS,
    document: () => `mutation { deleteCall(input: { id: "${videoId}" }) { ... on DomainFailure { code } } }`,
  },
  'Subscription.callChanged': {
    roles: READERS,
    document: () => `subscription { callChanged(id: "${videoId}") { id } }`,
  },
  'Query.searchVideos': {
    roles: READERS,
    document: () => '{ searchVideos(query: "x") { edges { score } } }',
  },
  'Query.videos': { roles: READERS, document: () => '{ videos { nodes { id } } }' },
  'Mutation.enqueueJob': {
    roles: READERS,
    document: () =>
      'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.enqueueJobs': {
    roles: READERS,
    document: () =>
      'mutation { enqueueJobs(input: { jobs: [{ definition: "echo", payload: { message: "x" } }] }) { ... on DomainFailure { code } } }',
  },
  'Mutation.cancelJob': {
    roles: ADMINS,
    document: () => `mutation { cancelJob(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.retryJob': {
    roles: ADMINS,
    document: () => `mutation { retryJob(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.replayJob': {
    roles: READERS,
    document: () => `mutation { replayJob(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Query.tenant': { roles: READERS, document: () => '{ tenant { slug laneLimits { maxRunning } } }' },
  'Query.auditLog': { roles: ADMINS, document: () => '{ auditLog { nodes { uuid } } }' },
  'Mutation.cancelJobs': {
    roles: ADMINS,
    document: () =>
      'mutation { cancelJobs(input: { filter: { ids: [] } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.retryJobs': {
    roles: ADMINS,
    document: () =>
      'mutation { retryJobs(input: { filter: { ids: [] } }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateJob': {
    roles: ADMINS,
    document: () =>
      `mutation { updateJob(input: { id: "${jobId}", priority: 7 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.redactJob': {
    roles: ADMINS,
    document: () => `mutation { redactJob(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.pauseJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { pauseJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.resumeJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { resumeJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { updateJobDefinition(input: { definition: "echo", maxRunning: null }) { ... on DomainFailure { code } } }',
  },
  'Query.trigger': { roles: READERS, document: () => `{ trigger(id: "${jobId}") { id } }` },
  'Query.link': { roles: READERS, document: () => `{ link(id: "${jobId}") { id } }` },
  'Query.links': { roles: READERS, document: () => '{ links { nodes { id } } }' },
  'Query.searchLinks': {
    roles: READERS,
    document: () => '{ searchLinks(query: "x", mode: WORDS) { model } }',
  },
  'Mutation.submitLink': {
    roles: READERS,
    document: () => 'mutation { submitLink(input: { url: "" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.deleteLink': {
    roles: READERS,
    document: () => `mutation { deleteLink(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Query.triggers': { roles: READERS, document: () => '{ triggers { nodes { id } } }' },
  'Query.event': { roles: READERS, document: () => `{ event(id: "${jobId}") { id } }` },
  'Query.events': { roles: READERS, document: () => '{ events { nodes { id } } }' },
  'Query.schedulePreview': {
    roles: READERS,
    document: () => '{ schedulePreview(input: { cron: "@daily" }) { timeZone } }',
  },
  'Query.testTrigger': {
    roles: ADMINS,
    document: () =>
      '{ testTrigger(input: { trigger: { label: "t", definition: "echo", eventName: "a" } }) { outcome } }',
  },
  'Mutation.claimJobs': {
    roles: WORKERS,
    document: () =>
      'mutation { claimJobs(input: { worker: "w", jobTypes: ["echo"], waitSeconds: 0 }) { ... on DomainFailure { code } } }',
  },
  'Mutation.heartbeatJobs': {
    roles: WORKERS,
    document: () =>
      `mutation { heartbeatJobs(input: { leases: [{ jobUuid: "${jobId}", runNo: 1, token: "${jobId}" }] }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.startJob': {
    roles: WORKERS,
    document: () => `mutation { startJob(input: { ${LEASE()}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.reportJobProgress': {
    roles: WORKERS,
    document: () =>
      `mutation { reportJobProgress(input: { ${LEASE()} percent: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.appendJobLog': {
    roles: WORKERS,
    document: () =>
      `mutation { appendJobLog(input: { ${LEASE()} lines: [{ message: "a" }] }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.completeJob': {
    roles: WORKERS,
    document: () => `mutation { completeJob(input: { ${LEASE()}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.failJob': {
    roles: WORKERS,
    document: () =>
      `mutation { failJob(input: { ${LEASE()} message: "a" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.snoozeJob': {
    roles: WORKERS,
    document: () =>
      `mutation { snoozeJob(input: { ${LEASE()} delaySeconds: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.releaseJob': {
    roles: WORKERS,
    document: () => `mutation { releaseJob(input: { ${LEASE()}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.signJobFiles': {
    roles: WORKERS,
    document: () => `mutation { signJobFiles(input: { ${LEASE()}  }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.createJobUpload': {
    roles: WORKERS,
    document: () =>
      `mutation { createJobUpload(input: { ${LEASE()} name: "a" }) { ... on DomainFailure { code } } }`,
  },
  'Query.webhookEndpoints': { roles: ADMINS, document: () => '{ webhookEndpoints { uuid } }' },
  'Query.webhookSources': { roles: ADMINS, document: () => '{ webhookSources { uuid } }' },
  'Mutation.createWebhookEndpoint': {
    roles: ADMINS,
    document: () =>
      'mutation { createWebhookEndpoint(input: { label: "x", url: "ftp://x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createWebhookSource': {
    roles: ADMINS,
    document: () =>
      'mutation { createWebhookSource(input: { label: "x", eventName: "no name", verification: TOKEN }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateWebhookEndpoint': {
    roles: ADMINS,
    document: () =>
      `mutation { updateWebhookEndpoint(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteWebhookEndpoint': {
    roles: ADMINS,
    document: () =>
      `mutation { deleteWebhookEndpoint(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.rotateWebhookEndpointSecret': {
    roles: ADMINS,
    document: () =>
      `mutation { rotateWebhookEndpointSecret(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.redeliverWebhook': {
    roles: ADMINS,
    document: () =>
      `mutation { redeliverWebhook(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.updateWebhookSource': {
    roles: ADMINS,
    document: () =>
      `mutation { updateWebhookSource(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteWebhookSource': {
    roles: ADMINS,
    document: () =>
      `mutation { deleteWebhookSource(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.rotateWebhookSourceSecret': {
    roles: ADMINS,
    document: () =>
      `mutation { rotateWebhookSourceSecret(input: { uuid: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.emitEvent': {
    roles: READERS,
    document: () => 'mutation { emitEvent(input: { name: "a.b" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createTrigger': {
    roles: ADMINS,
    document: () =>
      'mutation { createTrigger(input: { label: "t", definition: "echo", eventName: "no.such" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateTrigger': {
    roles: ADMINS,
    document: () => `mutation { updateTrigger(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteTrigger': {
    roles: ADMINS,
    document: () => `mutation { deleteTrigger(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.runScheduleNow': {
    roles: ADMINS,
    document: () =>
      `mutation { runScheduleNow(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Query.tenants': { roles: OPERATORS, document: () => '{ tenants { nodes { slug } } }' },
  'Mutation.createTenant': {
    roles: OPERATORS,
    document: () =>
      'mutation { createTenant(input: { slug: "made-here" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.deleteTenant': {
    roles: OPERATORS,
    document: () => `mutation { deleteTenant(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Query.workers': { roles: OPERATORS, document: () => '{ workers { name } }' },
  'Mutation.archiveJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { archiveJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.restoreJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { restoreJobDefinition(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createJobDefinition': {
    roles: OPERATORS,
    document: () =>
      'mutation { createJobDefinition(input: { key: "made-here" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.pauseTenant': {
    roles: ADMINS,
    document: () => 'mutation { pauseTenant(input: {}) { ... on DomainFailure { code } } }',
  },
  'Mutation.resumeTenant': {
    roles: ADMINS,
    document: () => 'mutation { resumeTenant(input: {}) { ... on DomainFailure { code } } }',
  },
  'Mutation.updateTenant': {
    roles: ADMINS,
    document: () => 'mutation { updateTenant(input: { name: "T" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.setLaneLimit': {
    roles: OPERATORS,
    document: () =>
      'mutation { setLaneLimit(input: { definition: "echo", maxRunning: 3 }) { ... on DomainFailure { code } } }',
  },
  'Mutation.removeLaneLimit': {
    roles: OPERATORS,
    document: () =>
      'mutation { removeLaneLimit(input: { definition: "echo" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createAccessToken': {
    roles: READERS,
    document: () =>
      'mutation { createAccessToken(input: { ownJobs: true }) { ... on DomainFailure { code } } }',
  },
  'Mutation.revokeAccessToken': {
    roles: READERS,
    document: () => 'mutation { revokeAccessToken(input: { jti: "x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createApiKey': {
    roles: ADMINS,
    document: () =>
      'mutation { createApiKey(input: { name: "k", role: WORKER }) { ... on DomainFailure { code } } }',
  },
  'Mutation.revokeApiKey': {
    roles: ADMINS,
    document: () => `mutation { revokeApiKey(input: { id: "${jobId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.revokeTokens': {
    roles: ADMINS,
    document: () =>
      'mutation { revokeTokens(input: { subject: "nobody" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.setMember': {
    roles: ADMINS,
    // Refused after the role was asked: the tenant's list stays empty.
    document: () =>
      'mutation { setMember(input: { subject: "x", role: WORKER }) { ... on DomainFailure { code } } }',
  },
  'Mutation.removeMember': {
    roles: ADMINS,
    document: () =>
      'mutation { removeMember(input: { subject: "nobody" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.createVideo': {
    roles: ADMINS,
    document: () => 'mutation { createVideo(input: { title: "x" }) { ... on DomainFailure { code } } }',
  },
  'Mutation.completeVideoUpload': {
    roles: ADMINS,
    document: () =>
      `mutation { completeVideoUpload(input: { videoId: "${videoId}" }) { ... on DomainFailure { code } } }`,
  },
  // The tenant's admin too, since the tenant is the one that takes what has no video.
  'Mutation.registerVideo': {
    roles: ADMINS,
    document: () =>
      `mutation { registerVideo(input: { key: "videos/original/${videoId}/master.mp4" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.requestClip': {
    roles: READERS,
    document: () =>
      `mutation { requestClip(input: { videoId: "${videoId}", startMs: 0, endMs: 1 }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.updateVideo': {
    roles: ADMINS,
    document: () =>
      `mutation { updateVideo(input: { id: "${videoId}", title: "w" }) { ... on DomainFailure { code } } }`,
  },
  // What is gone answers an admin as not there.
  'Mutation.deleteVideo': {
    roles: ADMINS,
    document: () =>
      `mutation { deleteVideo(input: { id: "${canceled.videoId}" }) { ... on DomainFailure { code } } }`,
  },
  'Mutation.deleteClip': {
    roles: ADMINS,
    document: () =>
      `mutation { deleteClip(input: { id: "${canceled.clipId}" }) { ... on DomainFailure { code } } }`,
  },
  'Subscription.clipChanged': {
    roles: READERS,
    document: () => `subscription { clipChanged(id: "${videoId}") { id } }`,
  },
  'Subscription.jobChanged': {
    roles: READERS,
    document: () => `subscription { jobChanged(id: "${jobId}") { id } }`,
  },
  'Subscription.clipChanges': {
    roles: READERS,
    document: () => 'subscription { clipChanges { __typename } }',
  },
  'Subscription.jobChanges': { roles: READERS, document: () => 'subscription { jobChanges { __typename } }' },
  'Subscription.videoChanges': {
    roles: READERS,
    document: () => 'subscription { videoChanges { __typename } }',
  },
  'Subscription.jobLog': {
    roles: READERS,
    document: () => `subscription { jobLog(jobId: "${jobId}") { cursor } }`,
  },
  'Subscription.jobSummary': {
    roles: READERS,
    document: () => 'subscription { jobSummary { counts { queued } } }',
  },
  'Subscription.workersChanged': {
    roles: OPERATORS,
    document: () => 'subscription { workersChanged { name } }',
  },
  'Subscription.linkChanged': {
    roles: READERS,
    document: () => `subscription { linkChanged(id: "${linkId}") { id } }`,
  },
  'Subscription.videoChanged': {
    roles: READERS,
    document: () => `subscription { videoChanged(id: "${videoId}") { id } }`,
  },
};

/** Whether the answer, or a stream's first event, says FORBIDDEN. */
async function isForbidden(role: Role, document: string): Promise<boolean> {
  const token = await api.token(tenantId, role);
  if (!document.startsWith('subscription'))
    return JSON.stringify(await api.query(token, document)).includes('FORBIDDEN');
  const stream = await openStream(api.server.graphqlUrl, token, document);
  const first = await stream.next(() => true, 'an event');
  stream.stop();
  return JSON.stringify(first).includes('FORBIDDEN');
}

describe('what each role may do', () => {
  it('is written down for every root field', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(
      rootFields(schema)
        .map(([coordinate]) => coordinate)
        .sort(),
    );
  });

  const cells = Object.keys(MATRIX).flatMap((field) => ROLES.map((role) => [role, field] as const));
  it.each(cells)('%s: %s', async (role, field) => {
    const { roles, document } = MATRIX[field] as (typeof MATRIX)[string];
    expect(await isForbidden(role, document())).toBe(!roles.includes(role));
  });
});
