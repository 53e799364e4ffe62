import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { ocr } from '../../../src/domains/videos/definitions/ocr.ts';
import type { FrameManifest } from '../../../src/domains/videos/pipeline/frame-manifest.ts';
import { frameKey, frameManifestKey, framesPrefix } from '../../../src/storage/video-keys.ts';
import type { HandlerContext } from '../../handler.ts';
import type { PixelSize } from '../../tools/video-filters.ts';
import { asMissing } from './missing.ts';

/** Some ten times what the longest video has. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const MAX_SIDE_PX = 65_535;

type OcrPayload = PayloadOf<typeof ocr>;

/** A frame that this job reads. */
export interface FrameToRead {
  readonly tMs: number;
  readonly key: string;
  readonly spans: readonly (readonly [startMs: number, endMs: number])[];
}

export interface FramesToRead {
  /** SHA-256 of the manifest; of the list of frames where there is none. */
  readonly manifestId: string;
  readonly frames: readonly FrameToRead[];
  /** The size of the frames; null where no manifest states it. */
  readonly size: PixelSize | null;
  /** What a pixel of a frame is in pixels of the source. */
  readonly scale: number;
}

/**
 * The frames that a payload names, with the times at which the video shows them.
 * @throws PermanentError `InvalidPayload` for frames of another video, `S3ObjectNotFound` without the
 *   manifest
 */
export async function framesToRead(
  context: HandlerContext<OcrPayload>,
  videoId: string,
): Promise<FramesToRead> {
  const { payload } = context;
  const listed = payload.frame_paths?.map((path) => timeOf(path, videoId));
  if (payload.manifest_key === undefined) return withoutManifest(listed, videoId);
  if (payload.manifest_key !== frameManifestKey(videoId))
    throw refused('manifest_key', payload.manifest_key, frameManifestKey(videoId));
  const { manifest, manifestId } = await readManifest(context, payload.manifest_key, videoId);
  const wanted = listed === undefined ? null : new Set(listed);
  const first = payload.first_frame ?? 0;
  const chosen =
    wanted === null
      ? manifest.frames.slice(first, first + (payload.frame_count ?? manifest.frames.length))
      : manifest.frames.filter(({ tMs }) => wanted.has(tMs));
  return {
    manifestId,
    frames: chosen.map(({ tMs, spans }) => ({ tMs, key: frameKey(videoId, tMs), spans })),
    size: { widthPx: manifest.frameWidthPx, heightPx: manifest.frameHeightPx },
    scale: manifest.widthPx / manifest.frameWidthPx,
  };
}

/** Frames that somebody lists by hand: each is shown at its own time, and nobody knows for how long. */
function withoutManifest(listed: readonly number[] | undefined, videoId: string): FramesToRead {
  if (listed === undefined)
    throw new PermanentError(
      'InvalidPayload',
      'The payload names no frames; allowed: frame_paths or manifest_key',
    );
  const manifestId = createHash('sha256').update(JSON.stringify(listed)).digest('hex');
  const frames = listed.map((tMs) => ({ tMs, key: frameKey(videoId, tMs), spans: [[tMs, tMs] as const] }));
  return { manifestId, frames, size: null, scale: 1 };
}

/** `frames/{video_id}/{timestamp_ms}.jpg` */
function timeOf(path: string, videoId: string): number {
  const prefix = framesPrefix(videoId);
  const time = path.startsWith(prefix) ? /^(\d{1,12})\.jpg$/.exec(path.slice(prefix.length)) : null;
  if (time === null) throw refused('frame_paths', path, `${prefix}{timestamp_ms}.jpg`);
  return Number(time[1]);
}

async function readManifest(
  { tools, signal }: HandlerContext<OcrPayload>,
  key: string,
  videoId: string,
): Promise<{ readonly manifest: FrameManifest; readonly manifestId: string }> {
  try {
    const { stream, contentLengthBytes } = await tools.storage.get(key, { signal });
    if (contentLengthBytes > MAX_MANIFEST_BYTES) {
      stream.destroy();
      throw new PermanentError(
        'InvalidManifest',
        `${key} has ${contentLengthBytes} bytes; allowed: ${MAX_MANIFEST_BYTES}`,
      );
    }
    const bytes = await buffer(stream);
    const manifest = manifestOf(bytes.toString('utf8'), videoId);
    if (manifest === null)
      throw new PermanentError('InvalidManifest', `${key} is no list of frames as sample writes it`);
    return { manifest, manifestId: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    throw asMissing(error, 'The list of frames was', key);
  }
}

/** What is read of a manifest, if it is one of this video: a store has other writers than us. */
function manifestOf(json: string, videoId: string): FrameManifest | null {
  try {
    const manifest = parseJson(json) as FrameManifest;
    const { version, widthPx, heightPx, frameWidthPx, frameHeightPx, frames } = manifest;
    const isOurs =
      version === 1 &&
      manifest.videoId === videoId &&
      [widthPx, heightPx, frameWidthPx, frameHeightPx].every(
        (px) => isWhole(px) && px > 0 && px <= MAX_SIDE_PX,
      ) &&
      frames.every(
        ({ tMs, spans }) =>
          isWhole(tMs) && spans.every(([start, end]) => isWhole(start) && isWhole(end) && start <= end),
      );
    return isOurs ? manifest : null;
  } catch {
    return null;
  }
}

/** For milliseconds, which become part of a file's name, and for pixels. */
function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < 1e12;
}

function refused(field: string, shown: string, allowed: string): PermanentError {
  return new PermanentError('InvalidPayload', `${field} has ${JSON.stringify(shown)}; allowed: ${allowed}`);
}
