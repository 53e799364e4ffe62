import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { janitorDuty } from '../../src/domains/videos/duties/janitor.ts';
import { openLocalStore } from '../../src/storage/local-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { proxyPrefix } from '../../src/storage/video-keys.ts';
import { decodedDigest } from '../support/decoded.ts';
import { watchLateness } from '../support/lateness.ts';
import { FAST_H264, makeMedia, PICTURE, TONE } from '../support/media.ts';
import type { Program } from '../support/program.ts';
import { openDatabase, silentLog } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { fetchStream, type Platform, startPlatform } from './platform.ts';

/**
 * Shorter than in production, where it is 20: what is said of one lease holds for any. Long enough that a
 * busy machine renews it in time.
 */
const LEASE_SECONDS = 12;
/** Of 4 s, of each of the two renditions. */
const SEGMENTS = 4;

let platform: Platform;
let source: string;
/** What is in each segment, decoded: the bytes may differ. */
let undisturbed: ReadonlyMap<string, string>;

interface Video {
  readonly video: { readonly status: string; readonly urls: { readonly playlist: string } | null };
}

beforeAll(async () => {
  // With more threads the encoder gives now and then another picture on a busy machine.
  platform = await startPlatform({ MILLRACE_FFMPEG_THREADS: '1' }, { upTo: 'transcode' });
  // Long enough that a transcode can be caught in the middle; of more than 600 lines, so that there are two
  // renditions, and no larger.
  source = await makeMedia(platform.dataDir, [
    ...PICTURE('640x608', 4 * SEGMENTS, 12),
    ...TONE(4 * SEGMENTS),
    ...FAST_H264,
    '-c:a',
    'aac',
    'in.mp4',
  ]);
  const worker = await platform.startWorker(LEASE_SECONDS);
  const { videoId } = await platform.upload('undisturbed', source);
  undisturbed = (await streamOf(videoId)).contents;
  worker.child.kill('SIGTERM');
  await worker.ended();
});
afterEach(() => platform.stopWorkers());
afterAll(() => platform.close());

/** The finished stream of a video, segments by their number: the run's number is part of their names. */
async function streamOf(videoId: string) {
  const playlistUrl = await waitFor(
    async () => {
      const { video } = await platform.api<Video>(
        `query ($id: ID!) { video(id: $id) { status urls { playlist } } }`,
        { id: videoId },
      );
      return video.status === 'TRANSCODED' && video.urls?.playlist;
    },
    { describe: 'the video to be transcoded', pollMs: 100 },
  );
  const { playlist, hashes, segments } = await fetchStream(playlistUrl);
  const contents = new Map<string, string>();
  for (const [name, bytes] of segments)
    contents.set(name.replace(/_r\d+_/, '_'), await decodedDigest(platform.dataDir, bytes));
  expect(contents.size).toBe(2 * SEGMENTS);
  return { playlist, hashes, contents };
}

async function job(id: string) {
  return (
    await platform.superuser.query('select *, clock_timestamp() as now from millrace.jobs where id = $1', [
      id,
    ])
  ).rows[0];
}

interface Caught {
  readonly videoId: string;
  readonly uuid: string;
  readonly jobId: string;
  /**
   * The number of the run that was caught. The next that writes has a higher one, not always the very next: a
   * run that is handed back before it has begun takes a number.
   */
  readonly lostRunNo: number;
  /** The one that was stopped, and the one that is left. */
  readonly victim: Program;
  readonly heir: Program;
}

/**
 * Two workers, of which the one that has a transcode gets a signal in the middle of it. A transcode that ends
 * first, on a machine that looks late, is followed by another.
 */
async function catchInTheMiddle(title: string, signal: 'SIGKILL' | 'SIGSTOP'): Promise<Caught> {
  const workers = await Promise.all([
    platform.startWorker(LEASE_SECONDS),
    platform.startWorker(LEASE_SECONDS),
  ]);
  for (let n = 1; ; n++) {
    const uploaded = await platform.upload(`${title} ${n}`, source);
    const { jobId, uuid } = uploaded;
    const said = () => workers.map((worker) => worker.stderr().slice(-1000)).join('\n');
    await waitFor(async () => (await hasBegun(jobId, uuid)) || (await job(jobId)).status === 'succeeded', {
      describe: () => `a quarter of the transcode:\n${said()}`,
    });
    const { claimed_by_worker: holder } = await job(jobId);
    const victim = workers.find(({ pid }) => String(holder).includes(`:${pid}:`));
    const heir = workers.find((worker) => worker !== victim);
    if (victim === undefined || heir === undefined) continue;
    if (signal === 'SIGKILL') await victim.kill();
    else victim.child.kill(signal);
    const { status, run_no: lostRunNo } = await job(jobId);
    if (status === 'running' && (await percentOf(jobId)) < 90)
      return { ...uploaded, lostRunNo, victim, heir };
    if (signal === 'SIGSTOP') victim.child.kill('SIGCONT');
    else workers.splice(workers.indexOf(victim), 1, await platform.startWorker(LEASE_SECONDS));
  }
}

