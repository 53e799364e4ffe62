import { type GetObjectCommandOutput, HeadObjectCommand } from '@aws-sdk/client-s3';
import { contentTypeOfKey } from '../content-type.ts';
import type { ObjectStat } from '../object-store.ts';
import { addressOf, type S3Place } from './client.ts';
import { asking, isNotFound } from './failures.ts';

/** Where a put leaves the hash of what it wrote. */
export const SHA256_METADATA = 'sha256';
/** What a bucket calls an object that was put without a type. */
const NO_TYPE = 'binary/octet-stream';

/** What a bucket reports of an object, or null when there is none. */
export async function statObject(
  place: S3Place,
  key: string,
  signal?: AbortSignal,
): Promise<ObjectStat | null> {
  try {
    const head = await asking(`describe ${JSON.stringify(key)}`, signal, () =>
      place.client.send(new HeadObjectCommand(addressOf(place, key)), signal && { abortSignal: signal }),
    );
    return describe(key, head, head.ContentLength ?? 0);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** An object by the headers of an answer about it. */
export function describe(
  key: string,
  head: Pick<GetObjectCommandOutput, 'ContentType' | 'ETag' | 'LastModified' | 'Metadata'>,
  sizeBytes: number,
): ObjectStat {
  const etag = head.ETag?.replace(/^W\//, '').replaceAll('"', '');
  const sha256 = head.Metadata?.[SHA256_METADATA];
  const isTyped = head.ContentType !== undefined && head.ContentType !== NO_TYPE;
  return {
    key,
    sizeBytes,
    contentType: isTyped ? (head.ContentType as string) : contentTypeOfKey(key),
    modifiedAt: head.LastModified ?? new Date(0),
    ...(sha256 !== undefined && /^[0-9a-f]{64}$/.test(sha256) && { sha256 }),
    ...(etag !== undefined && etag !== '' && { etag }),
  };
}
