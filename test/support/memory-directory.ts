import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** As statfs names it. */
const TMPFS = 0x01021994;
/** Several times what a whole run was seen to need. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;

/**
 * Where test servers keep their data: in memory on a machine with plenty of it, else in the temporary folder. Each cloned database is a
 * thousand files; making and deleting these takes ext4 more of the processor's time than all else that a server does [measured].
 */
export async function memoryDirectory(): Promise<string> {
  const system = await statfs(IN_MEMORY).catch(() => null);
  const isRoomy =
    system?.type === TMPFS &&
    system.bavail * system.bsize >= MIN_FREE_BYTES &&
    process.availableMemory() >= MIN_FREE_BYTES;
  return isRoomy ? IN_MEMORY : tmpdir();
}
