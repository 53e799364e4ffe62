import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Turn } from '../../../src/core/duty.ts';
import { clipGenerate } from '../../../src/domains/clips/clip-generate.ts';
import { clipsDuty } from '../../../src/domains/clips/duties/expired-clips.ts';
import { openLocalStore } from '../../../src/storage/local-store.ts';
import { clipKey } from '../../../src/storage/video-keys.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

let q: TestQueue;
let tenantId: string;
const turn: Turn = { goOn: () => true, upSeconds: 1000, pause: async () => undefined };

beforeAll(async () => {
  q = await openTestQueue([clipGenerate]);
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

interface Made {
  readonly id: string;
  readonly key: string;
}

/** Clips of one video, `ready` or `failed`, that go after N seconds; each with its file and artifact. */
async function makeClips(
  store: Awaited<ReturnType<typeof openLocalStore>>,
  count: number,
  status: 'ready' | 'failed',
  expiresInSeconds: number | null,
): Promise<Made[]> {
  const videoId = randomUUID();
  await q.superuser.query(
    `insert into millrace.videos (id, tenant_id, title, original_key) values ($1, $2, 'A talk', 'x')`,
    [videoId, tenantId],
  );
  const made: Made[] = [];
  for (let n = 0; n < count; n++) {
    const id = randomUUID();
    const key = clipKey(videoId, id);
    const { sizeBytes, sha256 } = await store.put(key, { stream: Readable.from(['movie']) });
    await q.superuser.query(
      `insert into millrace.clips (id, tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, status, object_key, size_bytes, sha256,
         start_ms, end_ms, expires_at)
       values ($1, $2, $3, $4, 60000, 0, $5, $6, $7, $8, 0, 1, now() + $9 * interval '1 second')`,
      [id, tenantId, videoId, n, status, key, sizeBytes, sha256, expiresInSeconds],
    );
    await q.superuser.query(
      `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
       values ($1, 'clip', $2, 'clip', $3, $4, $5, 'video/mp4')`,
      [tenantId, id, key, sizeBytes, sha256],
    );
    made.push({ id, key });
  }
  return made;
}

async function stateOf({ id, key }: Made, store: Awaited<ReturnType<typeof openLocalStore>>) {
  const clip = await q.superuser.query('select status, version from millrace.clips where id = $1', [id]);
  const artifacts = await q.superuser.query('select 1 from millrace.artifacts where key = $1', [key]);
  return {
    status: clip.rows[0].status,
    isStored: (await store.stat(key)) !== null,
    isFiled: artifacts.rows.length > 0,
  };
}

const GONE = { status: 'expired', isStored: false, isFiled: false };

test('clips whose time is up lose their file, then their state, batch after batch; others stay', async () => {
  const store = await openLocalStore(await makeTempDir());
  const due = [...(await makeClips(store, 23, 'ready', -1)), ...(await makeClips(store, 2, 'failed', -1))];
  const [later] = await makeClips(store, 1, 'ready', 3600);
  const [kept] = await makeClips(store, 1, 'ready', null);
  const duty = clipsDuty({ database: q.db, notifier: q.notifier, storage: store, log: silentLog });
  expect(await duty.run(turn)).toEqual({ clips: 25 });
  for (const clip of due) expect(await stateOf(clip, store)).toEqual(GONE);
  for (const clip of [later, kept] as Made[])
    expect(await stateOf(clip, store)).toEqual({ status: 'ready', isStored: true, isFiled: true });
  expect(await duty.run(turn)).toEqual({ clips: 0 });
});

test('a clip whose file cannot be deleted stays as it is until a later turn, and keeps no other', async () => {
  const store = await openLocalStore(await makeTempDir());
  const [stuck, free] = (await makeClips(store, 2, 'ready', -1)) as [Made, Made];
  const failing = {
    delete: async (key: string) => {
      if (key === stuck.key) throw new Error('the store is away');
      return store.delete(key);
    },
  };
  const deps = { database: q.db, notifier: q.notifier, log: silentLog };
  expect(await clipsDuty({ ...deps, storage: failing }).run(turn)).toEqual({ clips: 1 });
  expect(await stateOf(stuck, store)).toEqual({ status: 'ready', isStored: true, isFiled: true });
  expect(await stateOf(free, store)).toEqual(GONE);
  expect(await clipsDuty({ ...deps, storage: store }).run(turn)).toEqual({ clips: 1 });
  expect(await stateOf(stuck, store)).toEqual(GONE);
});

test('a turn that ended between the file and the row is gone through again', async () => {
  const store = await openLocalStore(await makeTempDir());
  const [clip] = (await makeClips(store, 1, 'ready', -1)) as [Made];
  await store.delete(clip.key);
  await clipsDuty({ database: q.db, notifier: q.notifier, storage: store, log: silentLog }).run(turn);
  expect(await stateOf(clip, store)).toEqual(GONE);
});
