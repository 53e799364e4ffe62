import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PermanentError, toError } from '../../../src/core/errors.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { type Cut, clipArgs, clipSize } from '../../tools/clip-args.ts';
import { checkDiskSpace } from '../../tools/disk-space.ts';
import { runFfmpeg } from '../../tools/ffmpeg.ts';
import { MediaToolError } from '../../tools/media-error.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import { readMp4Head } from '../../tools/mp4-head.ts';
import { encodeTimeoutMs, STALL_TIMEOUT_MS, type TranscodeLimits } from '../videos/limits.ts';
import { logComplaints } from '../videos/log-complaints.ts';
import type { VideoSource } from '../videos/source.ts';

/** A clip on this machine's disk that was looked at: it has pictures. */
export interface MadeClip {
  readonly path: string;
  readonly lengthMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface ClipEncodeOptions {
  readonly source: VideoSource;
  readonly cut: Cut;
  readonly media: MediaTools;
  readonly limits: TranscodeLimits;
  readonly directory: string;
}

const OUTPUT_NAME = 'clip.mp4';
/** Share of the whole that the encoder's progress covers. */
const ENCODED_PERCENT = 95;

/**
 * Makes a clip and looks at what was made: ffmpeg ends with 0 and an empty file when there is nothing in the
 * range.
 * @throws PermanentError `ClipOutOfRange` when no picture lies in the range; MediaToolError
 */
export async function encodeClip(
  context: HandlerContext,
  { source, cut, media, limits, directory }: ClipEncodeOptions,
): Promise<MadeClip> {
  const { path: inputPath, info, video } = source;
  const lengthSeconds = cut.endSeconds - cut.startSeconds;
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  await checkDiskSpace(directory);
  let frames = 0;
  const args = clipArgs(
    { inputPath, info, video, formats: VIDEO_FORMATS, cut, outputName: OUTPUT_NAME },
    media,
  );
  const complaints = await runFfmpeg({
    ffmpegPath: media.ffmpegPath,
    args,
    cwd: directory,
    timeoutMs: encodeTimeoutMs(Math.ceil(lengthSeconds), limits),
    stallTimeoutMs: STALL_TIMEOUT_MS,
    signal,
    onProgress(progress) {
      frames = progress.frames;
      const share = Math.min(1, Math.max(0, progress.outSeconds) / lengthSeconds);
      context.progress({ stage: 'clip', percent: 1 + Math.floor(share * (ENCODED_PERCENT - 1)) });
      checkDiskSpace(directory).catch((error: unknown) => failed.abort(toError(error)));
    },
  });
  logComplaints(context.log, complaints);
  const path = join(directory, OUTPUT_NAME);
  if (frames === 0 || (await stat(path)).size === 0)
    throw new PermanentError(
      'ClipOutOfRange',
      `The video has no picture from ${cut.startSeconds} to ${cut.endSeconds} s`,
    );
  context.progress({ stage: 'verify', percent: 96 });
  await checkDiskSpace(directory);
  const head = await readMp4Head(path);
  const lengthMs = Math.round(Math.min(head?.durationSeconds ?? 0, lengthSeconds) * 1000);
  if (head === null || lengthMs <= 0 || head.trackCount !== (info.audio === null ? 1 : 2))
    throw new MediaToolError('failed', 'ffmpeg wrote no proper clip');
  return { path, lengthMs, ...clipSize(video) };
}
