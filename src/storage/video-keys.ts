import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/**
 * Extensions that an upload's key may carry; anything else is stored as `master.mp4` (the content decides,
 * not the name).
 */
const ORIGINAL_EXTENSIONS = new Set([
  '3gp',
  'avi',
  'm4v',
  'mkv',
  'mov',
  'mp4',
  'mpeg',
  'mpg',
  'ogv',
  'ts',
  'webm',
]);

/**
 * Seed 001: `videos/original/{video_id}/master.mp4`, the extension following the uploaded file's where it is
 * a known one.
 */
export function originalKey(videoId: string, fileName = 'master.mp4'): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return `${originalPrefix(videoId)}master.${ORIGINAL_EXTENSIONS.has(extension) ? extension : 'mp4'}`;
}

/** What every original of a video begins with: `videos/original/{video_id}/`. */
export function originalPrefix(videoId: string): string {
  return `videos/original/${checkId(videoId)}/`;
}

/** Seed 001: `videos/proxy/{video_id}/`; the playlist's relative names resolve below it. */
export function proxyPrefix(videoId: string): string {
  return `videos/proxy/${checkId(videoId)}/`;
}

/** Seed 001: `videos/proxy/{video_id}/index.m3u8`. */
export function playlistKey(videoId: string): string {
  return `${proxyPrefix(videoId)}index.m3u8`;
}

/**
 * File name of a segment. It carries the run, so that an overtaken worker cannot overwrite what a later run
 * published.
 */
export function segmentName(runNo: number, index: number): string {
  return `segment_r${runNo}_${index}.ts`;
}

/** Seed 001: `thumbs/{video_id}/poster.jpg`. */
export function posterKey(videoId: string): string {
  return `thumbs/${checkId(videoId)}/poster.jpg`;
}

/** Seed 001: `videos/clips/{video_id}/{clip_id}.mp4`. */
export function clipKey(videoId: string, clipId: string): string {
  return `videos/clips/${checkId(videoId)}/${checkId(clipId, 'clipId')}.mp4`;
}

/** Ids are lower-cased: the database prints them so, and a key must not depend on how a client wrote one. */
function checkId(id: string, field: 'videoId' | 'clipId' = 'videoId'): string {
  if (isUuid(id)) return id.toLowerCase();
  const what = field === 'videoId' ? 'Video' : 'Clip';
  throw new DomainError('InvalidKey', `${what} id ${JSON.stringify(id.slice(0, 80))} is not a UUID`, {
    field,
    allowed: 'a UUID',
  });
}
