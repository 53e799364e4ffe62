import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { checkKeyPrefix, objectKeyProblem } from '../object-key.ts';
import type { ListedObject, ListOptions } from '../object-store.ts';
import type { S3Place } from './client.ts';
import { asking } from './failures.ts';

/**
 * The objects below a prefix, a page of 1,000 at a time; what others have put there under names that are no
 * keys is passed over, and reported.
 */
export async function* listObjects(
  place: S3Place,
  prefix: string,
  { onRefused }: ListOptions = {},
): AsyncGenerator<ListedObject> {
  checkKeyPrefix(prefix);
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: place.bucket,
      Prefix: place.keyPrefix + prefix,
      ...(token !== undefined && { ContinuationToken: token }),
    });
    const page = await asking(`list ${JSON.stringify(prefix)}`, undefined, () => place.client.send(command));
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      const key = Key?.slice(place.keyPrefix.length) ?? '';
      const problem = objectKeyProblem(key);
      if (problem !== null) onRefused?.({ name: key, reason: problem });
      else yield { key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
    }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}
