import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** As statfs names it. */
const TMPFS = 0x01021994;
/** Several times what a whole run was seen to need. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;

/**
 * Where test servers keep their data: in memory on a machine with plenty of it, else in the temporary folder.
 * Each cloned database is a thousand files; to make and delete these costs a file system on a disk much of
 * the processor's time, and memory little.
 */
export async function memoryDirectory(): Promise<string> {
  const system = await statfs(IN_MEMORY).catch(() => null);
  const isRoomy =
    system?.type === TMPFS &&
    system.bavail * system.bsize >= MIN_FREE_BYTES &&
    process.availableMemory() >= MIN_FREE_BYTES;
  return isRoomy ? IN_MEMORY : tmpdir();
}
