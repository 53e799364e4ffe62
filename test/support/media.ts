import { createReadStream, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import type { PayloadOf } from '../../src/core/definition.ts';
import type { ArtifactRecord, Outcome } from '../../src/core/outcome.ts';
import { transcode } from '../../src/domains/videos/definitions/transcode.ts';
import { type LocalObjectStore, openLocalStore } from '../../src/storage/local-store.ts';
import { originalKey } from '../../src/storage/video-keys.ts';
import type { ProgressUpdate } from '../../workers/handler.ts';
import type { TranscodeLimits } from '../../workers/handlers/videos/limits.ts';
import { createTranscode } from '../../workers/handlers/videos/transcode.ts';
import { makeJobDirectory } from '../../workers/tools/job-directory.ts';
import { type FoundMediaTools, findMediaTools } from '../../workers/tools/media-tools.ts';
import { runProcess } from '../../workers/tools/process.ts';
import { type GivenContext, handlerContext } from './handler-context.ts';
import { makeTempDir } from './temp-dir.ts';

export const SAMPLE_PATH = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
export const FORENSICS_DIR = '/usr/share/forensics-samples/original-files';
export const VIDEO_ID = '0198f0a0-0000-7000-8000-000000000001';
export const LIMITS: TranscodeLimits = { maxVideoSeconds: 3600, maxSizeBytes: 2 ** 30 };

const found = new Map<string | null, Promise<FoundMediaTools>>();

/** Looked for once a file: it starts three programs. */
function find(searchPath: string | null): Promise<FoundMediaTools> {
  const known =
    found.get(searchPath) ??
    findMediaTools({ ffmpegPath: null, ffprobePath: null, searchPath, cacheDir: tmpdir() });
  found.set(searchPath, known);
  return known;
}

/** The ffmpeg that npm brings: always there. */
export async function npmMedia(): Promise<FoundMediaTools> {
  return await find(null);
}

/** The system's ffmpeg. Skips the test, saying why, where there is none; in CI that is a failure. */
export async function systemMedia(context: TestContext): Promise<FoundMediaTools> {
  const media = await find(process.env['PATH'] ?? null);
  if (media.ffmpeg.source !== 'system') unavailable(context, 'no ffmpeg of version 5 or newer in PATH');
  return media;
}

/** The media programs by name, for tests that run with each. */
export async function mediaOf(source: 'npm' | 'system', context: TestContext): Promise<FoundMediaTools> {
  return source === 'npm' ? await npmMedia() : await systemMedia(context);
}

/**
 * A file of Debian's forensics-samples-files. Skips the test where it is not installed; in CI that is a
 * failure.
 */
export function forensicsSample(context: TestContext, name: string): string {
  const path = join(FORENSICS_DIR, name);
  if (!existsSync(path))
    unavailable(context, `${path} is not there: install the Debian package forensics-samples-files`);
  return path;
}

function unavailable(context: TestContext, reason: string): never {
  if (process.env['CI'] !== undefined) throw new Error(`${reason}; in CI it must be there`);
  context.skip(reason);
}

/** Runs npm's ffmpeg to make a test's input; arguments as on a command line, output last. */
export async function makeMedia(cwd: string, args: readonly string[]): Promise<string> {
  const { ffmpegPath } = await npmMedia();
  const result = await runProcess({
    file: ffmpegPath,
    args: ['-v', 'error', '-nostdin', '-y', ...args],
    cwd,
    timeoutMs: 300_000,
  });
  if (result.end.how !== 'exited' || result.end.exitCode !== 0)
    throw new Error(`ffmpeg ${args.join(' ')}: ${result.stderr}`);
  return join(cwd, args.at(-1) ?? '');
}

/** Lavfi inputs for `makeMedia`. */
export const PICTURE = (size: string, seconds: number, rate = 25) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
];
export const TONE = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
export const FAST_H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

type TranscodeInput = PayloadOf<typeof transcode>;

export interface TranscodeBench {
  readonly store: LocalObjectStore;
  /** Where the run's temporary directory is made. */
  readonly tempParent: string;
  readonly progress: ProgressUpdate[];
  /** What the settling transaction would have written so far. */
  readonly artifacts: ArtifactRecord[];
  readonly originalKey: string;
  run(overrides?: Partial<GivenContext<TranscodeInput>>, limits?: TranscodeLimits): Promise<Outcome>;
}

/**
 * A real store and real programs around the transcode handler; of the platform only what a handler sees is
 * stood in for. A `done` adds its artifacts to `artifacts`, as settling does.
 * @param sourcePath file that is stored as the original; null stores none
 */
export async function makeTranscodeBench(
  media: FoundMediaTools,
  sourcePath: string | null,
): Promise<TranscodeBench> {
  const directory = await makeTempDir();
  const store = await openLocalStore(join(directory, 'store'));
  const key = originalKey(VIDEO_ID);
  if (sourcePath !== null) await store.put(key, { stream: createReadStream(sourcePath) });
  const bench: TranscodeBench = {
    store,
    tempParent: join(directory, 'temp'),
    progress: [],
    artifacts: [],
    originalKey: key,
    async run(overrides = {}, limits = LIMITS) {
      await using temp = await makeJobDirectory(bench.tempParent);
      const outcome = await createTranscode(limits)(
        handlerContext<TranscodeInput>({
          definitionKey: transcode.key,
          payload: { video_id: VIDEO_ID, s3_original_path: key },
          subject: { type: 'video', id: VIDEO_ID },
          tools: { storage: store, tempDir: async () => temp.path },
          own: { media, video: { begin: async () => {} } },
          artifacts: {
            find: async (kind) => bench.artifacts.filter((row) => kind === undefined || row.kind === kind),
          },
          progress: (update) => bench.progress.push(update),
          ...overrides,
        }),
      );
      if (outcome.kind === 'done') settle(bench.artifacts, outcome.artifacts);
      return outcome;
    },
  };
  return bench;
}

function settle(rows: ArtifactRecord[], artifacts: readonly ArtifactRecord[]): void {
  for (const artifact of artifacts) {
    const index = rows.findIndex((row) => row.key === artifact.key);
    rows.splice(index < 0 ? rows.length : index, index < 0 ? 0 : 1, artifact);
  }
}
