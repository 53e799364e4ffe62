import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { contentTypeOfKey } from '../content-type.ts';
import type { PutOptions, PutSource, StoredObject } from '../object-store.ts';
import { objectTooLarge } from '../store-errors.ts';
import { addressOf, type S3Place } from './client.ts';
import { asking } from './failures.ts';
import { MultipartPut } from './multipart.ts';
import { hashFile, openSource, type Part, partSizeFor, readParts } from './parts.ts';
import { SHA256_METADATA } from './stat.ts';

/**
 * Puts an object: in one request where it fits into one part, else in parts. Either way the object appears
 * with the last request, whole, and that request is what `publishing` holds back.
 */
export async function putObject(
  place: S3Place,
  key: string,
  source: PutSource,
  options: PutOptions,
): Promise<StoredObject> {
  const { signal, maxSizeBytes = Number.POSITIVE_INFINITY } = options;
  signal?.throwIfAborted();
  // An object's metadata goes ahead of its bytes. So a file is read twice to have its hash there; a stream
  // cannot be.
  const known = 'path' in source ? await hashFile(source.path, signal) : null;
  if (known !== null && known.sizeBytes > maxSizeBytes) throw objectTooLarge(key, maxSizeBytes);
  const stream = openSource(source);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    if (signal !== undefined) addAbortSignal(signal, stream);
    const partSizeBytes = partSizeFor(known?.sizeBytes ?? null, maxSizeBytes);
    const parts = readParts(stream, key, { partSizeBytes, maxSizeBytes }, (bytes) => {
      hash.update(bytes);
      sizeBytes += bytes.length;
    });
    const put: Putting = {
      place,
      key,
      contentType: options.contentType ?? contentTypeOfKey(key),
      options,
      knownSha256: known?.sha256 ?? null,
      sha256: () => hash.copy().digest('hex'),
    };
    const first = await parts.next();
    // The generator always gives one part.
    const part = first.value as Part;
    if (part.isLast) await putWhole(put, part.bytes);
    else await putInParts(put, part, parts);
    return { key, sizeBytes, sha256: put.sha256(), contentType: put.contentType };
  } catch (error) {
    stream.destroy();
    signal?.throwIfAborted();
    throw error;
  }
}

interface Putting {
  readonly place: S3Place;
  readonly key: string;
  readonly contentType: string;
  readonly options: PutOptions;
  /** The hash of a file before it is sent. */
  readonly knownSha256: string | null;
  /** The SHA-256 of all bytes so far. */
  readonly sha256: () => string;
}

async function putWhole({ place, key, contentType, options, sha256 }: Putting, bytes: Buffer): Promise<void> {
  const { signal } = options;
  const command = new PutObjectCommand({
    ...addressOf(place, key),
    Body: bytes,
    ContentType: contentType,
    Metadata: { [SHA256_METADATA]: sha256() },
  });
  await publish(key, options, async () => {
    await asking(`take ${JSON.stringify(key)}`, signal, () =>
      place.client.send(command, signal && { abortSignal: signal }),
    );
  });
}

async function putInParts(put: Putting, first: Part, others: AsyncIterable<Part>): Promise<void> {
  const { place, key, contentType, options, knownSha256 } = put;
  const { signal } = options;
  const metadata: Record<string, string> = knownSha256 === null ? {} : { [SHA256_METADATA]: knownSha256 };
  const upload = await MultipartPut.begin(place, { key, contentType, metadata, signal });
  try {
    let number = 1;
    await upload.send(number, first);
    for await (const part of others) await upload.send(++number, part);
    await upload.allSent();
    if (knownSha256 !== null && put.sha256() !== knownSha256)
      throw new Error(`The file for ${JSON.stringify(key)} changed while it was read`);
    await publish(key, options, () => upload.complete());
  } catch (error) {
    await upload.abandon();
    throw error;
  }
}

async function publish(key: string, { publishing }: PutOptions, finish: () => Promise<void>): Promise<void> {
  let published: Promise<void> | undefined;
  const once = (): Promise<void> => (published ??= finish());
  await (publishing ?? ((go) => go()))(once);
  if (published === undefined) throw new Error(`The put of ${key} was neither published nor refused`);
  // A caller need not wait for what it was given.
  await published;
}
