import { boxAt, boxesIn, readMoov } from './mp4-boxes.ts';

/** What the index of an MP4 says, where it stands in front. */
export interface Mp4Head {
  readonly durationSeconds: number;
  /** Tracks of any kind. */
  readonly trackCount: number;
}

/**
 * Reads the index of an MP4 of ours: far cheaper than another program that does.
 * @returns null when there is no whole index before the pictures
 */
export async function readMp4Head(path: string): Promise<Mp4Head | null> {
  const moov = await readMoov(path);
  if (moov === null || !moov.isInFront) return null;
  try {
    const header = boxAt(moov.body, 'mvhd');
    const durationSeconds = header === undefined ? null : durationOf(header);
    if (durationSeconds === null) return null;
    const trackCount = [...boxesIn(moov.body)].filter(({ type }) => type === 'trak').length;
    return { durationSeconds, trackCount };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Version 0 has 32-bit times, version 1 has 64-bit ones. */
function durationOf(mvhd: Buffer): number | null {
  const isLong = mvhd[0] === 1;
  if (mvhd.length < (isLong ? 32 : 20)) return null;
  const timescale = mvhd.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  return timescale === 0 ? null : duration / timescale;
}
