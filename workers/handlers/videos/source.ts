import { join } from 'node:path';
import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import type { ObjectStat } from '../../../src/storage/object-store.ts';
import { originalPrefix } from '../../../src/storage/video-keys.ts';
import type { HandlerContext, MediaTools } from '../../handler.ts';
import { checkPictureSize, probe } from '../../tools/ffprobe.ts';
import { VIDEO_FORMATS } from '../../tools/media-formats.ts';
import type { MediaInfo, ProbedMedia } from '../../tools/media-info.ts';
import { checkDuration, type TranscodeLimits } from './limits.ts';
import { measureSource } from './measured-source.ts';
import { asMissing } from './missing.ts';
import { noVideo } from './source-errors.ts';
import type { MeasuredSource, VideoSource } from './video-source.ts';

export type { VideoSource } from './video-source.ts';

/**
 * The id of the video that a payload is about.
 * @throws PermanentError `InvalidPayload` when payload, subject and key disagree: keys don't carry the
 *   tenant, so a job must not be talked into reading the original of a video other than its own
 */
export function videoOfPayload(
  payload: { readonly video_id: string; readonly s3_original_path: string },
  subject: HandlerContext['subject'],
): string {
  const videoId = videoOfJob(payload, subject);
  const prefix = originalPrefix(videoId);
  if (!payload.s3_original_path.startsWith(prefix)) {
    throw new PermanentError(
      'InvalidPayload',
      `s3_original_path is ${payload.s3_original_path}; allowed: a key below ${prefix}`,
    );
  }
  return videoId;
}

/**
 * The video that a job is about. Rows and stores go by the job's subject, objects by its payload: the two
 * must name the same.
 * @throws PermanentError `InvalidPayload`
 */
export function videoOfJob(
  payload: { readonly video_id: string },
  subject: HandlerContext['subject'],
): string {
  const videoId = payload.video_id.toLowerCase();
  if (subject?.type === 'video' && subject.id.toLowerCase() === videoId) return videoId;
  throw new PermanentError(
    'InvalidPayload',
    `video_id is ${videoId}, but the job's subject is ${subject?.type ?? 'none'} ${subject?.id ?? ''}`,
  );
}

/**
 * What the store knows of the original.
 * @throws PermanentError `S3ObjectNotFound` (the video system's name), `ObjectTooLarge`, `InvalidPayload` for
 *   a malformed key
 */
export async function statOriginal(
  context: HandlerContext,
  key: string,
  limits: TranscodeLimits,
): Promise<ObjectStat> {
  const stat = await context.tools.storage.stat(key).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'InvalidKey')) throw error;
    throw new PermanentError('InvalidPayload', error.message, error);
  });
  if (stat === null) throw new PermanentError('S3ObjectNotFound', `Original video not found at ${key}`);
  if (stat.sizeBytes > limits.maxSizeBytes) {
    throw new PermanentError(
      'ObjectTooLarge',
      `The video has ${stat.sizeBytes} bytes; allowed: ${limits.maxSizeBytes}`,
    );
  }
  return stat;
}

/**
 * Brings the original to this machine's disk (in place, where the store keeps it as a file), probes and
 * measures it.
 * @throws PermanentError as `probe` and `measureSource`, and `S3ObjectNotFound`
 */
export async function openSource(
  context: HandlerContext,
  media: MediaTools,
  key: string,
  limits: TranscodeLimits,
): Promise<MeasuredSource> {
  const path = await localFile(context, key, await context.tools.tempDir());
  return await measureSource(context, media, path, await probeSource(context, media, path), limits);
}

/**
 * Probes an original of which only a part is going to be read: for its length, its head is taken at its word.
 * @param path absolute path, or the address of a served object
 * @throws PermanentError as `probe`, `NotAVideo`, `PictureTooLarge`, `VideoTooLong`
 */
export async function describeSource(
  context: HandlerContext,
  media: MediaTools,
  path: string,
  limits: TranscodeLimits,
): Promise<VideoSource> {
  const source = sourceOf(path, await probeSource(context, media, path), limits);
  checkPictureSize(source.video, media.limits);
  return source;
}

async function probeSource(
  { tools, signal }: HandlerContext,
  media: MediaTools,
  path: string,
): Promise<ProbedMedia> {
  return await probe(path, {
    ffprobePath: media.ffprobePath,
    formats: VIDEO_FORMATS,
    cwd: await tools.tempDir(),
    signal,
    limits: media.limits,
  });
}

/**
 * An original of which is known what it is.
 * @throws PermanentError `NotAVideo`, `VideoTooLong`
 */
export function sourceOf(path: string, info: MediaInfo, limits: TranscodeLimits): VideoSource {
  if (info.video === null) throw noVideo(info);
  if (info.durationSeconds !== null) checkDuration(info.durationSeconds, limits);
  return { path, info, video: info.video };
}

async function localFile({ tools, signal }: HandlerContext, key: string, directory: string): Promise<string> {
  try {
    if (tools.storage.localPath !== undefined) return await tools.storage.localPath(key);
    const path = join(directory, 'source');
    await tools.storage.copyToFile(key, path, { signal });
    return path;
  } catch (error) {
    throw asMissing(error, 'Original video', key);
  }
}
