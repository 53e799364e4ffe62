import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { originalKey } from '../../src/storage/video-keys.ts';
import { FAST_H264, makeMedia, PICTURE, TONE } from '../support/media.ts';
import { waitFor } from '../support/wait.ts';
import { type Platform, startPlatform } from './platform.ts';

const LEASE_SECONDS = 6;
/** Long enough that its encoder can be caught in the middle. */
const RANGE = { tStartMs: 2000, tEndMs: 12_000, paddingMs: 500 };

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
    ...PICTURE('1920x1080', 14),
    ...TONE(14),
    ...FAST_H264,
    ...['-c:a', 'aac', 'in.mp4'],
  ]);
}, 360_000);
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

async function ended(clipId: string): Promise<Clip> {
  return await waitFor(
    async () => {
      const { clip } = await platform.api<{ clip: Clip }>(
        `query ($id: ID!) { clip(id: $id) { uuid status url startMs endMs sha256 sizeBytes widthPx error { type message retryCount } } }`,
        { id: clipId },
      );
      return (clip.status === 'READY' || clip.status === 'FAILED') && clip;
    },
    { describe: 'the clip to end', timeoutMs: 150_000, pollMs: 100 },
  );
}

async function fetched(url: string | null): Promise<string> {
  const response = await fetch(url ?? '', { headers: { connection: 'close' } });
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

/** What must be the same whoever made it: all but ids, names and times. */
function facts({ uuid: _uuid, url: _url, ...rest }: Clip) {
  return rest;
}

describe('clips, through the API and a worker', () => {
  test('several of one video are made at once; each can be fetched; a missing original fails at once', async () => {
    const worker = await platform.startWorker();
    const videoId = await makeVideo(source);
    const ranges = [0, 3000, 6000].map((tStartMs) => ({ tStartMs, tEndMs: tStartMs + 500, paddingMs: 0 }));
    const gone = await request(await makeVideo(null));
    const asked = await Promise.all(ranges.map((range) => request(videoId, range)));
    const clips = await Promise.all(asked.map(({ clipId }) => ended(clipId)));
    expect(clips.map(({ status, startMs, endMs }) => [status, startMs, endMs])).toEqual(
      ranges.map(({ tStartMs, tEndMs }) => ['READY', tStartMs, tEndMs]),
    );
    for (const { url, sha256 } of clips) expect(await fetched(url)).toBe(sha256);
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
    worker.child.kill('SIGTERM');
    await worker.ended();
  }, 360_000);

  test('a worker that is killed in the middle leaves what an undisturbed run leaves, row and file', async () => {
    const victim = await platform.startWorker(LEASE_SECONDS);
    const undisturbed = await ended((await request(await makeVideo(source))).clipId);
    expect(undisturbed).toMatchObject({ status: 'READY', startMs: 1500, endMs: 12_500 });
    const { clipId, jobId } = await request(await makeVideo(source));
    await waitFor(
      async () => {
        const { rows } = await platform.superuser.query(
          `select percent from millrace.job_progress where job_id = $1 and stage = 'clip'`,
          [jobId],
        );
        return Number(rows[0]?.percent ?? 0) >= 2;
      },
      { describe: () => `the clip to be begun:\n${victim.stderr().slice(-1000)}`, timeoutMs: 120_000 },
    );
    await victim.kill();
    const heir = await platform.startWorker(LEASE_SECONDS);
    const clip = await ended(clipId);
    expect(facts(clip)).toEqual(facts(undisturbed));
    expect(await fetched(clip.url)).toBe(undisturbed.sha256);
    const { rows } = await platform.superuser.query(
      'select attempt_no, status from millrace.job_attempts where job_id = $1 order by 1',
      [jobId],
    );
    expect(rows).toEqual([
      { attempt_no: 1, status: 'lost' },
      { attempt_no: 2, status: 'succeeded' },
    ]);
    const store = await openLocalStore(join(platform.dataDir, 'storage'));
    const keys: string[] = [];
    for await (const { key } of store.list('videos/clips/')) if (key.includes(clipId)) keys.push(key);
    expect(keys).toHaveLength(1);
    heir.child.kill('SIGTERM');
    await heir.ended();
  }, 360_000);
});
