import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactRecord, Outcome } from '../../src/core/outcome.ts';
import { clipGenerate } from '../../src/domains/clips/clip-generate.ts';
import type { ClipResult } from '../../src/domains/clips/clip-pipeline.ts';
import { type LocalObjectStore, openLocalStore } from '../../src/storage/local-store.ts';
import { clipKey, originalKey } from '../../src/storage/video-keys.ts';
import type { ProgressUpdate } from '../../workers/handler.ts';
import { createClip } from '../../workers/handlers/clips/video-clip.ts';
import { probe } from '../../workers/tools/ffprobe.ts';
import { makeJobDirectory } from '../../workers/tools/job-directory.ts';
import { VIDEO_FORMATS } from '../../workers/tools/media-formats.ts';
import type { MediaInfo } from '../../workers/tools/media-info.ts';
import type { FoundMediaTools } from '../../workers/tools/media-tools.ts';
import { runProcess } from '../../workers/tools/process.ts';
import { type GivenContext, handlerContext } from './handler-context.ts';
import { LIMITS, makeMedia, VIDEO_ID } from './media.ts';
import { makeTempDir } from './temp-dir.ts';

export const CLIP_ID = '0198f0a0-0000-7000-8000-0000000000c1';

export interface ClipPayload {
  readonly video_id: string;
  readonly clip_id: string;
  readonly t_start: number;
  readonly t_end: number;
  readonly padding_ms: number;
  readonly s3_original_path: string;
}

export interface ClipBench {
  readonly store: LocalObjectStore;
  /** Where the run's temporary directory is made. */
  readonly tempParent: string;
  readonly progress: ProgressUpdate[];
  /** What the settling transaction would have written so far. */
  readonly artifacts: ArtifactRecord[];
  run(payload: Partial<ClipPayload>, overrides?: Partial<GivenContext<ClipPayload>>): Promise<Outcome>;
  /** Runs to a clip that is looked at. */
  make(payload: Partial<ClipPayload>): Promise<LookedAt>;
}

export interface LookedAt {
  readonly result: ClipResult;
  readonly path: string;
  readonly info: MediaInfo;
}

/**
 * A real store and real programs around the clip handler; of the platform only what a handler sees is stood
 * in for.
 */
export async function makeClipBench(media: FoundMediaTools, sourcePath: string | null): Promise<ClipBench> {
  const directory = await makeTempDir();
  const store = await openLocalStore(join(directory, 'store'));
  const original = originalKey(VIDEO_ID);
  if (sourcePath !== null) await store.put(original, { stream: createReadStream(sourcePath) });
  const bench: ClipBench = {
    store,
    tempParent: join(directory, 'temp'),
    progress: [],
    artifacts: [],
    async run(payload, overrides = {}) {
      await using temp = await makeJobDirectory(bench.tempParent);
      const outcome = await createClip(LIMITS)(
        handlerContext<ClipPayload>({
          definitionKey: clipGenerate.key,
          payload: {
            video_id: VIDEO_ID,
            clip_id: CLIP_ID,
            t_start: 0,
            t_end: 1000,
            padding_ms: 0,
            s3_original_path: original,
            ...payload,
          },
          subject: { type: 'clip', id: CLIP_ID },
          tools: { storage: store, tempDir: async () => temp.path },
          own: { media },
          artifacts: { find: async () => bench.artifacts },
          progress: (update) => bench.progress.push(update),
          ...overrides,
        }),
      );
      if (outcome.kind === 'done') bench.artifacts.splice(0, 1, ...outcome.artifacts);
      return outcome;
    },
    async make(payload) {
      const outcome = await bench.run(payload);
      if (outcome.kind !== 'done') throw new Error(`not done but ${outcome.kind}`);
      const path = await store.localPath(clipKey(VIDEO_ID, CLIP_ID));
      const info = await probe(path, { ffprobePath: media.ffprobePath, formats: VIDEO_FORMATS });
      return { result: outcome.result as ClipResult, path, info };
    },
  };
  return bench;
}

/**
 * The number of each picture is written into it as ten bars, black or white, so that any encoder leaves it
 * readable.
 */
const BARS = 10;
export const NUMBERED_FPS = 25;

/**
 * A video of numbered pictures, number n at n/25 s.
 * @param only a `select` expression of the numbers to keep (`n`), the others' time going to the one before;
 *   all by default
 * @param more further inputs
 */
export async function numberedVideo(
  cwd: string,
  seconds: number,
  { only, more = [], name = 'numbered.mp4' }: { only?: string; more?: readonly string[]; name?: string } = {},
): Promise<string> {
  const bars = `geq=lum='if(mod(floor(N/pow(2,floor(X/32))),2),235,16)':cb=128:cr=128`;
  const filters = [bars, ...(only === undefined ? [] : [`select='${only}'`])].join(',');
  return await makeMedia(cwd, [
    ...['-f', 'lavfi', '-i', `color=s=${32 * BARS}x64:r=${NUMBERED_FPS}:d=${seconds}`],
    ...more,
    ...['-vf', filters, '-vsync', 'vfr'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p'],
    name,
  ]);
}

/** When each picture of a numbered clip is shown, and its number. */
export async function readNumbers(
  media: FoundMediaTools,
  path: string,
): Promise<readonly { readonly seconds: number; readonly number: number }[]> {
  const cwd = await makeTempDir();
  const run = async (file: string, args: readonly string[]): Promise<string> => {
    const result = await runProcess({ file, args, cwd, timeoutMs: 300_000, maxOutputBytes: 2 ** 24 });
    if (result.end.how !== 'exited' || result.end.exitCode !== 0) throw new Error(result.stderr);
    return result.stdout;
  };
  const shown = await run(media.ffprobePath, [
    ...['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path],
  ]);
  const times = shown
    .trim()
    .split(/[\s,]+/)
    .map(Number)
    .sort((a, b) => a - b);
  const sync = media.fpsMode ? ['-fps_mode', 'passthrough'] : ['-vsync', '0'];
  await run(media.ffmpegPath, [
    ...['-v', 'error', '-nostdin', '-i', path, ...sync, '-vf', `scale=${BARS}:1:flags=area,format=gray`],
    ...['-f', 'rawvideo', 'numbers'],
  ]);
  const bytes = await readFile(join(cwd, 'numbers'));
  return times.map((seconds, index) => {
    const bars = bytes.subarray(index * BARS, (index + 1) * BARS);
    return { seconds, number: bars.reduce((sum, luma, bit) => sum + (luma > 128 ? 2 ** bit : 0), 0) };
  });
}
