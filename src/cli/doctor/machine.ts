import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { toError } from '../../core/errors.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const LEAST_NODE = [22, 18] as const;
const MIB = 1024 ** 2;
/** A start of embedded Postgres and a short video need about this. */
const LEAST_FREE_BYTES = 512 * MIB;
const WANTED_FREE_BYTES = 5 * 1024 * MIB;

/** @param version as `process.version` says it */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (isEnough) return ok('node', version);
  return fail(
    'node',
    `${version} is too old`,
    `Install Node ${LEAST_NODE.join('.')} or newer; 24 is what it is tested with.`,
  );
}

/** Room where data goes and where jobs have their temporary files. */
export async function checkDisk(
  dataDir: string,
  freeBytesAt: (path: string) => Promise<number> = freeBytes,
): Promise<Finding> {
  const places = [resolve(dataDir), tmpdir()];
  const found = await Promise.all(
    places.map(async (path) => ({ path, bytes: await freeBytesAt(path).catch((error) => toError(error)) })),
  );
  const shown: string[] = [];
  let leastBytes = Number.POSITIVE_INFINITY;
  for (const { path, bytes } of found) {
    if (bytes instanceof Error) return fail('disk', `${path}: ${bytes.message}`, 'Make the folder readable.');
    leastBytes = Math.min(leastBytes, bytes);
    shown.push(`${Math.floor(bytes / MIB).toLocaleString('en')} MiB free at ${path}`);
  }
  const message = shown.join(', ');
  if (leastBytes < LEAST_FREE_BYTES)
    return fail('disk', message, 'Free some space, or set MILLRACE_DATA_DIR or TMPDIR to another disk.');
  if (leastBytes < WANTED_FREE_BYTES)
    return warn('disk', message, 'A long video needs several GiB: free some space.');
  return ok('disk', message);
}

/** The folder need not be there yet: then what it will be made in counts. */
async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return freeBytes(parent);
  }
}