/** Whether the running job has made some of its segments, which are in the store. */
async function hasBegun(jobId: string, uuid: string): Promise<boolean> {
  if ((await percentOf(jobId)) < 25) return false;
  return (await storedNames(await openLocalStore(join(platform.dataDir, 'storage')), uuid)).length > 0;
}

async function percentOf(jobId: string): Promise<number> {
  const { rows } = await platform.superuser.query(
    'select percent from millrace.job_progress where job_id = $1',
    [jobId],
  );
  return Number(rows[0]?.percent ?? 0);
}

async function attempts(id: string) {
  const { rows } = await platform.superuser.query(
    'select attempt_no, status from millrace.job_attempts where job_id = $1 order by 1',
    [id],
  );
  return rows;
}

/** Names below the prefix of a video's stream, in the order of the listing. */
async function storedNames(store: ObjectStore, videoId: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(proxyPrefix(videoId))) keys.push(key);
  return keys;
}

/** The janitor takes away what the first run has left, and nothing of what the second has published. */
async function expectCleaned(store: ObjectStore, videoId: string, lostRunNo: number): Promise<void> {
  const names = () => storedNames(store, videoId);
  const before = await names();
  const left = before.filter((key) => key.includes(`_r${lostRunNo}_`));
  expect(left.length).toBeGreaterThan(0);
  // The stages that come after, which this platform leaves waiting: a video with work to do is left alone.
  await platform.superuser.query(`delete from millrace.jobs where subject_id = $1 and status = 'queued'`, [
    videoId,
  ]);
  const database = openDatabase(platform.database.url, 2);
  try {
    const duty = janitorDuty({ database, storage: store, log: silentLog, graceMs: 0 });
    expect(
      (await duty.run({ goOn: () => true, upSeconds: 100, pause: async () => undefined }))['files'],
    ).toBeGreaterThanOrEqual(left.length);
  } finally {
    await database.close();
  }
  const { rows } = await platform.superuser.query(
    `select key from millrace.artifacts where subject_id = $1 and key like 'videos/proxy/%'`,
    [videoId],
  );
  expect(await names()).toEqual(rows.map(({ key }) => key).toSorted());
}

describe('a worker that is lost in the middle of a transcode', () => {
  test('when killed, is replaced within one lease, and the result is that of an undisturbed run', async () => {
    const { videoId, uuid, jobId, lostRunNo, heir } = await catchInTheMiddle('killed', 'SIGKILL');
    const killedAtMs = performance.now();
    const lateness = await watchLateness(platform.database.url);
    await waitFor(async () => (await job(jobId)).run_no > lostRunNo, {
      describe: 'another worker to have the job',
    });
    // The rest of the lease, then the next look of the rescuer.
    const tookMs = performance.now() - killedAtMs;
    expect(tookMs).toBeLessThan(2 * (LEASE_SECONDS + 3) * 1000 + (await lateness.allowanceMs()));
    const { playlist, contents } = await streamOf(videoId);
    const { run_no: runNo } = await job(jobId);
    expect(playlist).toContain(`segment_r${runNo}_0.ts`);
    expect(playlist).not.toContain(`segment_r${lostRunNo}_`);
    expect(contents).toEqual(undisturbed);
    expect(await attempts(jobId)).toEqual([
      { attempt_no: lostRunNo, status: 'lost' },
      { attempt_no: runNo, status: 'succeeded' },
    ]);
    const store = await openLocalStore(join(platform.dataDir, 'storage'));
    await expectCleaned(store, uuid, lostRunNo);
    heir.child.kill('SIGTERM');
    await heir.ended();
  });

  test('when stopped and woken after another has won, changes nothing: rows, playlist and hashes stay', async () => {
    const caught = await catchInTheMiddle('stopped', 'SIGSTOP');
    const { videoId, uuid, jobId, lostRunNo, victim: sleeper, heir } = caught;
    const before = await streamOf(videoId);
    const artifacts = async () =>
      (
        await platform.superuser.query(
          'select key, sha256, size_bytes, run_no from millrace.artifacts where subject_id = $1 order by key',
          [uuid],
        )
      ).rows;
    const rowsBefore = { job: { ...(await job(jobId)), now: null }, artifacts: await artifacts() };
    sleeper.child.kill('SIGCONT');
    await waitFor(() => /lease|not ours|lost/i.test(sleeper.stderr()), {
      describe: () => `the woken worker to notice:\n${sleeper.stderr().slice(-1500)}`,
    });
    sleeper.child.kill('SIGTERM');
    expect(await sleeper.ended()).toBe(0);
    const after = await streamOf(videoId);
    expect(after).toEqual(before);
    expect(after.contents).toEqual(undisturbed);
    expect({ job: { ...(await job(jobId)), now: null }, artifacts: await artifacts() }).toEqual(rowsBefore);
    for (const { run_no: runNo } of rowsBefore.artifacts) expect(runNo).toBeGreaterThan(lostRunNo);
    heir.child.kill('SIGTERM');
    await heir.ended();
  });
});
