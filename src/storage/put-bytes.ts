import { Readable } from 'node:stream';
import type { ObjectStore, PutOptions, StoredObject } from './object-store.ts';

/**
 * Puts an object that is in memory already.
 * @throws what `ObjectStore.put` throws
 */
export async function putBytes(
  storage: Pick<ObjectStore, 'put'>,
  key: string,
  content: Uint8Array | string,
  options?: PutOptions,
): Promise<StoredObject> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  // In an array: a stream of a single buffer would be one of its bytes.
  return await storage.put(key, { stream: Readable.from([bytes]) }, options);
}
