import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { PutSource } from '../object-store.ts';
import { objectTooLarge } from '../store-errors.ts';

const MIB = 1024 * 1024;
/** What AWS takes: parts of 5 MiB and more, at most 10,000 of them. Parts are equal, as some servers want. */
const LEAST_PART_BYTES = 8 * MIB;
const MAX_PARTS = 10_000;
/** A part is held in memory until it is sent: with an unknown size this bounds an object to 625 GiB. */
const MAX_UNKNOWN_PART_BYTES = 64 * MIB;

export interface Part {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * How large the parts of an upload are, when its size is known or bounded; Infinity where nothing is known.
 */
export function partSizeFor(sizeBytes: number | null, maxSizeBytes: number): number {
  const fitting = (bytes: number): number =>
    Math.max(LEAST_PART_BYTES, Math.ceil(bytes / MAX_PARTS / MIB) * MIB);
  if (sizeBytes !== null) return fitting(sizeBytes);
  return Number.isFinite(maxSizeBytes)
    ? Math.min(MAX_UNKNOWN_PART_BYTES, fitting(maxSizeBytes))
    : LEAST_PART_BYTES;
}

/** A source as a stream, read in pieces of about a part. */
export function openSource(source: PutSource): Readable {
  const stream = 'path' in source ? createReadStream(source.path, { highWaterMark: MIB }) : source.stream;
  // A source may fail before anybody reads it; the reader still gets its error, but an unheard event would
  // end the process.
  stream.on('error', () => {});
  return stream;
}

/**
 * Cuts a stream into parts of exactly `partSizeBytes`, the last one smaller or equal; an empty stream is one
 * empty part.
 * @param onBytes sees every byte once, in order
 * @throws DomainError `ObjectTooLarge` as soon as there is a byte too many
 */
export async function* readParts(
  stream: Readable,
  key: string,
  { partSizeBytes, maxSizeBytes }: { readonly partSizeBytes: number; readonly maxSizeBytes: number },
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<Part> {
  const mostBytes = Math.min(maxSizeBytes, partSizeBytes * MAX_PARTS);
  let held: Buffer[] = [];
  let heldBytes = 0;
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    sizeBytes += bytes.length;
    if (sizeBytes > mostBytes) throw objectTooLarge(key, mostBytes);
    onBytes(bytes);
    held.push(bytes);
    heldBytes += bytes.length;
    // Not at equality: the stream may end here, and the last part must be known as such.
    if (heldBytes <= partSizeBytes) continue;
    let rest = Buffer.concat(held);
    for (; rest.length > partSizeBytes; rest = rest.subarray(partSizeBytes))
      yield { bytes: rest.subarray(0, partSizeBytes), isLast: false };
    // A copy, so that what is left of the part just sent does not keep all of it in memory.
    held = [Buffer.from(rest)];
    heldBytes = rest.length;
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}

/** Size and hash of a file, in lower-case hex. */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: MIB, ...(signal && { signal }) })) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
