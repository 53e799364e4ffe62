import { addAbortSignal, type Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import type { ByteRange } from '../byte-range.ts';
import type { GetOptions, ObjectBody, ObjectStat } from '../object-store.ts';
import { checkRange, objectNotFound } from '../store-errors.ts';
import { addressOf, type S3Place } from './client.ts';
import { asking, isNotFound, isOtherObject } from './failures.ts';
import { describe, statObject } from './stat.ts';

/**
 * An object that is replaced more often than this between our look at it and our reading is in nobody's use.
 */
const MAX_LOOKS = 5;

/** Opens an object for reading, whole or a range of it. */
export async function readObject(place: S3Place, key: string, options: GetOptions): Promise<ObjectBody> {
  const { range, signal } = options;
  signal?.throwIfAborted();
  if (range === undefined) return await openObject(place, key, null, null, signal);
  for (let looksLeft = MAX_LOOKS - 1; ; looksLeft -= 1) {
    const stat = await statObject(place, key, signal);
    if (stat === null) throw objectNotFound(key);
    const chosen = typeof range === 'function' ? range(stat) : range;
    if (chosen !== null) checkRange(chosen, stat);
    try {
      return await openObject(place, key, stat, chosen, signal);
    } catch (error) {
      if (!isOtherObject(error) || looksLeft === 0) throw error;
    }
  }
}

/**
 * One request for an object's bytes.
 * @param seen the object that it must be; null takes the one that is there
 * @param range within it; null is all of it
 */
export async function openObject(
  place: S3Place,
  key: string,
  seen: ObjectStat | null,
  range: ByteRange | null,
  signal: AbortSignal | undefined,
): Promise<ObjectBody> {
  const command = new GetObjectCommand({
    ...addressOf(place, key),
    ...(range !== null && { Range: `bytes=${range.firstByte}-${range.lastByte}` }),
    ...(seen?.etag !== undefined && { IfMatch: `"${seen.etag}"` }),
  });
  const answer = await asking(`read ${JSON.stringify(key)}`, signal, () =>
    place.client.send(command, signal && { abortSignal: signal }),
  ).catch((error: unknown) => {
    throw isNotFound(error) ? objectNotFound(key) : error;
  });
  // In Node the body is a stream; the type also covers browsers.
  const stream = answer.Body as unknown as Readable;
  const contentLengthBytes = answer.ContentLength ?? 0;
  if (range !== null && contentLengthBytes !== range.lastByte - range.firstByte + 1) {
    stream.destroy();
    throw new Error(`The object store answered ${contentLengthBytes} bytes for a range of another length`);
  }
  if (signal !== undefined) addAbortSignal(signal, stream);
  return { stat: seen ?? describe(key, answer, contentLengthBytes), contentLengthBytes, stream };
}
