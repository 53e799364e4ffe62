import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import type { PutOptions, PutSource } from './object-store.ts';
import { PRIVATE_FILE } from './private-mode.ts';
import { objectTooLarge } from './store-errors.ts';

/** A completely written, synced file that waits to be renamed to its object's name. */
export interface IncomingFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly inode: bigint;
  readonly modifiedNs: bigint;
}

/** Large enough that hashing and writing, not system calls, are the cost of a put. */
const PIECE_BYTES = 256 * 1024;

/**
 * Writes a source to a new file in `directory` (same file system as the objects, so that the rename is
 * atomic), counting and hashing on the way, and syncs it. On any failure the file is gone and the source
 * stream destroyed.
 * @throws DomainError `ObjectTooLarge`; the signal's reason when aborted
 */
export async function writeIncoming(
  directory: string,
  key: string,
  source: PutSource,
  options: Pick<PutOptions, 'maxSizeBytes' | 'signal'>,
): Promise<IncomingFile> {
  options.signal?.throwIfAborted();
  const path = join(directory, `${process.pid}-${randomUUID()}`);
  const stream = 'path' in source ? null : source.stream;
  // A source may fail before anybody reads it; the loop below still throws its error, but an unheard event
  // would end the process.
  stream?.on('error', () => {});
  try {
    if (stream !== null && options.signal !== undefined) addAbortSignal(options.signal, stream);
    const pieces = 'path' in source ? piecesOf(source.path, options.signal) : source.stream;
    return await write(path, key, pieces, options.maxSizeBytes ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    stream?.destroy();
    await rm(path, { force: true });
    options.signal?.throwIfAborted();
    throw error;
  }
}

async function write(
  path: string,
  key: string,
  pieces: AsyncIterable<Buffer | string>,
  maxSizeBytes: number,
): Promise<IncomingFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await using handle = await open(path, 'wx', PRIVATE_FILE);
  for await (const chunk of pieces) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    sizeBytes += bytes.length;
    if (sizeBytes > maxSizeBytes) throw objectTooLarge(key, maxSizeBytes);
    hash.update(bytes);
    await handle.appendFile(bytes);
  }
  await handle.sync();
  const written = await handle.stat({ bigint: true });
  return { path, sizeBytes, sha256: hash.digest('hex'), inode: written.ino, modifiedNs: written.mtimeNs };
}

/**
 * A file piece by piece, all in one buffer, which holds a piece until the next is asked for: with a new one
 * for each, as streams have, collecting them takes as long as copying.
 */
async function* piecesOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/**
 * Removes what crashed puts left in `directory`: files not written to for `idleMs`. By age and not by process
 * id, since workers in several containers may share the store.
 * @returns how many were removed
 */
export async function removeStaleIncoming(directory: string, idleMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => null);
    if (stats === null || Date.now() - stats.mtimeMs < idleMs) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
