import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineMs } from '../measuring/clock.ts';
import { CpuMeter, cpuSecondsOf, cpuSecondsOfEndedChildren } from '../measuring/cpu.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { startShippedWorker } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';
import { openVideoHarness } from '../stage/videos.ts';

const GOAL_RATIO = 1.05;
const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
const SECONDS = 60;
const QUICK_SECONDS = 5;

/** What one transcode took. */
interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/**
 * A video through the shipped worker, from its enqueue to its succeeded row, against the same ffmpeg command
 * alone.
 */
export const transcodeRatio: Measure = {
  name: 'transcode-ratio',
  title: 'Transcode of 60 s of 1080p through the worker ÷ the same ffmpeg command alone',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const source = join(stage.directory, 'source.mp4');
    const ffmpeg = await openBareFfmpeg(stage.directory);
    const seconds = effort.quick ? QUICK_SECONDS : SECONDS;
    await ffmpeg.makeSource(SAMPLE, source, seconds);
    const args = await ffmpeg.transcodeArguments(source);
    const worker = await startShippedWorker(stage);
    // What comes after a transcode would take the cores from the next one.
    await stage.client.query(`update millrace.job_definitions set paused_at = now() where key = 'sample'`);
    await using harness = await openVideoHarness(stage);
    try {
      const through = async (): Promise<Cost> => {
        const video = await harness.upload(source);
        const cost = await costOf(
          () => harness.transcode(video),
          async () => (await cpuSecondsOf(worker.pid)) ?? 0,
        );
        await harness.remove(video);
        return cost;
      };
      const alone = async (): Promise<Cost> => {
        const directory = join(stage.directory, 'bare');
        const cost = await costOf(() => ffmpeg.run(args, directory), cpuSecondsOfEndedChildren);
        await rm(directory, { recursive: true });
        return cost;
      };
      say(`ffmpeg: ${ffmpeg.description}; ${seconds} s of 1920×1080 at 30 frames a second with sound`);
      // Modules, page cache and prepared statements.
      await through();
      await alone();
      const cpu = new CpuMeter();
      await cpu.watch('worker with its ffmpeg', worker.pid);
      await cpu.watch('postgres', stage.postgresPid);
      const pairs = await interleavedPairs(effort.pairs, through, alone, ({ a, b }) =>
        say(
          `worker ${shown(a)}, ffmpeg alone ${shown(b)}, ratio of wall times ${rounded(a.wallSeconds / b.wallSeconds)}`,
        ),
      );
      say(`CPU seconds: ${await cpu.describe()}`);
      const wall = pairs.map(({ a, b }) => [a.wallSeconds, b.wallSeconds] as const);
      return [
        figureOf(
          { name: 'transcode, worker ÷ ffmpeg', unit: '×', goal: GOAL_RATIO },
          wall.map(([a, b]) => a / b),
        ),
        // A neighbour on the machine takes time from one side of a pair, and hardly any CPU seconds.
        figureOf(
          { name: 'CPU seconds, worker ÷ ffmpeg', unit: '×', goal: null },
          pairs.map(({ a, b }) => a.cpuSeconds / b.cpuSeconds),
        ),
        figureOf(
          { name: 'transcode through the worker', unit: 's', goal: null },
          wall.map(([a]) => a),
        ),
        figureOf(
          { name: 'what the worker adds', unit: 's', goal: null },
          wall.map(([a, b]) => a - b),
        ),
      ];
    } finally {
      await worker.interrupt();
    }
  },
};

async function costOf(work: () => Promise<void>, cpuSeconds: () => Promise<number>): Promise<Cost> {
  const cpuBefore = await cpuSeconds();
  const beganMs = machineMs();
  await work();
  const wallSeconds = (machineMs() - beganMs) / 1000;
  return { wallSeconds, cpuSeconds: (await cpuSeconds()) - cpuBefore };
}

function shown({ wallSeconds, cpuSeconds }: Cost): string {
  return `${rounded(wallSeconds)} s (CPU ${rounded(cpuSeconds)})`;
}
