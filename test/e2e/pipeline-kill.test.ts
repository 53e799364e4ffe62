import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMedia, SAMPLE_PATH } from '../support/media.ts';
import type { Program } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { pipelineState } from './pipeline-state.ts';
import { type Platform, startPlatform } from './platform.ts';

const LEASE_SECONDS = 4;

let platform: Platform;
let source: string;

beforeAll(async () => {
  // With more threads the encoder gives now and then another picture on a busy machine.
  platform = await startPlatform({ MILLRACE_FFMPEG_THREADS: '1' });
  source = await makeMedia(platform.dataDir, ['-i', SAMPLE_PATH, '-t', '6', '-c', 'copy', 'in.mp4']);
});
afterAll(() => platform.close());

async function ready(uuid: string, worker: () => Program): Promise<void> {
  await waitFor(
    async () => {
      const { rows } = await platform.superuser.query(
        'select status, error from millrace.videos where id = $1',
        [uuid],
      );
      if (rows[0].status === 'failed') throw new Error(`The video failed: ${rows[0].error}`);
      return rows[0].status === 'ready';
    },
    {
      describe: () => `the video to be ready:\n${worker().stderr().slice(-3000)}`,
      pollMs: 100,
    },
  );
}

async function jobOf(uuid: string, stage: string) {
  const { rows } = await platform.superuser.query(
    `select j.id, j.status, j.run_no, p.percent from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
     left join millrace.job_progress p on p.job_id = j.id and p.run_no = j.run_no
     where j.subject_id = $1 and d.key = $2`,
    [uuid, stage],
  );
  return rows[0];
}

test('killed in the middle of each stage and at each boundary, a video ends row for row and file for file as one that nobody disturbed', async () => {
  let worker = await platform.startWorker(LEASE_SECONDS);
  const calm = await platform.upload('undisturbed', source);
  await ready(calm.uuid, () => worker);
  const undisturbed = await pipelineState(platform, calm.uuid);
  expect(undisturbed.segments.length).toBeGreaterThan(5);
  expect(undisturbed.artifacts.length).toBeGreaterThan(5);

  const { uuid } = await platform.upload('killed', source);
  const kill = async () => {
    await worker.kill();
    worker = await platform.startWorker(LEASE_SECONDS);
  };
  const until = (what: string, condition: () => Promise<boolean>) =>
    waitFor(condition, {
      describe: () => `${what}:\n${worker.stderr().slice(-2000)}`,
      pollMs: 20,
    });
  for (const stage of ['transcode', 'sample', 'ocr']) {
    await until(`${stage} to be in the middle`, async () => {
      const job = await jobOf(uuid, stage);
      return job?.status === 'succeeded' || (job?.status === 'running' && (job.percent ?? 0) >= 20);
    });
    await kill();
    await until(`${stage} to end`, async () => (await jobOf(uuid, stage))?.status === 'succeeded');
    // What comes next may have begun by now.
    await kill();
  }
  // The index takes milliseconds: it is held where it writes, so that it can be caught.
  await platform.superuser.query('begin');
  await platform.superuser.query('select from millrace.segments where video_id = $1 for update', [uuid]);
  await until(
    'the index to be in the middle',
    async () => (await jobOf(uuid, 'segment_index'))?.status === 'running',
  );
  await kill();
  await platform.superuser.query('rollback');
  await ready(uuid, () => worker);
  expect(await pipelineState(platform, uuid)).toEqual(undisturbed);
  const { rows } = await platform.superuser.query(
    `select count(*)::int as lost from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id where j.subject_id = $1 and a.status = 'lost'`,
    [uuid],
  );
  expect(rows[0].lost).toBeGreaterThanOrEqual(4);
});
