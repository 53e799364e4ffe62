import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { Database } from '../../../src/db/database.ts';
import { deletedMediaDuty } from '../../../src/domains/videos/duties/deleted-media.ts';
import {
  findVideosOfOriginals,
  type VideoOfOriginalRow,
} from '../../../src/domains/videos/sql/find-videos-of-originals.ts';
import { openStorage, type Storage } from '../../../src/storage/open-storage.ts';
import { clipKey, prefixesOfVideo } from '../../../src/storage/video-keys.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { silentLog } from '../../support/queue.ts';
import { makeTenantRows, type TenantRows } from '../../support/tenant-rows.ts';
import { waitFor } from '../../support/wait.ts';
import { turn } from '../../workers/runtime/support/turn.ts';

const FAILURE = '__typename ... on DomainFailure { code field allowed }';
const DELETE_VIDEO = `mutation ($id: ID!) { deleteVideo(input: { id: $id }) { ${FAILURE} ... on DeleteVideoPayload { deletedVideoId } } }`;
const DELETE_CLIP = `mutation ($id: ID!) { deleteClip(input: { id: $id }) { ${FAILURE} ... on DeleteClipPayload { deletedClipId } } }`;

let api: TestApi;
let storage: Storage;
let database: Database;
let rows: TenantRows;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  storage = await openStorage(
    loadConfig({ MILLRACE_JWT_SECRET: 'x'.repeat(32), MILLRACE_STORAGE_DIR: api.storageDir }),
  );
  database = new Database({
    connectionString: api.databaseUrl,
    rolePrefix: 'millrace',
    maxConnections: 2,
    applicationName: 'test',
    preparedStatements: true,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
});
beforeEach(async () => {
  rows = await makeTenantRows(api, 'ours');
  admin = await api.token(rows.tenantId, 'tenant_admin');
});

const sweep = (goOn = true, keptSeconds = 3_600) =>
  deletedMediaDuty({ database, ...storage, storage: storage.store, log: silentLog, keptSeconds }).run({
    ...turn(),
    goOn: () => goOn,
  });

async function put(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.store.put(key, { stream: Readable.from(['bytes']) });
}

async function filesOf(videoId: string): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of prefixesOfVideo(videoId))
    for await (const { key } of storage.store.list(prefix)) keys.push(key);
  return keys;
}

