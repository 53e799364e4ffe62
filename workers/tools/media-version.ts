/** Which build of ffmpeg or ffprobe it is. */
export interface MediaVersion {
  /** As it names itself: `5.1.9-0+deb12u1`, `N-47683-g0e8eb07980-static`. */
  readonly name: string;
  /**
   * Version of its libavutil, major and minor. Unlike the name it can be compared: development builds have it
   * too.
   */
  readonly avutil: readonly [number, number];
}

/** Reads the output of `ffmpeg -version` or `ffprobe -version`; null when it is something else. */
export function parseMediaVersion(output: string): MediaVersion | null {
  const name = /^ff(?:mpeg|probe) version (\S+)/m.exec(output)?.[1];
  const [, major, minor] = /^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(output) ?? [];
  if (name === undefined || major === undefined || minor === undefined) return null;
  return { name, avutil: [Number(major), Number(minor)] };
}
