import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../src/core/scopes.ts';
import { enumName } from '../../src/graphql/enum-name.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openStream } from '../support/sse.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

let api: TestApi;
let rows: TenantRows;
beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_SCAN_TENANT: 'ours' } });
  rows = await makeTenantRows(api, 'ours');
  await api.superuser.query(`update millrace.tenants set slug = 'ours' where id = $1`, [rows.tenantId]);
});
afterAll(() => api.close());

async function keyWith(scopes: readonly string[]): Promise<{ readonly key: string; readonly id: string }> {
  const key = newApiKey();
  const made = await api.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, role, key_hash, scopes) values ($1, 'k', 'tenant_admin', $2, $3) returning id`,
    [rows.tenantId, hashApiKey(key), scopes],
  );
  return { key, id: made.rows[0].id };
}

const JOB_CHANGES = 'subscription { jobChanges { __typename } }';
const FAILURE = '... on DomainFailure { code allowed }';

const DOCUMENTS: Record<string, readonly [Scope, () => string]> = {
  jobs: ['jobs:read', () => '{ jobs { nodes { id } } }'],
  job: ['jobs:read', () => `{ job(id: "${rows.jobId}") { id } }`],
  'node of a job': ['jobs:read', () => `{ node(id: "Job:${rows.jobId}") { id } }`],
  tenant: ['jobs:read', () => '{ tenant { name } }'],
  jobChanges: ['jobs:read', () => JOB_CHANGES],
  jobChanged: ['jobs:read', () => `subscription { jobChanged(id: "${rows.jobId}") { id } }`],
  enqueueJob: [
    'jobs:write',
    () => `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ${FAILURE} } }`,
  ],
  enqueueJobs: [
    'jobs:write',
    () =>
      `mutation { enqueueJobs(input: { jobs: [{ definition: "echo", payload: { message: "x" } }] }) { ${FAILURE} } }`,
  ],
  cancelJob: ['jobs:write', () => `mutation { cancelJob(input: { id: "${rows.jobId}" }) { ${FAILURE} } }`],
  retryJobs: ['jobs:write', () => `mutation { retryJobs(input: { filter: { ids: [] } }) { ${FAILURE} } }`],
  videos: ['videos:read', () => '{ videos { nodes { id } } }'],
  searchVideos: ['videos:read', () => '{ searchVideos(query: "x") { edges { score } } }'],
  'node of a segment': ['videos:read', () => `{ node(id: "Segment:${rows.segmentId}") { id } }`],
  'nodes of a video': ['videos:read', () => `{ nodes(ids: ["Video:${rows.videoId}"]) { id } }`],
  videoChanged: ['videos:read', () => `subscription { videoChanged(id: "${rows.videoId}") { id } }`],
  videoChanges: ['videos:read', () => 'subscription { videoChanges { __typename } }'],
  callChanges: ['videos:read', () => 'subscription { callChanges { __typename } }'],
  clipChanges: ['videos:read', () => 'subscription { clipChanges { __typename } }'],
  createVideo: ['videos:write', () => `mutation { createVideo(input: { title: "x" }) { ${FAILURE} } }`],
  importVideo: [
    'videos:write',
    () => `mutation { importVideo(input: { url: "https://example.com/a.mp4" }) { ${FAILURE} } }`,
  ],
  registerVideo: [
    'videos:write',
    () =>
      `mutation { registerVideo(input: { key: "videos/original/${rows.videoId}/master.mp4" }) { ${FAILURE} } }`,
  ],
  requestClip: [
    'videos:write',
    () =>
      `mutation { requestClip(input: { videoId: "${rows.videoId}", startMs: 0, endMs: 1 }) { ${FAILURE} } }`,
  ],
  updateVideo: [
    'videos:write',
    () => `mutation { updateVideo(input: { id: "${rows.videoId}", title: "x" }) { ${FAILURE} } }`,
  ],
  // Of none, so that the others find what they look for.
  deleteVideo: [
    'videos:write',
    () => `mutation { deleteVideo(input: { id: "${rows.jobId}" }) { ${FAILURE} } }`,
  ],
  deleteClip: [
    'videos:write',
    () => `mutation { deleteClip(input: { id: "${rows.jobId}" }) { ${FAILURE} } }`,
  ],
  auditLog: ['admin', () => '{ auditLog { nodes { uuid } } }'],
  usage: [
    'admin',
    () => '{ usage(from: "2026-11-01T00:00:00Z", to: "2026-11-28T00:00:00Z") { days { date } } }',
  ],
  pauseTenant: ['admin', () => `mutation { pauseTenant(input: {}) { ${FAILURE} } }`],
  createApiKey: [
    'admin',
    () => `mutation { createApiKey(input: { name: "k", role: MEMBER, scopes: [ADMIN] }) { ${FAILURE} } }`,
  ],
  removeMember: ['admin', () => `mutation { removeMember(input: { subject: "x" }) { ${FAILURE} } }`],
};

async function firstAnswer(key: string, document: string): Promise<string> {
  if (!document.startsWith('subscription')) return JSON.stringify(await api.query(key, document));
  const stream = await openStream(api.server.graphqlUrl, key, document);
  const first = await stream.next(() => true, 'an answer');
  stream.stop();
  return JSON.stringify(first);
}

describe('an API key that is narrowed', () => {
  it.each(Object.keys(DOCUMENTS))('reaches %s with its scope, and not with all others', async (what) => {
    const [scope, document] = DOCUMENTS[what] as (typeof DOCUMENTS)[string];
    const [having, lacking] = [await keyWith([scope]), await keyWith(SCOPES.filter((one) => one !== scope))];
    expect(await firstAnswer(having.key, document())).not.toContain('FORBIDDEN');
    const refused = await firstAnswer(lacking.key, document());
    expect(refused).toContain('FORBIDDEN');
    expect(refused).toContain(enumName(scope));
  });

  it('sees no videos through jobs, and no jobs through videos', async () => {
    const jobs = await keyWith(['jobs:read']);
    const found = await api.query(jobs.key, `{ job(id: "${rows.jobId}") { id video { title } } }`);
    expect(found.data.job.video).toBeNull();
    expect(found.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const videos = await keyWith(['videos:read']);
    const video = await api.query(videos.key, `{ video(id: "${rows.videoId}") { title jobs { id } } }`);
    expect(JSON.stringify(video.data)).not.toContain(rows.jobId);
    expect(video.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const stage = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id)
       select $1, id, 'video', $2 from millrace.job_definitions where key = 'transcode' returning id`,
      [rows.tenantId, rows.videoId],
    );
    const stages = '{ pipeline { percent stages { stage jobs { id } } } }';
    const pipeline = await api.query(videos.key, `{ video(id: "${rows.videoId}") ${stages} }`);
    expect(JSON.stringify(pipeline.data)).not.toContain(stage.rows[0].id);
    expect(pipeline.errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  it('may do nothing by a word that is no scope, and says of itself what it may', async () => {
    const { key } = await keyWith(['jobs:everything']);
    expect((await api.query(key, '{ viewer { scopes } }')).data.viewer).toEqual({ scopes: [] });
    expect(await firstAnswer(key, '{ jobs { nodes { id } } }')).toContain('FORBIDDEN');
  });

  it('is refused before a stream begins, and loses one that is open with its next event', async () => {
    const { key, id } = await keyWith(['jobs:read', 'jobs:write']);
    const socket = openSocket(api.server.graphqlUrl, { token: key });
    const onSocket = socket.subscribe(JOB_CHANGES);
    const onSse = await openStream(api.server.graphqlUrl, key, JOB_CHANGES);
    for (const stream of [onSocket, onSse]) await stream.next(() => true, 'an event');
    await api.superuser.query(`update millrace.api_keys set scopes = '{jobs:write}' where id = $1`, [id]);
    const forbidden = (stream: typeof onSocket | typeof onSse) =>
      JSON.stringify(stream.received.at(-1)).includes('FORBIDDEN');
    await waitFor(
      async () => {
        await api.superuser.query('update millrace.jobs set priority = priority + 1 where id = $1', [
          rows.jobId,
        ]);
        return forbidden(onSocket) && forbidden(onSse);
      },
      { describe: 'both streams to be refused', pollMs: 100 },
    );
    await waitFor(() => onSocket.ended() !== null && onSse.isEnded(), { describe: 'both to end' });
    expect(await firstAnswer(key, JOB_CHANGES)).toContain('FORBIDDEN');
    // The key itself is good, so its socket stays.
    expect(socket.closeCode()).toBeNull();
    await socket.close();
  });
});
