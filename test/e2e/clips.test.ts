import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { originalKey } from '../../src/storage/video-keys.ts';
import { numberedVideo } from '../support/clip-bench.ts';
import { readBars, watchHls } from '../support/hls-page.ts';
import { FAST_H264, makeMedia, PICTURE, TONE } from '../support/media.ts';
import type { Program } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { type Platform, startPlatform } from './platform.ts';

/** Long enough that a busy machine renews it in time. */
const LEASE_SECONDS = 12;
/** Long enough that its encoder can be caught in the middle. */
const RANGE = { startMs: 2000, endMs: 12_000, paddingMs: 500 };

let platform: Platform;
let source: string;

interface Clip {
  readonly uuid: string;
  readonly status: string;
  readonly url: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly sha256: string;
  readonly sizeBytes: string;
  readonly widthPx: number;
  readonly error: { readonly type: string; readonly message: string; readonly retryCount: number } | null;
}

beforeAll(async () => {
  platform = await startPlatform();
  source = await makeMedia(platform.dataDir, [
    ...PICTURE('1280x720', 14),
    ...TONE(14),
    ...FAST_H264,
    ...['-c:a', 'aac', 'in.mp4'],
  ]);
});
afterAll(() => platform.close());

/** A video whose original is there, without the transcode that an upload brings. */
async function makeVideo(path: string | null): Promise<string> {
  const id = randomUUID();
  const store = await openLocalStore(join(platform.dataDir, 'storage'));
  if (path !== null) await store.put(originalKey(id), { stream: createReadStream(path) });
  await platform.superuser.query(
    `insert into millrace.videos (id, tenant_id, title, status, original_key)
     select $1, id, 'A talk', 'transcoded', $2 from millrace.tenants where slug = 'e2e'`,
    [id, originalKey(id)],
  );
  return id;
}

async function request(videoId: string, range: object = RANGE): Promise<{ clipId: string; jobId: string }> {
  const { requestClip } = await platform.api<{
    requestClip: { clip: { uuid: string }; job: { uuid: string } };
  }>(
    `mutation ($input: RequestClipInput!) { requestClip(input: $input) {
      ... on RequestClipPayload { clip { uuid } job { uuid } } ... on DomainFailure { message } } }`,
    { input: { videoId, ...range } },
  );
  return { clipId: requestClip.clip.uuid, jobId: requestClip.job.uuid };
}

/**
 * A clip whose worker is killed while it makes it. One that ends first, on a machine that looks late, is
 * followed by another.
 */
async function killedInTheMiddle(worker: Program): Promise<{ clipId: string; jobId: string }> {
  for (let victim = worker; ; ) {
    const asked = await request(await makeVideo(source));
    const look = async () => {
      const { rows } = await platform.superuser.query(
        `select j.status, coalesce(p.percent, 0)::float8 as percent
         from millrace.jobs j left join millrace.job_progress p on p.job_id = j.id and p.stage = 'clip' where j.id = $1`,
        [asked.jobId],
      );
      return rows[0] as { readonly status: string; readonly percent: number };
    };
    const isBegun = async () => {
      const { status, percent } = await look();
      return percent >= 2 || status === 'succeeded';
    };
    await waitFor(isBegun, {
      describe: () => `the clip to be begun:\n${victim.stderr().slice(-1000)}`,
    });
    await victim.kill();
    if ((await look()).status === 'running') return asked;
    victim = await platform.startWorker(LEASE_SECONDS);
  }
}

async function ended(clipId: string): Promise<Clip> {
  return await waitFor(
    async () => {
      const { clip } = await platform.api<{ clip: Clip }>(
        `query ($id: ID!) { clip(id: $id) { uuid status url startMs endMs sha256 sizeBytes widthPx error { type message retryCount } } }`,
        { id: clipId },
      );
      return (clip.status === 'READY' || clip.status === 'FAILED') && clip;
    },
    { describe: 'the clip to end', pollMs: 100 },
  );
}

