import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config/config.ts';
import type { PayloadOf } from '../../src/core/definition.ts';
import type { ocr as definition } from '../../src/domains/videos/definitions/ocr.ts';
import type { FrameManifest } from '../../src/domains/videos/pipeline/frame-manifest.ts';
import { openLocalStore } from '../../src/storage/local-store.ts';
import { frameKey, frameManifestKey } from '../../src/storage/video-keys.ts';
import { handlerContext } from '../../test/support/handler-context.ts';
import type { MediaTools, OcrTools } from '../../workers/handler.ts';
import { createOcr } from '../../workers/handlers/videos/ocr.ts';
import { makeFramePictures } from '../../workers/tools/ocr/frame-pictures.ts';
import { openTesseract } from '../../workers/tools/ocr/tesseract.ts';
import { findOcrTools } from '../../workers/tools/ocr-tools.ts';
import { recordFeed } from '../accuracy/record-feed.ts';
import { openSampler } from '../accuracy/sample-feed.ts';
import { machineMs } from '../measuring/clock.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { interleavedPairs } from '../measuring/pairs.ts';
import { openBareFfmpeg } from '../stage/bare-ffmpeg.ts';
import { makeBenchDirectory } from '../stage/directory.ts';

const GOAL_RATIO = 1.1;
const SAMPLE = fileURLToPath(new URL('../../assets/sample.mp4', import.meta.url));
const FRAMES = 24;
const QUICK_FRAMES = 4;

/**
 * The reader's handler with a real store, which makes each frame's pictures itself, against tesseract alone
 * on the same pictures, made beforehand, by as many processes as there are cores.
 */
export const ocr: Measure = {
  name: 'ocr',
  title:
    'Reading the kept frames of a screen recording ÷ tesseract alone on the same pictures with all cores',
  async run({ effort, say }) {
    await using stage = await makeBenchDirectory();
    const directory = stage.path;
    const { media } = await openBareFfmpeg(directory);
    const { tesseractPath, searchPath } = loadConfig({ PATH: process.env['PATH'] });
    const tools = await findOcrTools({ tesseractPath, searchPath });
    if (tools.path === null) throw new Error('This compares with the program tesseract, which is not here');
    const source = effort.quick ? SAMPLE : (await recordFeed(media.ffmpegPath, directory)).videoPath;
    const manifest = await (await openSampler(source, directory, media)).run();
    const frames = manifest.frames.slice(0, effort.quick ? QUICK_FRAMES : FRAMES).map(({ tMs }) => tMs);
    const harness = { directory, media, tools, manifest, frames };
    const alone = await openAlone(harness, tools.path);
    const through = (): Promise<number> => secondsOf(() => readAll(harness));
    await through();
    say(
      `${tools.path} ${tools.version}, ${frames.length} frames of ${manifest.frameWidthPx} × ${manifest.frameHeightPx}`,
    );
    const pairs = await interleavedPairs(
      effort.pairs,
      through,
      () => secondsOf(alone),
      ({ a, b }) => say(`reader ${rounded(a)} s, tesseract alone ${rounded(b)} s, ratio ${rounded(a / b)}`),
    );
    return [
      figureOf(
        { name: 'ocr, handler ÷ tesseract', unit: '×', goal: GOAL_RATIO },
        pairs.map(({ a, b }) => a / b),
      ),
      figureOf(
        { name: 'ocr, a frame', unit: 's', goal: null },
        pairs.map(({ a }) => a / frames.length),
      ),
    ];
  },
};

interface Harness {
  readonly directory: string;
  readonly media: MediaTools;
  readonly tools: OcrTools;
  readonly manifest: FrameManifest;
  readonly frames: readonly number[];
}

let runs = 0;

async function readAll({ directory, media, tools, manifest, frames }: Harness): Promise<void> {
  const { videoId } = manifest;
  const temp = join(directory, `ocr-${runs++}`);
  await mkdir(temp);
  await createOcr({ languages: ['eng'] })(
    handlerContext<PayloadOf<typeof definition>>({
      payload: {
        video_id: videoId,
        frame_paths: frames.map((tMs) => frameKey(videoId, tMs)),
        manifest_key: frameManifestKey(videoId),
        min_confidence: 0.6,
      },
      subject: { type: 'video', id: videoId },
      tools: {
        storage: await openLocalStore(join(directory, 'store')),
        tempDir: async () => temp,
      },
      own: {
        media,
        ocr: tools,
        frameText: { findRead: async () => new Set<number>(), commit: async () => {} },
      },
    }),
  );
}

/** Makes the pictures, and gives what reads them all, with a program a frame. */
async function openAlone(harness: Harness, path: string): Promise<() => Promise<void>> {
  const { directory, media, manifest, frames } = harness;
  const store = await openLocalStore(join(directory, 'store'));
  const size = { widthPx: manifest.frameWidthPx, heightPx: manifest.frameHeightPx };
  const pictures: (readonly string[])[] = [];
  for (const tMs of frames) {
    const framePath = await store.localPath(frameKey(manifest.videoId, tMs));
    const made = { media, size, directory: join(directory, `pictures-${tMs}`) };
    pictures.push((await makeFramePictures([framePath], made)).paths);
  }
  return async () => {
    const engine = openTesseract({ path, languages: ['eng'], directory });
    const rest = [...pictures];
    const read = async (): Promise<void> => {
      for (let paths = rest.shift(); paths !== undefined; paths = rest.shift())
        await engine.read(paths, new AbortController().signal);
    };
    await Promise.all(Array.from({ length: availableParallelism() }, read));
  };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = machineMs();
  await work();
  return (machineMs() - beganMs) / 1000;
}
