/** One segment of an HLS media playlist. */
export interface HlsSegment {
  /** As the playlist names it, relative to itself. */
  readonly name: string;
  readonly durationSeconds: number;
}

export interface HlsPlaylist {
  readonly segments: readonly HlsSegment[];
  /** It ends with ENDLIST: nothing more will come. */
  readonly complete: boolean;
  readonly targetDurationSeconds: number | null;
  /** Sum of the segments. */
  readonly durationSeconds: number;
}

/**
 * The lines of a playlist, without what is around them.
 * @throws Error when it is none
 */
export function playlistLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new Error('An HLS playlist begins with #EXTM3U');
  return lines;
}

/**
 * Reads an HLS media playlist, of whose tags those are looked at that our encoder writes.
 * @throws Error when it is none, or a segment has no duration
 */
export function parseHlsPlaylist(text: string): HlsPlaylist {
  const lines = playlistLines(text);
  const segments: HlsSegment[] = [];
  let pending: number | null = null;
  let target: number | null = null;
  for (const line of lines) {
    const duration = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
    if (duration !== undefined) pending = Number(duration);
    target = Number(/^#EXT-X-TARGETDURATION:(\d+)$/.exec(line)?.[1] ?? Number.NaN) || target;
    if (line === '' || line.startsWith('#')) continue;
    if (pending === null) throw new Error(`Segment ${JSON.stringify(line)} has no #EXTINF`);
    segments.push({ name: line, durationSeconds: pending });
    pending = null;
  }
  return {
    segments,
    complete: lines.includes('#EXT-X-ENDLIST'),
    targetDurationSeconds: target,
    durationSeconds: segments.reduce((sum, segment) => sum + segment.durationSeconds, 0),
  };
}

/** A rendition that a master playlist names. */
export interface HlsVariant {
  /** The name of its media playlist, relative to the master. */
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Bits per second of the largest segment, and on average. */
  readonly peakBitsPerSecond: number;
  readonly averageBitsPerSecond: number;
}

/** The media playlists that a master playlist names; null for a playlist that is no master. */
export function variantNames(text: string): readonly string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))) return null;
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * A media playlist with the segments that there are. One that is not complete is an EVENT, whose segments
 * only grow in number; from its beginning, where players would else begin near its end, as with a broadcast.
 */
export function renderMediaPlaylist(segments: readonly HlsSegment[], complete: boolean): string {
  const target = Math.max(1, ...segments.map(({ durationSeconds }) => Math.round(durationSeconds)));
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${complete ? 'VOD' : 'EVENT'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-START:TIME-OFFSET=0,PRECISE=YES',
    ...segments.flatMap(({ name, durationSeconds }) => [`#EXTINF:${durationSeconds.toFixed(6)},`, name]),
    ...(complete ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n');
}

/** A master playlist. Players begin with the first variant and choose another by what their network gives. */
export function renderMasterPlaylist(variants: readonly HlsVariant[]): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...variants.flatMap((variant) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${Math.ceil(variant.peakBitsPerSecond)},AVERAGE-BANDWIDTH=${Math.ceil(
        variant.averageBitsPerSecond,
      )},RESOLUTION=${variant.widthPx}x${variant.heightPx}`,
      variant.name,
    ]),
    '',
  ].join('\n');
}
