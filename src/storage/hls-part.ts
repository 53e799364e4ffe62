import { type HlsSegment, parseHlsPlaylist, playlistLines } from './hls-playlist.ts';
import type { VideoPart } from './url-signer.ts';

/** A playlist of those segments of another that show a part of the video. */
export interface PartPlaylist {
  /** As the other playlist names them, in their order. */
  readonly segments: readonly HlsSegment[];
  /** Where the first segment begins within the video. */
  readonly firstMs: number;
  readonly targetDurationSeconds: number;
  /** All of the part is there; else the other playlist still grows. */
  readonly complete: boolean;
}

/** Names of ours, relative to the playlist: never a way out of its folder, nor a URL. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * The playlist of the best rendition that a master playlist names, by its bandwidth; null where the text is
 * no master playlist.
 * @throws Error when it names none of ours
 */
export function bestRendition(text: string): string | null {
  const lines = playlistLines(text);
  let best: { readonly name: string; readonly bandwidth: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF:')) continue;
    const name = lines.slice(index + 1).find((next) => next !== '' && !next.startsWith('#')) ?? '';
    const bandwidth = Number(/[:,]BANDWIDTH=(\d+)/.exec(line)?.[1] ?? 0);
    if (best === null || bandwidth > best.bandwidth) best = { name: checkName(name), bandwidth };
  }
  return best?.name ?? null;
}

/**
 * Chooses the segments of a media playlist that show a part of the video.
 * @throws Error when it is no media playlist
 */
export function partOf(text: string, { startMs, endMs }: VideoPart): PartPlaylist {
  const playlist = parseHlsPlaylist(text);
  const segments: HlsSegment[] = [];
  let atSeconds = 0;
  let firstMs = 0;
  for (const { name, durationSeconds } of playlist.segments) {
    const endsSeconds = atSeconds + durationSeconds;
    if (endsSeconds * 1000 > startMs && atSeconds * 1000 < endMs) {
      if (segments.length === 0) firstMs = Math.round(atSeconds * 1000);
      segments.push({ name: checkName(name), durationSeconds });
    }
    atSeconds = endsSeconds;
  }
  return {
    segments,
    firstMs,
    targetDurationSeconds: playlist.targetDurationSeconds ?? 0,
    complete: playlist.complete || atSeconds * 1000 >= endMs,
  };
}

/**
 * The part as a playlist of its own, with an address for each segment. A player begins at the very start of
 * the part, within the first segment; PROGRAM-DATE-TIME counts from 1970, and so says where in the video a
 * picture stands.
 */
export function writePart(
  { segments, firstMs, targetDurationSeconds, complete }: PartPlaylist,
  { startMs }: VideoPart,
  urls: readonly string[],
): string {
  const offsetSeconds = Math.max(0, startMs - firstMs) / 1000;
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-PLAYLIST-TYPE:${complete ? 'VOD' : 'EVENT'}`,
    `#EXT-X-START:TIME-OFFSET=${offsetSeconds.toFixed(3)},PRECISE=YES`,
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(firstMs).toISOString()}`,
    ...segments.flatMap(({ durationSeconds }, index) => [
      `#EXTINF:${durationSeconds.toFixed(6)},`,
      urls[index] ?? '',
    ]),
    ...(complete ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n');
}

function checkName(name: string): string {
  if (!NAME.test(name))
    throw new Error(`${JSON.stringify(name.slice(0, 80))} is no name of a segment or playlist`);
  return name;
}
