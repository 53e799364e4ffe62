import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { copyToFile } from '../copy-to-file.ts';
import { checkObjectKey } from '../object-key.ts';
import type { ObjectStore } from '../object-store.ts';
import { addressOf, createS3Client, type S3Place } from './client.ts';
import { asking } from './failures.ts';
import { listObjects } from './list.ts';
import { putObject } from './put.ts';
import { readObject } from './read.ts';
import { readResuming } from './resume.ts';
import type { S3Settings } from './settings.ts';
import { statObject } from './stat.ts';

/** An object store in a bucket. Nothing is asked of the bucket before the first call. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const { bucket, keyPrefix } = settings;
  const client = createS3Client(settings, settings.endpoint);
  const place: S3Place = { client, bucket, keyPrefix };
  // Each is async so that a malformed key is a rejection too, as every other failure.
  return {
    put: async (key, source, options = {}) => await putObject(place, checkObjectKey(key), source, options),
    get: async (key, options = {}) => await readObject(place, checkObjectKey(key), options),
    stat: async (key) => await statObject(place, checkObjectKey(key)),
    delete: async (key) => await deleteObject(place, checkObjectKey(key)),
    list: (prefix, options) => listObjects(place, prefix, options),
    copyToFile: async (key, path, options = {}) =>
      await copyToFile(await readResuming(place, checkObjectKey(key), options.signal), path, options.signal),
    close: () => client.destroy(),
  };
}

/** A bucket deletes what is not there without a word, so the look comes first. */
async function deleteObject(place: S3Place, key: string): Promise<boolean> {
  if ((await statObject(place, key)) === null) return false;
  await asking(`delete ${JSON.stringify(key)}`, undefined, () =>
    place.client.send(new DeleteObjectCommand(addressOf(place, key))),
  );
  return true;
}
