import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { visibleWords } from '../../bench/accuracy/browser-words.ts';
import type { PayloadOf } from '../../src/core/definition.ts';
import type { ClaimedJob } from '../../src/core/queue.ts';
import type { FrameTextStore } from '../../src/domains/search/stores/contract.ts';
import { createFrameTextStore } from '../../src/domains/search/stores/frame-text-store.ts';
import { ocr } from '../../src/domains/videos/definitions/ocr.ts';
import type { FrameManifest } from '../../src/domains/videos/pipeline/frame-manifest.ts';
import type { LocalObjectStore } from '../../src/storage/local-store.ts';
import { frameKey, frameManifestKey } from '../../src/storage/video-keys.ts';
import type { MediaTools, OcrTools, ProgressUpdate } from '../../workers/handler.ts';
import { createOcr } from '../../workers/handlers/videos/ocr.ts';
import { makeJobDirectory } from '../../workers/tools/job-directory.ts';
import { findOcrTools } from '../../workers/tools/ocr-tools.ts';
import { handlerContext } from './handler-context.ts';
import type { TestQueue } from './queue.ts';
import { makeTempDir } from './temp-dir.ts';

export const WIDTH_PX = 640;
export const HEIGHT_PX = 200;

export type OcrPayload = PayloadOf<typeof ocr>;

/** A picture of print, with its words as the browser has placed them. */
export interface Print {
  readonly jpeg: Buffer;
  readonly words: readonly {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** Renders HTML as a frame of a screen recording. */
export async function print(page: Page, html: string): Promise<Print> {
  await page.setViewportSize({ width: WIDTH_PX, height: HEIGHT_PX });
  await page.setContent(
    `<style>body { margin: 0; padding: 14px; font: 18px/1.5 sans-serif; background: #fff; color: #111 }</style>${html}`,
  );
  const jpeg = await page.screenshot({ type: 'jpeg', quality: 90 });
  return { jpeg, words: await page.evaluate(visibleWords) };
}

/** A video with kept frames, a second apart, and the claimed job that reads them. */
export interface FramedVideo {
  readonly tenantId: string;
  readonly videoId: string;
  readonly claimed: ClaimedJob;
  readonly progress: ProgressUpdate[];
  readonly frameText: FrameTextStore;
  run(options: RunOptions): Promise<{ readonly kind: string; readonly result?: unknown }>;
  /** Its segments in the order of time and place, without ids and times of writing. */
  segments(): Promise<readonly Segment[]>;
}

interface RunOptions {
  readonly ocr: OcrTools | null;
  readonly media: MediaTools;
  readonly payload?: Partial<OcrPayload>;
  /** The video names no languages, nor does the installation. */
  readonly byDefault?: boolean;
  readonly signal?: AbortSignal;
  readonly frameText?: FrameTextStore;
}

export interface Segment {
  readonly frame_ms: number;
  readonly t_start: number;
  readonly t_end: number;
  readonly text: string;
  readonly language: string;
  readonly confidence: number;
  readonly bounding_box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  readonly words: readonly (Print['words'][number] & { readonly confidence: number })[];
  readonly owner_id: string | null;
  readonly team_id: string | null;
  readonly normalized_text: string;
  readonly text_hash: string;
}

/**
 * @param spans of the frames; a second from each frame's time on where omitted
 */
export async function makeFramedVideo(
  q: TestQueue,
  store: LocalObjectStore,
  tenantId: string,
  frames: readonly Buffer[],
  spans?: FrameManifest['frames'][number]['spans'],
): Promise<FramedVideo> {
  const videoId = randomUUID();
  await q.superuser.query(
    `insert into millrace.videos (id, tenant_id, title, original_key, owner_id, team_id) values ($1, $2, 'A talk', 'x', 'ann', 'blue')`,
    [videoId, tenantId],
  );
  for (const [index, jpeg] of frames.entries())
    await store.put(frameKey(videoId, 1000 * index), { stream: Readable.from([jpeg]) });
  const manifest: Partial<FrameManifest> = {
    version: 1,
    videoId,
    // Frames of half the source's size: boxes are given in pixels of the source.
    widthPx: 2 * WIDTH_PX,
    heightPx: 2 * HEIGHT_PX,
    frameWidthPx: WIDTH_PX,
    frameHeightPx: HEIGHT_PX,
    frames: frames.map((jpeg, index) => ({
      tMs: 1000 * index,
      sizeBytes: jpeg.length,
      sha256: '',
      meanLuma: 128,
      spans: spans ?? [[1000 * index, 1000 * index + 1000]],
    })),
  };
  await store.put(frameManifestKey(videoId), { stream: Readable.from([JSON.stringify(manifest)]) });
  const payload: OcrPayload = {
    video_id: videoId,
    manifest_key: frameManifestKey(videoId),
    languages: ['eng'],
    min_confidence: 0.6,
  };
  const { languages: _named, ...withoutLanguages } = payload;
  const claimed = await claimOcr(q, tenantId, payload);
  const progress: ProgressUpdate[] = [];
  const frameText = createFrameTextStore(q.db, claimed.job, claimed.lease);
  const temporary = await makeTempDir();
  return {
    tenantId,
    videoId,
    claimed,
    progress,
    frameText,
    run: async (options) => {
      await using temp = await makeJobDirectory(join(temporary, 'jobs'));
      return await createOcr({ languages: null })(
        handlerContext<OcrPayload>({
          payload: {
            ...(options.byDefault === true ? withoutLanguages : payload),
            ...options.payload,
          },
          subject: claimed.job.subject,
          ...(options.signal && { signal: options.signal }),
          tools: { storage: store, tempDir: async () => temp.path },
          own: { media: options.media, ocr: options.ocr, frameText: options.frameText ?? frameText },
          progress: (update) => progress.push(update),
        }),
      );
    },
    segments: async () => {
      const { rows } = await q.superuser.query(
        `select frame_ms::float8, t_start::float8, t_end::float8, text, language, confidence::float8, bounding_box, words, owner_id,
                team_id, normalized_text, text_hash
         from millrace.segments where video_id = $1
         order by t_start, (bounding_box ->> 'y')::int, (bounding_box ->> 'x')::int, text`,
        [videoId],
      );
      return rows;
    },
  };
}

/** A further job for the frames of a video, as a chunk of a long one is. */
export async function claimOcr(q: TestQueue, tenantId: string, payload: OcrPayload): Promise<ClaimedJob> {
  const [enqueued] = await q.queue.enqueue(tenantId, [
    { definitionKey: ocr.key, payload, subject: { type: 'video', id: payload.video_id } },
  ]);
  const claimed = (await q.claim()).find(({ job }) => job.id === enqueued?.id);
  if (claimed === undefined) throw new Error('the job was not claimed');
  return claimed;
}

/** The reader that npm brings: always there. */
export function npmOcr(): Promise<OcrTools> {
  return findOcrTools({ tesseractPath: null, searchPath: null });
}

/**
 * The system's tesseract with these languages. Skips the test, saying why, where there is none; in CI that is
 * a failure.
 */
export async function systemOcr(context: TestContext, ...languages: readonly string[]): Promise<OcrTools> {
  const found = await findOcrTools({ tesseractPath: null, searchPath: process.env['PATH'] ?? null });
  if (found.engine === 'tesseract' && languages.every((language) => found.languages.includes(language)))
    return found;
  const reason = `no tesseract in PATH with ${languages.join(', ')}`;
  if (process.env['CI'] !== undefined) throw new Error(`${reason}; in CI it must be there`);
  return context.skip(reason);
}
