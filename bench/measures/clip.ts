import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineMs } from '../measuring/clock.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { openClipHarness } from '../stage/clips.ts';
import { startServer, startShippedWorker } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';
import { openVideoHarness } from '../stage/videos.ts';

const GOAL_RATIO = 1.1;
const GOAL_FIRST_BYTE_MS = 50;
const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
/** Of the original: the encoded piece, and what it is repeated to. */
const FULL_SIZE = { pieceSeconds: 60, seconds: 3600, clipSeconds: 10, repeats: 200 };
const QUICK_SIZE = { pieceSeconds: 5, seconds: 20, clipSeconds: 2, repeats: 20 };

/**
 * Clips out of a long original through the shipped worker, against the same ffmpeg command alone; and one
 * asked for again.
 */
export const clip: Measure = {
  name: 'clip',
  title:
    'Clip of 10 s out of an hour of 1080p ÷ the same ffmpeg command alone; first byte of one asked for again',
  async run(context) {
    const { effort, say } = context;
    const size = effort.quick ? QUICK_SIZE : FULL_SIZE;
    await using stage = await openStage(context);
    const [piece, source] = [join(stage.directory, 'piece.mp4'), join(stage.directory, 'source.mp4')];
    const ffmpeg = await openBareFfmpeg(stage.directory);
    await ffmpeg.makeSource(SAMPLE, piece, size.pieceSeconds);
    await ffmpeg.lengthen(piece, source, size.seconds);
    await using videos = await openVideoHarness(stage);
    const videoId = await videos.upload(source);
    await videos.describe(videoId, ffmpeg.media);
    const worker = await startShippedWorker(stage);
    const server = await startServer(stage);
    await using clips = await openClipHarness(stage);
    try {
      // Nearly at the end, so that seeking counts; each begins a little later, since the same range is made
      // once only.
      let startMs = 1000 * (size.seconds - size.clipSeconds - 2);
      const through = async (): Promise<number> => {
        startMs++;
        return await secondsOf(() => clips.make(videoId, startMs, startMs + 1000 * size.clipSeconds));
      };
      const args = await ffmpeg.clipArguments(source, startMs / 1000, startMs / 1000 + size.clipSeconds);
      const alone = async (): Promise<number> => {
        const directory = join(stage.directory, 'bare');
        const seconds = await secondsOf(() => ffmpeg.run(args, directory));
        await rm(directory, { recursive: true });
        return seconds;
      };
      say(
        `ffmpeg: ${ffmpeg.description}; ${size.clipSeconds} s out of ${size.seconds} s of 1920×1080 with sound`,
      );
      await through();
      await alone();
      const pairs = await interleavedPairs(effort.pairs, through, alone, ({ a, b }) =>
        say(`worker ${rounded(a)} s, ffmpeg alone ${rounded(b)} s, ratio ${rounded(a / b)}`),
      );
      const again = {
        video_id: videoId,
        t_start: startMs,
        t_end: startMs + 1000 * size.clipSeconds,
        padding_ms: 0,
      };
      const firstByteMs: number[] = [];
      for (let n = 0; n < size.repeats; n++) firstByteMs.push(await timeToFirstByteMs(server, again));
      return [
        figureOf(
          { name: 'clip, worker ÷ ffmpeg', unit: '×', goal: GOAL_RATIO },
          pairs.map(({ a, b }) => a / b),
        ),
        figureOf(
          { name: 'clip through the worker', unit: 's', goal: null },
          pairs.map(({ a }) => a),
        ),
        figureOf(
          { name: 'what the worker adds', unit: 's', goal: null },
          pairs.map(({ a, b }) => a - b),
        ),
        figureOf(
          { name: 'asked again, to the first byte', unit: 'ms', goal: GOAL_FIRST_BYTE_MS },
          firstByteMs,
        ),
      ];
    } finally {
      await server.program.interrupt();
      await worker.interrupt();
    }
  },
};

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const beganMs = machineMs();
  await work();
  return (machineMs() - beganMs) / 1000;
}

/** `POST /clips`, then the first bytes of what its URL gives. */
async function timeToFirstByteMs(
  { graphqlUrl, token }: { readonly graphqlUrl: string; readonly token: string },
  asked: object,
): Promise<number> {
  const beganMs = machineMs();
  const answer = await fetch(new URL('/clips', graphqlUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  const { url } = (await answer.json()) as { readonly url?: string };
  if (url === undefined) throw new Error(`POST /clips answered ${answer.status} without a URL`);
  const file = await fetch(url);
  const reader = file.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const tookMs = machineMs() - beganMs;
  await reader?.cancel();
  if (!file.ok || value === undefined) throw new Error(`The clip answered ${file.status}`);
  return tookMs;
}