async function fetched(url: string | null): Promise<string> {
  const response = await fetch(url ?? '', { headers: { connection: 'close' } });
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

/** What must be the same whatever made it: all but ids, names and times. */
function facts({ uuid: _uuid, url: _url, ...rest }: Clip) {
  return rest;
}

describe('clips, through the API and a worker', () => {
  test('one that nobody makes yet is watched out of the stream, from the very picture on', async () => {
    const worker = await platform.startWorker();
    const { uuid, videoId } = await platform.upload('numbered', await numberedVideo(platform.dataDir, 12));
    await waitFor(
      async () => {
        const { rows } = await platform.superuser.query(
          'select proxy_key, error from millrace.videos where id = $1',
          [uuid],
        );
        return rows[0].proxy_key ?? rows[0].error;
      },
      { describe: () => `the stream:\n${worker.stderr().slice(-1000)}` },
    );
    await worker.kill();
    const { clipId } = await request(videoId, { startMs: 7020, endMs: 8500, paddingMs: 2000 });
    const { clip } = await platform.api<{ clip: { status: string; preview: { playlistUrl: string } } }>(
      'query ($id: ID!) { clip(id: $id) { status preview { playlistUrl startMs endMs } } }',
      { id: clipId },
    );
    expect(clip).toMatchObject({ status: 'QUEUED', preview: { startMs: 5020, endMs: 10_500 } });
    // Picture n is shown from n/25 s on. hls.js lets a stream begin with the first decoding time, which with
    // B-frames is up to three pictures before the first that is shown; other players do not.
    const pictures: readonly unknown[] = [122, 123, 124, 125];
    const seen = await watchHls(
      clip.preview.playlistUrl,
      readBars,
      ({ atMs, shown }) => atMs === 5020 && pictures.includes(shown),
    );
    expect(seen.atMs).toBe(5020);
    expect(pictures).toContain(seen.shown);
    // Up to 12 s: not all of the video, and more than the range.
    expect(seen.lengthSeconds).toBeGreaterThan(6.5);
    expect(seen.lengthSeconds).toBeLessThan(8.5);
  });

  test('twenty requests at once, two workers: each clip is made exactly once; a missing original fails at once', async () => {
    const workers = await Promise.all([platform.startWorker(), platform.startWorker()]);
    const small = await numberedVideo(platform.dataDir, 8, { name: 'small.mp4' });
    const videoId = await makeVideo(small);
    const ranges = Array.from({ length: 8 }, (_, n) => ({
      startMs: 500 * n,
      endMs: 500 * n + 400,
      paddingMs: n === 7 ? 1 : 0,
    }));
    const gone = await request(await makeVideo(null));
    // Each range twice and more, all together.
    const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => request(videoId, ranges[n % 8])));
    expect(new Set(asked.map(({ clipId }) => clipId)).size).toBe(8);
    const clips = await Promise.all(asked.slice(0, 8).map(({ clipId }) => ended(clipId)));
    expect(clips.map(({ status, startMs, endMs }) => [status, startMs, endMs])).toEqual(
      ranges.map(({ startMs, endMs, paddingMs }) => ['READY', startMs - paddingMs, endMs + paddingMs]),
    );
    for (const { url, sha256 } of clips) expect(await fetched(url)).toBe(sha256);
    const runs = await platform.superuser.query(
      `select j.run_no, a.worker_id from millrace.jobs j join millrace.job_attempts a on a.job_id = j.id
       where j.payload ->> 'video_id' = $1`,
      [videoId],
    );
    expect(runs.rows.map((row) => row.run_no)).toEqual(Array(8).fill(1));
    expect(await ended(gone.clipId)).toMatchObject({
      status: 'FAILED',
      error: {
        type: 'S3ObjectNotFound',
        message: expect.stringContaining('Original video not found at videos/original/'),
        retryCount: 0,
      },
    });
    const { rows } = await platform.superuser.query(
      'select status, run_no from millrace.jobs where id = $1',
      [gone.jobId],
    );
    expect(rows).toEqual([{ status: 'failed', run_no: 1 }]);
    for (const worker of workers) worker.child.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.ended()));
  });

  test('a worker that is killed in the middle leaves what an undisturbed run leaves, row and file', async () => {
    const victim = await platform.startWorker(LEASE_SECONDS);
    const undisturbed = await ended((await request(await makeVideo(source))).clipId);
    expect(undisturbed).toMatchObject({ status: 'READY', startMs: 1500, endMs: 12_500 });
    const { clipId, jobId } = await killedInTheMiddle(victim);
    const heir = await platform.startWorker(LEASE_SECONDS);
    const clip = await ended(clipId);
    expect(facts(clip)).toEqual(facts(undisturbed));
    expect(await fetched(clip.url)).toBe(undisturbed.sha256);
    // A run that a busy machine hands back before it has begun leaves no attempt, but takes a number.
    const { rows } = await platform.superuser.query(
      'select status from millrace.job_attempts where job_id = $1 order by attempt_no',
      [jobId],
    );
    expect(rows).toEqual([{ status: 'lost' }, { status: 'succeeded' }]);
    const store = await openLocalStore(join(platform.dataDir, 'storage'));
    const keys: string[] = [];
    for await (const { key } of store.list('videos/clips/')) if (key.includes(clipId)) keys.push(key);
    expect(keys).toHaveLength(1);
    heir.child.kill('SIGTERM');
    await heir.ended();
  });
});
