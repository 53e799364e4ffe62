import { open } from 'node:fs/promises';

/** What the index of an MP4 says, where it stands in front. */
export interface Mp4Head {
  readonly durationSeconds: number;
  /** Tracks of any kind. */
  readonly trackCount: number;
}

/** Boxes in front of the index: `ftyp`, and at most some padding. */
const MAX_BOXES = 8;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the index of an MP4 of ours: far cheaper than another program that does.
 * @returns null when there is no whole index before the pictures
 */
export async function readMp4Head(path: string): Promise<Mp4Head | null> {
  await using file = await open(path, 'r');
  const head = Buffer.alloc(8);
  for (let at = 0, box = 0; box < MAX_BOXES; box++) {
    if ((await file.read(head, 0, 8, at)).bytesRead < 8) return null;
    const [sizeBytes, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
    if (type === 'mdat' || sizeBytes < 8) return null;
    if (type === 'moov') {
      if (sizeBytes > MAX_INDEX_BYTES) return null;
      const moov = Buffer.alloc(sizeBytes - 8);
      const { bytesRead } = await file.read(moov, 0, moov.length, at + 8);
      return bytesRead === moov.length ? parseMoov(moov) : null;
    }
    at += sizeBytes;
  }
  return null;
}

function parseMoov(moov: Buffer): Mp4Head | null {
  let durationSeconds: number | null = null;
  let trackCount = 0;
  for (let at = 0; at + 8 <= moov.length; ) {
    const sizeBytes = moov.readUInt32BE(at);
    const type = moov.toString('latin1', at + 4, at + 8);
    if (sizeBytes < 8 || at + sizeBytes > moov.length) return null;
    if (type === 'mvhd') durationSeconds = durationOf(moov.subarray(at + 8, at + sizeBytes));
    if (type === 'trak') trackCount++;
    at += sizeBytes;
  }
  return durationSeconds === null ? null : { durationSeconds, trackCount };
}

/** Version 0 has 32-bit times, version 1 has 64-bit ones. */
function durationOf(mvhd: Buffer): number | null {
  const isLong = mvhd[0] === 1;
  if (mvhd.length < (isLong ? 32 : 20)) return null;
  const timescale = mvhd.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  return timescale === 0 ? null : duration / timescale;
}
