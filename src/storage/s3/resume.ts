import { Readable } from 'node:stream';
import type { ObjectBody } from '../object-store.ts';
import type { S3Place } from './client.ts';
import { openObject, readObject } from './read.ts';

/**
 * Breaks in a row that brought not one byte. A break after some is a new start: a long download may have
 * many.
 */
const MAX_VAIN_BREAKS = 3;

/**
 * Opens a whole object for a reader that has to get all of it: when the connection breaks it goes on from
 * there, with the rest of the very same object.
 */
export async function readResuming(
  place: S3Place,
  key: string,
  signal: AbortSignal | undefined,
): Promise<ObjectBody> {
  const body = await readObject(place, key, signal === undefined ? {} : { signal });
  const stream = Readable.from(bytesOf(place, body, signal), { objectMode: false });
  // A generator that was never asked for anything ends without closing what it would have read.
  stream.once('close', () => body.stream.destroy());
  return { ...body, stream };
}

async function* bytesOf(
  place: S3Place,
  { stat, stream: first }: ObjectBody,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let stream = first;
  let done = 0;
  let vainBreaks = 0;
  for (;;) {
    const before = done;
    let isGiving = false;
    try {
      for await (const chunk of stream) {
        done += chunk.length;
        isGiving = true;
        yield chunk;
        isGiving = false;
      }
      return;
    } catch (error) {
      // Thrown in by a reader that failed itself: not our connection.
      if (isGiving) throw error;
      signal?.throwIfAborted();
      vainBreaks = done > before ? 0 : vainBreaks + 1;
      // Without an etag the rest might be another object's.
      if (vainBreaks >= MAX_VAIN_BREAKS || stat.etag === undefined || done >= stat.sizeBytes) throw error;
    }
    const rest = { firstByte: done, lastByte: stat.sizeBytes - 1 };
    ({ stream } = await openObject(place, stat.key, stat, rest, signal));
  }
}
