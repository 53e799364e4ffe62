import type { VideoPart } from './url-signer.ts';

/** A playlist of those segments of another that show a part of the video. */
export interface PartPlaylist {
  /** As the other playlist names them, in their order. */
  readonly segments: readonly PartSegment[];
  /** Where the first segment begins within the video. */
  readonly firstMs: number;
  readonly targetDurationSeconds: number;
  /** All of the part is there; else the other playlist still grows. */
  readonly complete: boolean;
}

export interface PartSegment {
  readonly name: string;
  readonly durationSeconds: number;
}

/** Names of ours, relative to the playlist: never a way out of its folder, nor a URL. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * The playlist of the best rung that a master playlist names, by its bandwidth; null where the text is no master playlist.
 * @throws Error when it names none of ours
 */
export function bestRung(text: string): string | null {
  const lines = linesOf(text);
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
 * Chooses the segments of a media playlist that show a part of the video. Of its tags those are looked at that our encoder writes.
 * @throws Error when it is no media playlist
 */
export function partOf(text: string, { startMs, endMs }: VideoPart): PartPlaylist {
  const segments: PartSegment[] = [];
  let pending: number | null = null;
  let targetDurationSeconds = 0;
  let atSeconds = 0;
  let firstMs = 0;
  for (const line of linesOf(text)) {
    const duration = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
    if (duration !== undefined) pending = Number(duration);
    targetDurationSeconds = Number(/^#EXT-X-TARGETDURATION:(\d+)$/.exec(line)?.[1] ?? targetDurationSeconds);
    if (line === '' || line.startsWith('#')) continue;
    if (pending === null) throw new Error(`Segment ${JSON.stringify(line)} has no #EXTINF`);
    const endsSeconds: number = atSeconds + pending;
    if (endsSeconds * 1000 > startMs && atSeconds * 1000 < endMs) {
      if (segments.length === 0) firstMs = Math.round(atSeconds * 1000);
      segments.push({ name: checkName(line), durationSeconds: pending });
    }
    atSeconds = endsSeconds;
    pending = null;
  }
  const isWhole = linesOf(text).includes('#EXT-X-ENDLIST');
  return { segments, firstMs, targetDurationSeconds, complete: isWhole || atSeconds * 1000 >= endMs };
}

/**
 * The part as a playlist of its own, with an address for each segment. A player begins at the very start of the part, within the
 * first segment; PROGRAM-DATE-TIME counts from 1970, and so says where in the video a picture stands.
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

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new Error('An HLS playlist begins with #EXTM3U');
  return lines;
}

function checkName(name: string): string {
  if (!NAME.test(name))
    throw new Error(`${JSON.stringify(name.slice(0, 80))} is no name of a segment or playlist`);
  return name;
}
