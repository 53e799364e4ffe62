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
 * Reads an HLS media playlist.
 * @throws Error when it is none, or a segment has no duration
 */
export function parseHlsPlaylist(text: string): HlsPlaylist {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new Error('An HLS playlist begins with #EXTM3U');
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
