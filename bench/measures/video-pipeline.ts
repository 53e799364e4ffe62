import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { watchChildren } from '../stage/children.ts';
import { startShippedWorker } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { openVideoHarness } from '../stage/videos.ts';

const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
const SECONDS = 60;
const QUICK_SECONDS = 5;
const ROUNDS = 3;
const GOAL_SHARE = 0.05;
/** As the kernel names them; what a process does at work for us is not overhead. */
const PROGRAMS = ['ffmpeg', 'ffprobe', 'tesseract'];

interface StageTime {
  readonly stage: string;
  readonly seconds: number;
}

/**
 * A screen recording through all stages of the shipped worker: what each takes, and how much of it no media
 * program is at work.
 */
export const videoPipeline: Measure = {
  name: 'video-pipeline',
  title:
    '60 s of 1080p from the upload to ready: time and share of each stage, and what is neither ffmpeg nor tesseract',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const source = join(stage.directory, 'source.mp4');
    const ffmpeg = await openBareFfmpeg(stage.directory);
    const seconds = effort.quick ? QUICK_SECONDS : SECONDS;
    await ffmpeg.makeSource(SAMPLE, source, seconds);
    const worker = await startShippedWorker(stage);
    await using harness = await openVideoHarness(stage);
    const shares: number[] = [];
    const totals: number[] = [];
    try {
      for (let round = 0; round < (effort.quick ? 1 : ROUNDS); round++) {
        const video = await harness.upload(source);
        const watch = watchChildren(worker.pid, PROGRAMS);
        await harness.process(video);
        const { totalSeconds, busySeconds, byName } = await watch.stop();
        shares.push((totalSeconds - busySeconds) / totalSeconds);
        totals.push(totalSeconds);
        const stages = (await stageTimes(stage, video)).map(
          ({ stage: name, seconds: took }) =>
            `${name} ${rounded(took)} s (${Math.round((100 * took) / totalSeconds)} %)`,
        );
        const programs = [...byName].map(([name, took]) => `${name} ${rounded(took)} s`);
        say(`${rounded(totalSeconds)} s: ${stages.join(', ')}; at work: ${programs.join(', ')}`);
        say(`  ${await yieldOf(stage, video)}`);
        await harness.remove(video);
      }
    } finally {
      await worker.interrupt();
    }
    return [
      figureOf({ name: `pipeline of ${seconds} s of 1080p`, unit: 's', goal: null }, totals),
      figureOf({ name: 'share without ffmpeg or tesseract at work', unit: '', goal: GOAL_SHARE }, shares),
    ];
  },
};

/** From the start of a stage's first job to the end of its last. */
async function stageTimes({ client }: Stage, videoId: string): Promise<readonly StageTime[]> {
  const { rows } = await client.query<StageTime>(
    `select d.key as stage, extract(epoch from max(j.finished_at) - min(j.started_at))::float8 as seconds
     from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
     where j.subject_type = 'video' and j.subject_id = $1 group by d.key order by min(j.started_at)`,
    [videoId],
  );
  return rows;
}

async function yieldOf({ client }: Stage, videoId: string): Promise<string> {
  const { rows } = await client.query<{ frames: number; segments: number; entities: number }>(
    `select (select count(*)::int from millrace.ocr_frames where video_id = $1::uuid) as frames,
            (select count(*)::int from millrace.segments where video_id = $1::uuid) as segments,
            (select count(*)::int from millrace.entities where video_id = $1::uuid) as entities`,
    [videoId],
  );
  const { frames = 0, segments = 0, entities = 0 } = rows[0] ?? {};
  return `${frames} frames read, ${segments} texts with their times, ${entities} entities`;
}