async function addJob(status: 'queued' | 'running', type: 'video' | 'clip', id: string): Promise<string> {
  const { rows: made } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, subject_type, subject_id, run_no, claimed_by_worker, lease_token,
       lease_expires_at, claimed_at, payload)
     select $1, d.id, $2, $3, $4, case $2 when 'running' then 1 else 0 end, case $2 when 'running' then 'w' end,
       case $2 when 'running' then gen_random_uuid() end, case $2 when 'running' then now() + interval '1 hour' end,
       case $2 when 'running' then now() end, '{}'
     from millrace.job_definitions d where d.key = 'echo' returning id`,
    [rows.tenantId, status, type, id],
  );
  return made[0].id;
}

async function jobState(id: string) {
  const found = await api.superuser.query(
    'select status, cancel_requested_at is not null as asked, reason from millrace.jobs where id = $1',
    [id],
  );
  return found.rows[0];
}

async function countIn(table: string, column: string, value: string): Promise<number> {
  const found = await api.superuser.query(
    `select count(*)::int as n from millrace.${table} where ${column} = $1`,
    [value],
  );
  return found.rows[0].n;
}

it('a deleted video is gone for all readers at once, and its files by a leader that may be killed half-way', async () => {
  const { videoId, clipId, callId, tenantId } = rows;
  await api.superuser.query(`update millrace.videos set status = 'ready', size_bytes = 1000 where id = $1`, [
    videoId,
  ]);
  const own = [...prefixesOfVideo(videoId).map((prefix) => `${prefix}a`), clipKey(videoId, clipId)];
  const others = await makeTenantRows(api, 'others');
  const kept = prefixesOfVideo(others.videoId).map((prefix) => `${prefix}a`);
  await put(...own, ...kept);
  for (const [type, id] of [
    ['video', videoId],
    ['clip', clipId],
  ])
    await api.superuser.query(
      `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
       values ($1, $2, $3, 'x', $3, 5, repeat('0', 64), 'video/mp4')`,
      [tenantId, type, id],
    );
  const queued = [await addJob('queued', 'video', videoId), await addJob('queued', 'clip', clipId)];
  const running = await addJob('running', 'video', videoId);
  const used = async () =>
    Number((await api.query(admin, '{ tenant { storage { usedBytes } } }')).data.tenant.storage.usedBytes);
  // The video, its clip, a call and its clip.
  expect(await used()).toBe(1003);

  const answer = await api.query(admin, DELETE_VIDEO, { id: videoId });
  expect(answer.data.deleteVideo).toMatchObject({ deletedVideoId: `Video:${videoId}` });

  const read = await api.query(
    admin,
    `{ video(id: "${videoId}") { id } clip(id: "${clipId}") { id } videos { nodes { id } } searchVideos(query: "ours") { edges { score } } }`,
  );
  expect(read).toMatchObject({
    data: { video: null, clip: null, videos: { nodes: [] }, searchVideos: { edges: [] } },
    errors: [],
  });
  expect(await used()).toBe(2);
  for (const table of ['segments', 'entities', 'clips', 'search_materialized', 'search_videos', 'ocr_frames'])
    expect(await countIn(table, 'video_id', videoId), table).toBe(0);
  for (const id of [videoId, clipId]) expect(await countIn('artifacts', 'subject_id', id)).toBe(0);
  expect(await countIn('artifacts', 'subject_id', callId)).toBe(1);
  for (const id of queued)
    expect(await jobState(id)).toMatchObject({
      status: 'canceled',
      reason: expect.stringContaining('deleted'),
    });
  expect(await jobState(running)).toMatchObject({ status: 'running', asked: true });
  const audit = await api.query(
    admin,
    '{ auditLog(filter: { action: VIDEO_DELETE }) { nodes { targetType targetKey details } } }',
  );
  expect(audit.data.auditLog.nodes).toEqual([
    { targetType: 'VIDEO', targetKey: videoId, details: { title: 'ours' } },
  ]);

  // A file in the store must not be taken for the original of a new video.
  const known = await database.asWorker<VideoOfOriginalRow>(findVideosOfOriginals, [[videoId]]);
  expect(known.rows).toMatchObject([{ id: videoId, status: 'deleted' }]);
  // A leader that is stopped at once removes nothing and forgets nothing.
  await sweep(false);
  expect(await filesOf(videoId)).not.toEqual([]);
  await sweep();
  expect(await filesOf(videoId)).toEqual([]);
  expect(await filesOf(others.videoId)).toEqual(kept);
  // What the run that was asked to stop wrote after that is found, too.
  await put(`videos/proxy/${videoId}/segment_r1_0.ts`);
  await api.superuser.query('update millrace.deleted_media set next_sweep_at = now() where id = $1', [
    videoId,
  ]);
  await sweep();
  expect(await filesOf(videoId)).toEqual([]);
  await api.superuser.query(
    `update millrace.jobs set status = 'canceled', finished_at = now(), lease_token = null,
    lease_expires_at = null where id = $1`,
    [running],
  );
  await api.superuser.query('update millrace.deleted_media set next_sweep_at = now()');
  await sweep(true, 0);
  expect(await countIn('deleted_media', 'video_id', videoId)).toBe(0);
  expect((await api.query(admin, DELETE_VIDEO, { id: videoId })).data.deleteVideo.code).toBe('NOT_FOUND');
});

it('a video whose upload is under way loses what has come of it', async () => {
  const { videoId, tenantId } = rows;
  const plan = { key: `videos/original/${videoId}/master.mp4`, sizeBytes: 10, contentType: 'video/mp4' };
  const state = await storage.partials.begin(plan);
  await api.superuser.query('update millrace.videos set original_key = $2 where id = $1', [
    videoId,
    plan.key,
  ]);
  await api.superuser.query(
    `insert into millrace.uploads (tenant_id, video_id, size_bytes, store_state, expires_at) values ($1, $2, 10, $3, now() + interval '1 h')`,
    [tenantId, videoId, state],
  );
  expect(await storage.partials.sizeOf(state)).toBe(0);
  await api.query(admin, DELETE_VIDEO, { id: videoId });
  await sweep();
  expect(await storage.partials.sizeOf(state)).toBeNull();
});

it('a deleted clip is gone at once, with its job and its file, and its video stays', async () => {
  const { videoId, clipId } = rows;
  await put(clipKey(videoId, clipId), `videos/original/${videoId}/master.mp4`);
  const job = await addJob('queued', 'clip', clipId);
  const answer = await api.query(admin, DELETE_CLIP, { id: `Clip:${clipId}` });
  expect(answer.data.deleteClip).toMatchObject({ deletedClipId: `Clip:${clipId}` });
  const read = await api.query(admin, `{ clip(id: "${clipId}") { id } video(id: "${videoId}") { uuid } }`);
  expect(read.data).toEqual({ clip: null, video: { uuid: videoId } });
  expect(await jobState(job)).toMatchObject({ status: 'canceled' });
  await sweep();
  expect(await filesOf(videoId)).toEqual([`videos/original/${videoId}/master.mp4`]);
  const audit = await api.query(
    admin,
    '{ auditLog(filter: { action: CLIP_DELETE }) { nodes { targetKey details } } }',
  );
  expect(audit.data.auditLog.nodes).toEqual([
    { targetKey: clipId, details: { videoId, startMs: 0, endMs: 1000 } },
  ]);
});

it('rows that somebody holds are waited for, and a store that fails is tried again', async () => {
  const { videoId } = rows;
  await put(`videos/original/${videoId}/master.mp4`);
  await api.superuser.query('begin');
  await api.superuser.query('select from millrace.videos where id = $1 for key share', [videoId]);
  const deleting = api.query(admin, DELETE_VIDEO, { id: videoId });
  await waitFor(
    async () => (await api.superuser.query(`select from pg_locks where not granted`)).rowCount !== 0,
    { describe: 'the deletion to wait' },
  );
  await api.superuser.query('commit');
  expect((await deleting).data.deleteVideo.deletedVideoId).toBe(`Video:${videoId}`);
  const failing = {
    ...storage.store,
    list: storage.store.list.bind(storage.store),
    delete: () => Promise.reject(new Error('away')),
  };
  const deps = { database, partials: storage.partials, log: silentLog };
  await deletedMediaDuty({ ...deps, storage: failing }).run(turn());
  expect(await filesOf(videoId)).not.toEqual([]);
  await api.superuser.query('update millrace.deleted_media set next_sweep_at = now()');
  await sweep();
  expect(await filesOf(videoId)).toEqual([]);
});

it('members change and delete what they made, and nothing else', async () => {
  const { videoId, clipId, tenantId } = rows;
  const [alice, bob] = [
    await api.token(tenantId, 'member', { subject: 'alice' }),
    await api.token(tenantId, 'member', { subject: 'bob' }),
  ];
  await api.superuser.query(`update millrace.clips set created_by = 'user:alice' where id = $1`, [clipId]);
  await api.superuser.query(`update millrace.videos set owner_id = 'user:alice' where id = $1`, [videoId]);
  for (const [document, id, field] of [
    [DELETE_CLIP, clipId, 'deleteClip'],
    [DELETE_VIDEO, videoId, 'deleteVideo'],
  ] as const) {
    expect((await api.query(bob, document, { id })).data[field].code).toBe('FORBIDDEN');
    expect((await api.query(alice, document, { id })).data[field].__typename).toContain('Payload');
  }
});
