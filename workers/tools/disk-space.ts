import { statfs } from 'node:fs/promises';
import { MediaToolError } from './media-error.ts';

/** Room that is left free: more than a fast encoder writes between two looks, half a second apart. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/**
 * Makes sure that a job's directory has room left. ffmpeg 5 ends with 0 and without a word when the disk is
 * full, leaving segments that are cut off or empty [seen]; so it must not come to that.
 * @throws MediaToolError `diskFull`
 */
export async function checkDiskSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= RESERVE_BYTES) return;
  throw new MediaToolError(
    'diskFull',
    `The worker's disk is full: ${bavail * bsize} bytes free for temporary files`,
  );
}
