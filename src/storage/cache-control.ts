import { contentTypeOfKey } from './content-type.ts';
import { runOfSegment } from './video-keys.ts';

/**
 * A poster, a frame, a clip may be made again under its name: what a cache holds is asked about after so
 * long, which costs a 304.
 */
const FRESH_SECONDS = 300;

/**
 * What the video pipeline makes. Of a log that grows, or a picture of somebody's own job, nobody knows how
 * soon it is another one.
 */
const OF_VIDEOS = /^(videos|thumbs|frames)\//;

/**
 * What a cache of the one who has the signed URL of an object may do with it.
 * @param lifeSeconds for how long the URL is good at most
 */
export function cacheControlOf(key: string, lifeSeconds: number): string {
  // It is written again while its stream is made, and again when a video is transcoded again.
  if (isPlaylist(key)) return 'private, no-cache';
  // Its name carries the run that made it: no other one writes it.
  if (runOfSegment(key) !== null) return `private, max-age=${lifeSeconds}, immutable`;
  if (!OF_VIDEOS.test(key)) return 'private, no-cache';
  return `private, max-age=${Math.min(lifeSeconds, FRESH_SECONDS)}`;
}

/** Whether an object is an HLS playlist, by its key. */
export function isPlaylist(key: string): boolean {
  return contentTypeOfKey(key) === 'application/vnd.apple.mpegurl';
}

/**
 * Whether what an object says names others relative to its own URL: a playlist, the track of a storyboard.
 */
export function namesOthers(key: string): boolean {
  return isPlaylist(key) || contentTypeOfKey(key).startsWith('text/vtt');
}
