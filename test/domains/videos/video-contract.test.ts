import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { ClaimedJob } from '../../../src/core/queue.ts';
import type { Database } from '../../../src/db/database.ts';
import { createNotifier, type Notifier } from '../../../src/db/notifier.ts';
import { definitionsOf } from '../../../src/domains/domain.ts';
import { registeredDomains } from '../../../src/domains/registered.ts';
import { setProcessingDefaults } from '../../../src/domains/videos/pipeline/processing.ts';
import { videoOnFinal } from '../../../src/domains/videos/pipeline/video.ts';
import { createOriginalsStore } from '../../../src/domains/videos/stores/originals-store.ts';
import { pipelinesOf } from '../../../src/queue/pipelines.ts';
import { createPostgresQueue } from '../../../src/queue/postgres-queue.ts';
import { PostgresProducerQueue } from '../../../src/queue/producer-verbs.ts';
import { syncDefinitions } from '../../../src/queue/sync-definitions.ts';
import { openStorage, type Storage } from '../../../src/storage/open-storage.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { jobError, measured, openDatabase, silentLog } from '../../support/queue.ts';

let api: TestApi;
let tenantId: string;
let admin: string;
let db: Database;
let notifier: Notifier;
let storage: Storage;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
  db = openDatabase(api.databaseUrl);
  notifier = createNotifier({ connectionString: api.databaseUrl, log: silentLog });
  storage = await openStorage(
    loadConfig({ MILLRACE_JWT_SECRET: 'x'.repeat(32), MILLRACE_STORAGE_DIR: api.storageDir }),
  );
});
afterAll(async () => {
  await notifier.close();
  await db.close();
  await api.close();
});

const FAILURE = '... on DomainFailure { code field allowed }';

async function createVideo(input: object) {
  const { data, errors } = await api.query(
    admin,
    `mutation ($input: CreateVideoInput!) { createVideo(input: $input) { ${FAILURE}
       ... on CreateVideoPayload { video { id uuid team processing { targetFps dedupeThreshold maxFramesPerMinute minConfidence } } } } }`,
    { input },
  );
  expect(errors).toEqual([]);
  return data.createVideo;
}

async function complete(id: string, uuid: string): Promise<string> {
  const { rows } = await api.superuser.query('select original_key from millrace.videos where id = $1', [
    uuid,
  ]);
  await storage.store.put(rows[0].original_key, { stream: Readable.from(['bytes']) });
  const { data } = await api.query(
    admin,
    `mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { ${FAILURE} ... on CompleteVideoUploadPayload { job { uuid source payload } } } }`,
    { id },
  );
  expect(data.completeVideoUpload.job, JSON.stringify(data)).toMatchObject({ source: 'MANUAL' });
  return data.completeVideoUpload.job.uuid;
}

describe('how a video is processed', () => {
  test('is said by the video, else by the installation, and goes from stage to stage', async () => {
    const { video } = await createVideo({ title: 'A', processing: { targetFps: 4, minConfidence: 0.8 } });
    expect(video.processing).toEqual({
      targetFps: 4,
      dedupeThreshold: 0.95,
      maxFramesPerMinute: 60,
      minConfidence: 0.8,
    });
    const jobId = await complete(video.id, video.uuid);
    const { rows } = await api.superuser.query('select payload from millrace.jobs where id = $1', [jobId]);
    expect(rows[0].payload).toMatchObject({ target_fps: 4, min_confidence: 0.8 });
    expect(rows[0].payload).not.toHaveProperty('dedupe_threshold');
    setProcessingDefaults({ targetFps: 2, dedupeThreshold: 0.5, maxFramesPerMinute: 7, minConfidence: 0.1 });
    try {
      const ended = (payload: unknown, key: string, result: unknown) =>
        videoOnFinal({ payload, subject: { type: 'video', id: video.uuid } }, key, {
          status: 'succeeded',
          skippedReason: null,
          result,
          artifacts: [],
        }).next;
      const [sample] = ended(rows[0].payload, 'transcode', {
        playlistKey: 'p',
        posterKey: 'q',
        durationMs: 1,
        widthPx: 1,
        heightPx: 1,
        fps: 1,
        segmentCount: 1,
      });
      expect(sample?.payload).toMatchObject({
        target_fps: 4,
        dedupe_threshold: 0.5,
        max_frames_per_minute: 7,
        min_confidence: 0.8,
      });
      const result = {
        manifestKey: 'frames/m',
        frameCount: 1,
        sampledCount: 1,
        timesMs: [0],
        droppedCount: 0,
        maxFramesPerMinute: 7,
      };
      expect(ended(sample?.payload, 'sample', result)[0]?.payload).toMatchObject({ min_confidence: 0.8 });
      expect(ended({ video_id: video.uuid }, 'sample', result)[0]?.payload).toMatchObject({
        min_confidence: 0.1,
      });
    } finally {
      setProcessingDefaults({
        targetFps: 10,
        dedupeThreshold: 0.95,
        maxFramesPerMinute: 60,
        minConfidence: 0.6,
      });
    }
  });

  test.each([
    [{ targetFps: 0 }, 'processing.targetFps'],
    [{ dedupeThreshold: 1.5 }, 'processing.dedupeThreshold'],
    [{ maxFramesPerMinute: 0 }, 'processing.maxFramesPerMinute'],
    [{ minConfidence: -0.1 }, 'processing.minConfidence'],
  ])('%j is refused at %s', async (processing, field) => {
    expect(await createVideo({ title: 'B', processing })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: `input.${field}`,
    });
  });

  test('is configured within bounds', () => {
    expect(loadConfig({ MILLRACE_TARGET_FPS: '2.5', MILLRACE_JWT_SECRET: 'x'.repeat(32) }).targetFps).toBe(
      2.5,
    );
    expect(() => loadConfig({ MILLRACE_MIN_CONFIDENCE: '2', MILLRACE_JWT_SECRET: 'x'.repeat(32) })).toThrow(
      /MILLRACE_MIN_CONFIDENCE/,
    );
  });
});

