import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob } from '../../src/core/queue.ts';
import { definitionsOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import type { SampleResult } from '../../src/domains/videos/pipeline/stage-results.ts';
import { finishPendingCancels } from '../../src/queue/pending-cancel-finisher.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue(definitionsOf(registeredDomains({ echo: false })));
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const POSTER = {
  kind: 'poster',
  key: 'thumbs/x/poster.jpg',
  sizeBytes: 10,
  sha256: 'a'.repeat(64),
  contentType: 'image/jpeg',
};
const TRANSCODED = {
  playlistKey: 'p.m3u8',
  posterKey: POSTER.key,
  durationMs: 1234.5,
  widthPx: 640,
  heightPx: 360,
  fps: 25,
  segmentCount: 1,
};

interface Video {
  readonly id: string;
  readonly tenantId: string;
}

async function makeVideo(): Promise<Video> {
  const tenantId = await q.makeTenant();
  const { rows } = await q.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status) values ($1, 'v', 'videos/original/x/master.mp4', 'uploaded') returning id`,
    [tenantId],
  );
  const id = rows[0].id as string;
  await q.queue.enqueue(tenantId, [
    {
      definitionKey: 'transcode',
      payload: { video_id: id, s3_original_path: 'videos/original/x/master.mp4', languages: ['deu'] },
      subject: { type: 'video', id },
      createdBy: 'user:ann',
      correlationId: 'upload-7',
      priority: 7,
    },
  ]);
  return { id, tenantId };
}

/** The next job of a stage, claimed. */
async function claimed(stage: string): Promise<ClaimedJob> {
  const [job, ...more] = await q.claim(1);
  expect(more).toHaveLength(0);
  expect(job?.definitionKey).toBe(stage);
  return job as ClaimedJob;
}

async function finish(job: ClaimedJob, result: unknown): Promise<void> {
  expect(await q.queue.finish(job, succeeded(result), measured())).toBe('settled');
}

async function stateOf({ id }: Video): Promise<{ status: string; error: string | null }> {
  const { rows } = await q.superuser.query(
    `select status, error->>'message' as error from millrace.videos where id = $1`,
    [id],
  );
  return rows[0];
}

async function jobsOf({ id }: Video): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await q.superuser.query(
    `select d.key, j.status, j.payload, j.reason, j.priority, j.correlation_id, j.created_by, j.pending_dependencies
     from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where subject_id = $1 order by j.id`,
    [id],
  );
  return rows;
}

function sampled(frameCount: number): SampleResult {
  return {
    manifestKey: 'frames/x/manifest.json',
    frameCount,
    sampledCount: frameCount * 10,
    timesMs: frameCount > 500 ? null : Array.from({ length: frameCount }, (_, index) => index * 100),
    droppedCount: 0,
    maxFramesPerMinute: 60,
  };
}

/** Up to the readers of N frames. */
async function readersOf(frameCount: number): Promise<Video> {
  const video = await makeVideo();
  await finish(await claimed('transcode'), TRANSCODED);
  await finish(await claimed('sample'), sampled(frameCount));
  return video;
}

describe('the video pipeline', () => {
  test('writes domain rows and artifacts with the settlement, or none of them for a lost lease', async () => {
    const video = await makeVideo();
    const job = await claimed('transcode');
    const settlement = {
      status: 'succeeded',
      skippedReason: null,
      result: TRANSCODED,
      artifacts: [POSTER],
    } as const;
    const stranger = { ...job, lease: { ...job.lease, token: '00000000-0000-4000-8000-000000000000' } };
    expect(await q.queue.finish(stranger, { kind: 'final', settlement }, measured())).toBe('notOwner');
    const count = async () =>
      (
        await q.superuser.query('select count(*)::int as n from millrace.artifacts where subject_id = $1', [
          video.id,
        ])
      ).rows[0].n;
    expect(await count()).toBe(0);
    expect(await jobsOf(video)).toHaveLength(1);
    expect(await q.queue.finish(job, { kind: 'final', settlement }, measured())).toBe('settled');
    expect(await count()).toBe(1);
    const { rows } = await q.superuser.query('select * from millrace.videos where id = $1', [video.id]);
    expect(rows[0]).toMatchObject({
      status: 'transcoded',
      proxy_key: 'p.m3u8',
      duration_ms: '1235',
      // What a stage has made counts in the tenant's storage.
      made_bytes: String(POSTER.sizeBytes),
      version: '2',
    });
  });

  test('goes from stage to stage, with the payloads of the contract of the video system, until the video is ready', async () => {
    const video = await readersOf(2);
    const common = { priority: 7, correlation_id: 'upload-7', created_by: 'user:ann' };
    expect((await jobsOf(video)).slice(1)).toMatchObject([
      {
        key: 'sample',
        payload: {
          video_id: video.id,
          s3_original_path: 'videos/original/x/master.mp4',
          target_fps: 10,
          dedupe_threshold: 0.95,
          languages: ['deu'],
        },
        ...common,
      },
      {
        key: 'ocr',
        payload: {
          video_id: video.id,
          frame_paths: [`frames/${video.id}/0.jpg`, `frames/${video.id}/100.jpg`],
          languages: ['deu'],
          min_confidence: 0.6,
        },
        ...common,
      },
      { key: 'segment_index', payload: { video_id: video.id }, pending_dependencies: 1, ...common },
    ]);
    await finish(await claimed('ocr'), {});
    expect(await stateOf(video)).toMatchObject({ status: 'transcoded' });
    await finish(await claimed('segment_index'), {});
    expect(await stateOf(video)).toEqual({ status: 'ready', error: null });
    expect(await q.claim()).toHaveLength(0);
  });

  test('a video without frames comes to its end too', async () => {
    const video = await readersOf(0);
    await finish(await claimed('ocr'), {});
    await finish(await claimed('segment_index'), {});
    expect(await stateOf(video)).toMatchObject({ status: 'ready' });
  });

  test('more than 500 frames are read by several jobs, each frame by one, and indexed once after all of them', async () => {
    const video = await readersOf(1_010);
    const chunks = await q.claim(50);
    expect(chunks.map(({ definitionKey }) => definitionKey)).toEqual(new Array(5).fill('ocr'));
    const frames = chunks.flatMap(({ job }) => {
      const { first_frame, frame_count } = job.payload as { first_frame: number; frame_count: number };
      return Array.from({ length: frame_count }, (_, index) => first_frame + index);
    });
    expect(frames.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_010 }, (_, index) => index));
    for (const chunk of chunks.slice(1)) await finish(chunk, {});
    expect(await q.claim()).toHaveLength(0);
    await finish(chunks[0] as ClaimedJob, {});
    await finish(await claimed('segment_index'), {});
    expect(await stateOf(video)).toMatchObject({ status: 'ready' });
  });

  test('a stage that fails fails the video with its own words, and its retry takes the whole way up again', async () => {
    const video = await readersOf(1_010);
    const [bad, ...good] = await q.claim(50);
    const settlement = { status: 'failed', error: jobError('no such frame') } as const;
    await q.queue.finish(bad as ClaimedJob, { kind: 'final', settlement }, measured());
    await finishPendingCancels(q.db, q.notifier, testPipelines, 100);
    expect((await jobsOf(video)).at(-1)).toMatchObject({
      key: 'segment_index',
      status: 'canceled',
      reason: 'parent_failed',
    });
    for (const chunk of good) await finish(chunk, {});
    expect(await stateOf(video)).toEqual({ status: 'failed', error: 'no such frame' });

    await q.queue.retry(video.tenantId, bad?.job.id ?? '');
    expect(await stateOf(video)).toEqual({ status: 'processing', error: null });
    await finish(await claimed('ocr'), {});
    await finish(await claimed('segment_index'), {});
    expect(await stateOf(video)).toEqual({ status: 'ready', error: null });
  });

  test('of two readers that failed one alone is retried: the video goes on to be failed, until the other is retried too', async () => {
    const video = await readersOf(600);
    const chunks = await q.claim(50);
    expect(chunks).toHaveLength(3);
    const settlement = { status: 'failed', error: jobError('no such frame') } as const;
    const [one, two, good] = chunks as [ClaimedJob, ClaimedJob, ClaimedJob];
    for (const bad of [one, two]) await q.queue.finish(bad, { kind: 'final', settlement }, measured());
    await finishPendingCancels(q.db, q.notifier, testPipelines, 100);
    await finish(good, {});

    await q.queue.retry(video.tenantId, one.job.id);
    await finish(await claimed('ocr'), {});
    expect(await q.claim()).toHaveLength(0);
    expect(await stateOf(video)).toEqual({ status: 'failed', error: 'no such frame' });

    await q.queue.retry(video.tenantId, two.job.id);
    expect(await stateOf(video)).toEqual({ status: 'processing', error: null });
    await finish(await claimed('ocr'), {});
    await finish(await claimed('segment_index'), {});
    expect(await stateOf(video)).toEqual({ status: 'ready', error: null });
  });

  test('what comes next is switched off: the stage has ended well all the same, and the video says what is missing', async () => {
    const video = await makeVideo();
    const job = await claimed('transcode');
    const set = (isActive: boolean) =>
      q.superuser.query(`update millrace.job_definitions set is_active = $1 where key = 'sample'`, [
        isActive,
      ]);
    await set(false);
    try {
      await finish(job, TRANSCODED);
    } finally {
      await set(true);
    }
    expect(await q.job(job.job.id)).toMatchObject({ status: 'succeeded' });
    const { status, error } = await stateOf(video);
    expect(status).toBe('failed');
    expect(error).toContain('sample');
  });
});
