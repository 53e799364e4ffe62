import { boxAt, boxesIn, readMoov } from './mp4-boxes.ts';

/** The flag of an entry whose data is in this file. */
const SELF_CONTAINED = 1;

/**
 * Whether an MP4 or MOV says that a track's pictures or sound are in another file (ISO/IEC 14496-12, section
 * 8.7.2), as editing programs write it. Such a file is never opened.
 */
export async function refersOutside(path: string): Promise<boolean> {
  const moov = await readMoov(path);
  if (moov === null) return false;
  try {
    return [...boxesIn(moov.body)].some(({ type, body }) => type === 'trak' && isOutside(body));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isOutside(trak: Buffer): boolean {
  const references = boxAt(trak, 'mdia', 'minf', 'dinf', 'dref');
  if (references === undefined || references.length < 8) return false;
  return [...boxesIn(references.subarray(8))].some(
    ({ body }) => body.length >= 4 && (body.readUInt32BE(0) & SELF_CONTAINED) === 0,
  );
}