test('a video has a team, and lists can be filtered by it', async () => {
  const { video } = await createVideo({ title: 'Of red', team: 'red' });
  await createVideo({ title: 'Of blue', team: 'blue' });
  expect(video.team).toBe('red');
  expect(await createVideo({ title: 'x', team: '' })).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'input.team',
  });
  const { data, errors } = await api.query(
    admin,
    '{ videos(filter: { team: "red" }) { nodes { title team } } }',
  );
  expect(errors).toEqual([]);
  expect(data.videos.nodes).toEqual([{ title: 'Of red', team: 'red' }]);
});

test('what a scan has found is enqueued by the system, and not by hand', async () => {
  const { rows: slugs } = await api.superuser.query('select slug from millrace.tenants where id = $1', [
    tenantId,
  ]);
  const store = createOriginalsStore({
    database: db,
    queue: new PostgresProducerQueue(db, notifier, { pipelines: testPipelines }),
    tenantSlug: slugs[0].slug,
    maxUploadBytes: 1_000,
  });
  const videoId = '01900000-0000-7000-8000-00000000000a';
  const key = `videos/original/${videoId}/master.mp4`;
  const object = { key, sizeBytes: 5, contentType: 'video/mp4', modifiedAt: new Date() };
  expect(await store.register({ videoId, fileName: 'master.mp4', object })).toBe('registered');
  const { rows } = await api.superuser.query(
    'select source, created_by from millrace.jobs where subject_id = $1',
    [videoId],
  );
  expect(rows).toEqual([{ source: 'system', created_by: 'system' }]);
});

describe('one active job about a subject', () => {
  const sqlEnqueue = async (videoId: string, path: string) =>
    (
      await api.superuser.query(
        `select job_id, kind from millrace.enqueue('transcode', jsonb_build_object('video_id', $1::text, 's3_original_path', $2::text), tenant => $3,
           subject_type => 'video', subject_id => $1)`,
        [videoId, path, tenantId],
      )
    ).rows[0];

  test('is kept by the database for definitions that ask for it, on every way to enqueue', async () => {
    const { video } = await createVideo({ title: 'Once' });
    const first = await complete(video.id, video.uuid);
    expect(await sqlEnqueue(video.uuid, 'videos/original/other')).toEqual({
      job_id: first,
      kind: 'existing',
    });
    await expect(
      api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, dedupe_key)
         select $1, id, 'video', $2, 'my-own-key' from millrace.job_definitions where key = 'transcode'`,
        [tenantId, video.uuid],
      ),
    ).rejects.toThrow(/jobs_active_dedupe_idx/);
    const { rows } = await api.superuser.query(
      `select count(*)::int as n from millrace.jobs where subject_id = $1 and status in ('queued', 'running')`,
      [video.uuid],
    );
    expect(rows[0].n).toBe(1);
  });

  test('does not hold for definitions that do not, such as readers of parts', async () => {
    for (let count = 0; count < 2; count++)
      await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id)
         select $1, id, 'video', 'v-1' from millrace.job_definitions where key = 'ocr'`,
        [tenantId],
      );
  });

  test('that is bad does not fail a video that can be watched', async () => {
    const { rows: made } = await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, status, original_key) values ($1, 'Good', 'ready', 'videos/original/good') returning id`,
      [tenantId],
    );
    const { job_id: bad } = await sqlEnqueue(made[0].id, 'videos/original/nothing');
    const domains = registeredDomains({ echo: true });
    const definitions = await syncDefinitions(db, definitionsOf(domains));
    const queue = createPostgresQueue(db, notifier, definitions, { pipelines: pipelinesOf(domains) });
    const request = { workerId: 'w', definitionIds: [...definitions.keys()], limit: 50, after: null };
    const { jobs } = await queue.claim(request);
    const claimed = jobs.find(({ job }) => job.id === bad) as ClaimedJob;
    await queue.finish(
      claimed,
      { kind: 'final', settlement: { status: 'failed', error: jobError('S3ObjectNotFound') } },
      measured(),
    );
    const { rows } = await api.superuser.query('select status, error from millrace.videos where id = $1', [
      made[0].id,
    ]);
    expect(rows).toEqual([{ status: 'ready', error: null }]);
  });
});
