import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/**
 * The video system's contract: `frames/{video_id}/{timestamp_ms}.jpg`. @param videoId as the database prints
 * it
 */
export function keptFrameKey(videoId: string, tMs: number): string {
  return `frames/${videoId}/${tMs}.jpg`;
}

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
 * The video system's contract: `videos/original/{video_id}/master.mp4`, the extension following the uploaded
 * file's where it is a known one.
 */
export function originalKey(videoId: string, fileName = 'master.mp4'): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return `${originalPrefix(videoId)}master.${ORIGINAL_EXTENSIONS.has(extension) ? extension : 'mp4'}`;
}

/** What every original of a video begins with: `videos/original/{video_id}/`. */
export function originalPrefix(videoId: string): string {
  return `videos/original/${checkId(videoId)}/`;
}

/**
 * The video system's contract: `videos/proxy/{video_id}/`; the playlist's relative names resolve below it.
 */
export function proxyPrefix(videoId: string): string {
  return `videos/proxy/${checkId(videoId)}/`;
}

/** The video system's contract: `videos/proxy/{video_id}/index.m3u8`. */
export function playlistKey(videoId: string): string {
  return `${proxyPrefix(videoId)}index.m3u8`;
}

/**
 * File name of a segment. It carries the run, so that an overtaken worker cannot overwrite what a later run
 * published.
 * @param rendition name of a rendition below the best (`480p`); null for the best, and where there is but one
 */
export function segmentName(runNo: number, index: number, rendition: string | null = null): string {
  return `segment_r${runNo}_${rendition === null ? '' : `${rendition}_`}${index}.ts`;
}

/** File name of the playlist of one rendition of a ladder, which `index.m3u8` then names. */
export function renditionPlaylistName(runNo: number, rendition: string | null): string {
  return `stream_r${runNo}${rendition === null ? '' : `_${rendition}`}.m3u8`;
}

/**
 * `videos/proxy/{video_id}/live_r{run}.m3u8`: what a run has made so far, to be played while it makes the
 * rest.
 */
export function livePlaylistKey(videoId: string, runNo: number): string {
  return `${proxyPrefix(videoId)}live_r${runNo}.m3u8`;
}

/** The video whose live playlist a key is; null for every other key. */
export function videoOfLivePlaylist(key: string): string | null {
  const id = /^videos\/proxy\/([0-9a-f-]{36})\/live_r\d+\.m3u8$/.exec(key)?.[1];
  return id !== undefined && isUuid(id) ? id : null;
}

/** The run that a file below `proxyPrefix` carries in its name; null for those with fixed names. */
export function runOfProxyFile(name: string): number | null {
  const run = /^(?:segment|stream|live)_r(\d+)[_.]/.exec(name)?.[1];
  return run === undefined ? null : Number(run);
}

/** The run that made a segment, by its key; null for the keys of everything else. */
export function runOfSegment(key: string): number | null {
  const run = /^videos\/proxy\/[^/]+\/segment_r(\d+)_/.exec(key)?.[1];
  return run === undefined ? null : Number(run);
}

/** The video system's contract: `thumbs/{video_id}/poster.jpg`. */
export function posterKey(videoId: string): string {
  return `thumbs/${checkId(videoId)}/poster.jpg`;
}

/** `thumbs/{video_id}/storyboard/`; the track's relative names resolve below it. */
export function storyboardPrefix(videoId: string): string {
  return `thumbs/${checkId(videoId)}/storyboard/`;
}

/** `thumbs/{video_id}/storyboard/index.vtt`: which small picture a player shows for which time. */
export function storyboardKey(videoId: string): string {
  return `${storyboardPrefix(videoId)}index.vtt`;
}

/** The video system's contract: `frames/{video_id}/`. */
export function framesPrefix(videoId: string): string {
  return `frames/${checkId(videoId)}/`;
}

/** Where a frame's picture is. */
export function frameKey(videoId: string, tMs: number): string {
  return keptFrameKey(checkId(videoId), tMs);
}

/** `frames/{video_id}/manifest.json`: which frames are kept, and when the video shows them. */
export function frameManifestKey(videoId: string): string {
  return `${framesPrefix(videoId)}manifest.json`;
}

/**
 * `videos/texts/{video_id}.vtt`: names the track of a video's texts in its URL. No object of the store has
 * this key.
 */
export function textTrackKey(videoId: string): string {
  return `videos/texts/${checkId(videoId)}.vtt`;
}

/** The video of a `textTrackKey`; null for every other key. */
export function videoOfTextTrack(key: string): string | null {
  const id = /^videos\/texts\/([0-9a-f-]{36})\.vtt$/.exec(key)?.[1];
  return id !== undefined && isUuid(id) ? id : null;
}

/** The video system's contract: `videos/clips/{video_id}/{clip_id}.mp4`. */
export function clipKey(videoId: string, clipId: string): string {
  return `videos/clips/${checkId(videoId)}/${checkId(clipId, 'clipId')}.mp4`;
}

/** All places where files of a video are. */
export function prefixesOfVideo(videoId: string): readonly string[] {
  const id = checkId(videoId);
  return [originalPrefix(id), proxyPrefix(id), `thumbs/${id}/`, framesPrefix(id), `videos/clips/${id}/`];
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

/** What every original begins with. */
export const ORIGINALS_PREFIX = 'videos/original/';

/** The id and the file name in `videos/original/{video_id}/{file}`; null for every other key. */
export function partsOfOriginal(key: string): { readonly videoId: string; readonly fileName: string } | null {
  const [videoId = '', fileName, ...more] = key.startsWith(ORIGINALS_PREFIX)
    ? key.slice(ORIGINALS_PREFIX.length).split('/')
    : [];
  // As `originalKey` writes it: else one file would be two videos.
  if (!isUuid(videoId) || videoId !== videoId.toLowerCase()) return null;
  return fileName === undefined || fileName === '' || more.length > 0 ? null : { videoId, fileName };
}

/** A title for an original that comes with none: the file's name, where it says anything. */
export function titleOfOriginal(videoId: string, fileName: string): string {
  return fileName.startsWith('master.') ? videoId : fileName;
}
