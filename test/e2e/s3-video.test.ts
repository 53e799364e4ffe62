import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { FAST_H264, makeMedia, PICTURE, TONE } from '../support/media.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';
import { fetchStream, type Platform, startPlatform } from './platform.ts';

let s3: TestS3;
let platform: Platform;
let store: ObjectStore;
beforeAll(async () => {
  s3 = await startTestS3();
  store = createS3Store(s3.settings);
  platform = await startPlatform(s3.env);
});
afterAll(async () => {
  await platform.close();
  store.close?.();
  await s3.close();
});

interface VideoState {
  readonly video: {
    readonly status: string;
    readonly error: string | null;
    readonly urls: { readonly playlist: string; readonly poster: string };
  };
}

interface ClipState {
  readonly status: string;
  readonly url: string;
  readonly sha256: string;
  readonly preview: { readonly playlistUrl: string };
}

async function ended(videoId: string): Promise<VideoState['video']> {
  let seen: VideoState['video'] | undefined;
  return await waitFor(
    async () => {
      ({ video: seen } = await platform.api<VideoState>(
        'query ($id: ID!) { video(id: $id) { status error { message } urls { playlist poster } } }',
        { id: videoId },
      ));
      return (seen.status === 'READY' || seen.status === 'FAILED') && seen;
    },
    { describe: () => `the pipeline to end: ${JSON.stringify(seen)}`, pollMs: 100 },
  );
}

test('a video is uploaded to a bucket, goes through all stages there and is played from there', async () => {
  const clip = await makeMedia(await makeTempDir(), [
    ...PICTURE('160x120', 5),
    ...TONE(5),
    ...FAST_H264,
    '-c:a',
    'aac',
    'clip.mp4',
  ]);
  const worker = await platform.startWorker();
  // A second try would begin with a worker that is there already.
  onTestFinished(() => worker.kill());
  const { videoId, uuid } = await platform.upload('in a bucket', clip);
  const video = await ended(videoId);
  expect(video).toMatchObject({ status: 'READY', error: null });

  const { playlist, hashes } = await fetchStream(video.urls.playlist);
  expect(playlist).toContain('#EXT-X-ENDLIST');
  expect(hashes.size).toBe(2);
  const { rows } = await platform.superuser.query(
    'select kind, key, sha256, size_bytes::int from millrace.artifacts order by key',
  );
  const ofFrames = (kind: string) => kind.startsWith('frame') || kind.startsWith('storyboard');
  expect(rows.filter(({ kind }) => kind.startsWith('frame')).length).toBeGreaterThan(1);
  expect(rows.filter(({ kind }) => kind.startsWith('storyboard')).length).toBe(2);
  expect(
    rows
      .filter(({ kind }) => !ofFrames(kind))
      .map(({ key }) => key.split('/').at(-1))
      .toSorted(),
  ).toEqual(['index.m3u8', 'poster.jpg', ...hashes.keys()].toSorted());
  for (const { key, sha256, size_bytes: sizeBytes } of rows) {
    expect(await store.stat(key), key).toMatchObject({ sizeBytes, sha256 });
    const stored = await buffer((await store.get(key)).stream);
    expect(createHash('sha256').update(stored).digest('hex'), key).toBe(sha256);
    expect(hashes.get(key.split('/').at(-1)) ?? sha256).toBe(sha256);
  }
  const poster = await fetch(video.urls.poster, { headers: { connection: 'close' } });
  expect(video.urls.poster).toContain(`${s3.endpoint}/${s3.bucket}/thumbs/${uuid}/poster.jpg?`);
  expect(poster.headers.get('content-type')).toBe('image/jpeg');
  await poster.arrayBuffer();

  const asked = await platform.api<{ requestClip: { clip: { id: string } } }>(
    `mutation ($id: ID!) { requestClip(input: { videoId: $id, startMs: 1000, endMs: 2000, paddingMs: 0 }) {
      ... on RequestClipPayload { clip { id } } } }`,
    { id: videoId },
  );
  const made = await waitFor(
    async () => {
      const { clip } = await platform.api<{ clip: ClipState }>(
        'query ($id: ID!) { clip(id: $id) { status url sha256 startMs endMs preview { playlistUrl } } }',
        { id: asked.requestClip.clip.id },
      );
      return (clip.status === 'READY' || clip.status === 'FAILED') && clip;
    },
    { describe: () => `the clip:\n${worker.stderr().slice(-1000)}` },
  );
  expect(made).toMatchObject({ status: 'READY', startMs: 1000, endMs: 2000 });
  expect(made.url).toContain(`${s3.endpoint}/${s3.bucket}/videos/clips/${uuid}/`);
  const file = await fetch(made.url, { headers: { connection: 'close' } });
  expect(
    createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex'),
  ).toBe(made.sha256);
  const part = await fetch(made.preview.playlistUrl, { headers: { connection: 'close' } });
  expect((await part.text()).match(/^http.*$/gm)).toEqual([
    expect.stringContaining(`${s3.endpoint}/${s3.bucket}/videos/proxy/${uuid}/segment_`),
  ]);
});
