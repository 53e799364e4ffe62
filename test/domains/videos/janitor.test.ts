import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Turn } from '../../../src/core/duty.ts';
import { janitorDuty } from '../../../src/domains/videos/duties/janitor.ts';
import { type LocalObjectStore, openLocalStore } from '../../../src/storage/local-store.ts';
import {
  clipKey,
  frameKey,
  originalKey,
  playlistKey,
  posterKey,
  proxyPrefix,
} from '../../../src/storage/video-keys.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';

const HOUR_MS = 3_600_000;
const GRACE_MS = 24 * HOUR_MS;
const turn: Turn = { goOn: () => true, upSeconds: 1000, pause: async () => undefined };

let q: TestQueue;
let tenantId: string;
let store: LocalObjectStore;
let directory: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
  directory = await realpath(await mkdtemp(join(tmpdir(), 'millrace-test-')));
  store = await openLocalStore(directory);
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await q.close();
});

async function makeVideo(): Promise<string> {
  const { rows } = await q.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key) values ($1, 'A talk', 'x') returning id`,
    [tenantId],
  );
  return rows[0].id;
}

/** Puts files that are so old. */
async function putFiles(keys: readonly string[], ageMs: number): Promise<void> {
  for (const key of keys) {
    await store.put(key, { stream: Readable.from([key]) });
    const at = new Date(Date.now() - ageMs);
    await utimes(await store.localPath(key), at, at);
  }
}

async function nameByArtifacts(videoId: string, keys: readonly string[]): Promise<void> {
  await q.superuser.query(
    `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
     select $1, 'video', $2, 'x', k, 1, repeat('0', 64), 'x/y' from unnest($3::text[]) k`,
    [tenantId, videoId, keys],
  );
}

async function stored(keys: readonly string[]): Promise<boolean[]> {
  return await Promise.all(keys.map(async (key) => (await store.stat(key)) !== null));
}

/** Of run 1, which was killed, and of run 2, which published. */
const filesOf = (id: string) => ({
  left: [
    ...Array.from({ length: 25 }, (_, n) => `${proxyPrefix(id)}segment_r1_${n}.ts`),
    `${proxyPrefix(id)}live_r1.m3u8`,
    frameKey(id, 1500),
    clipKey(id, randomUUID()),
  ],
  published: [
    `${proxyPrefix(id)}segment_r2_0.ts`,
    playlistKey(id),
    posterKey(id),
    frameKey(id, 1600),
    clipKey(id, randomUUID()),
  ],
});

const janitor = (overrides: object = {}) =>
  janitorDuty({ database: q.db, storage: store, log: silentLog, graceMs: GRACE_MS, ...overrides });

test('what killed runs have left is deleted once it is old; what is named, young, an original or of nobody known stays', async () => {
  const id = await makeVideo();
  const { left, published } = filesOf(id);
  const young = [`${proxyPrefix(id)}segment_r3_0.ts`];
  // Of another installation that has the same bucket.
  const foreign = filesOf(randomUUID()).left;
  await putFiles([...left, ...published, ...foreign, originalKey(id)], GRACE_MS + HOUR_MS);
  await putFiles(young, GRACE_MS - HOUR_MS);
  await nameByArtifacts(id, published);
  const duty = janitor();
  const bytes = left.reduce((sum, key) => sum + key.length, 0);
  expect(await duty.run(turn)).toEqual({ files: left.length, bytes });
  expect(await stored(left)).toEqual(left.map(() => false));
  const kept = [...published, ...young, ...foreign, originalKey(id)];
  expect(await stored(kept)).toEqual(kept.map(() => true));
  // The next walk is not due yet; one of another leader finds nothing more.
  expect(await duty.run(turn)).toEqual({ files: 0, bytes: 0 });
  expect(await janitor().run(turn)).toEqual({ files: 0, bytes: 0 });
});

test.each(['queued', 'running'])(
  'nothing of a video is touched while a job about it is %s',
  async (status) => {
    const id = await makeVideo();
    const { left } = filesOf(id);
    await putFiles(left, 2 * GRACE_MS);
    await q.queue.enqueue(tenantId, [
      { definitionKey: 'alpha', payload: {}, subject: { type: 'video', id } },
    ]);
    const claimed = status === 'running' ? await q.claim(1) : [];
    expect(claimed).toHaveLength(status === 'running' ? 1 : 0);
    expect(await janitor().run(turn)).toEqual({ files: 0, bytes: 0 });
    await q.superuser.query('delete from millrace.jobs');
    expect(await janitor().run(turn)).toMatchObject({ files: left.length });
  },
);

test('nothing is deleted that is named, or of a video that goes to work, between the first look and the deletion', async () => {
  const id = await makeVideo();
  const { left } = filesOf(id);
  await putFiles(left, 2 * GRACE_MS);
  await q.superuser.query('begin');
  try {
    // Held as by code that puts a stage of it into the queue.
    await q.superuser.query('select from millrace.videos where id = $1 for no key update', [id]);
    expect(await janitor().run(turn)).toEqual({ files: 0, bytes: 0 });
  } finally {
    await q.superuser.query('rollback');
  }
  // A run that publishes as the first file is being deleted is seen by the look that precedes the rest.
  const [first = '', ...rest] = left.filter((key) => key.startsWith(proxyPrefix(id))).toSorted();
  const publishing = {
    list: store.list,
    delete: async (key: string) => {
      if (key === first) await nameByArtifacts(id, rest.slice(-3));
      return await store.delete(key);
    },
  };
  await janitor({ storage: publishing }).run(turn);
  expect(await stored(rest.slice(-3))).toEqual([true, true, true]);
});

test('a file that cannot be deleted keeps no other, and a walk that was interrupted begins again', async () => {
  const id = await makeVideo();
  const { left } = filesOf(id);
  await putFiles(left, 2 * GRACE_MS);
  const [stuck] = left;
  const failing = {
    list: store.list,
    delete: async (key: string) => {
      if (key === stuck) throw new Error('the store is away');
      return await store.delete(key);
    },
  };
  expect(await janitor({ storage: failing }).run({ ...turn, goOn: () => false })).toEqual({
    files: 0,
    bytes: 0,
  });
  expect(await janitor({ storage: failing }).run(turn)).toMatchObject({ files: left.length - 1 });
  expect(await janitor().run(turn)).toMatchObject({ files: 1 });
});
