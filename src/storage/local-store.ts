import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { contentTypeOfKey } from './content-type.ts';
import { copyToFile } from './copy-to-file.ts';
import { errnoOf } from './errno.ts';
import { removeStaleIncoming, writeIncoming } from './incoming-file.ts';
import { onDisk } from './local-failures.ts';
import { listKeys } from './local-list.ts';
import { deleteMetadata, readMetadata, writeMetadata } from './local-metadata.ts';
import { findObjectPath, lstatOrNull } from './local-path.ts';
import { publishFile } from './local-publish.ts';
import { checkKeyPrefix, checkObjectKey } from './object-key.ts';
import type {
  GetOptions,
  ListOptions,
  ObjectBody,
  ObjectStat,
  ObjectStore,
  PutOptions,
  PutSource,
  StoredObject,
} from './object-store.ts';
import { PRIVATE_FOLDER } from './private-mode.ts';
import { checkRange, objectNotFound } from './store-errors.ts';

/** A put that has not moved for this long was cut off by a crash. */
const STALE_INCOMING_MS = 6 * 3600 * 1000;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** An object store that also keeps its objects as files on this machine. */
export type LocalObjectStore = ObjectStore & Required<Pick<ObjectStore, 'localPath'>>;

/**
 * Opens (and creates) an object store in a directory. Several processes may use one directory at the same
 * time. Also removes what crashed puts left there long ago. All that it makes is for this system user alone:
 * who may read an object is said by signed URLs, not by an account on the machine.
 * @param rootPath the directory; it may itself be a symbolic link, nothing below it may
 */
export async function openLocalStore(rootPath: string): Promise<LocalObjectStore> {
  // What is above the store is not ours to close: the database's own user may have to walk through it.
  await mkdir(dirname(resolve(rootPath)), { recursive: true });
  await mkdir(rootPath, { recursive: true, mode: PRIVATE_FOLDER });
  const root = await realpath(rootPath);
  const incoming = join(root, '.incoming');
  await mkdir(incoming, { recursive: true, mode: PRIVATE_FOLDER });
  await removeStaleIncoming(incoming, STALE_INCOMING_MS);
  // Each is async so that a malformed key is a rejection too, as every other failure.
  return {
    put: async (key, source, options = {}) =>
      await onDisk(() => put(root, incoming, checkObjectKey(key), source, options)),
    get: async (key, options = {}) => await onDisk(() => get(root, checkObjectKey(key), options)),
    stat: async (key) => await onDisk(() => statObject(root, checkObjectKey(key))),
    delete: async (key) => await onDisk(() => deleteObject(root, checkObjectKey(key))),
    list: (prefix, options) => listObjects(root, prefix, options),
    copyToFile: async (key, path, options = {}) =>
      await copyToFile(await get(root, checkObjectKey(key), options), path, options.signal),
    localPath: async (key) => await localPath(root, checkObjectKey(key)),
  };
}

async function put(
  root: string,
  incomingDirectory: string,
  key: string,
  source: PutSource,
  options: PutOptions,
): Promise<StoredObject> {
  const contentType = options.contentType ?? contentTypeOfKey(key);
  const file = await writeIncoming(incomingDirectory, key, source, options);
  let published: Promise<void> | undefined;
  const publishOnce = (): Promise<void> => {
    published ??= (async () => {
      await writeMetadata(root, key, file, { contentType, sha256: file.sha256 });
      await publishFile(root, key, file.path);
    })();
    return published;
  };
  try {
    await (options.publishing ?? ((go) => go()))(publishOnce);
    if (published === undefined) throw new Error(`The put of ${key} was neither published nor refused`);
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
  return { key, sizeBytes: file.sizeBytes, sha256: file.sha256, contentType };
}

async function get(root: string, key: string, options: GetOptions): Promise<ObjectBody> {
  options.signal?.throwIfAborted();
  const handle = await openObject(root, key);
  if (handle === null) throw objectNotFound(key);
  try {
    const stat = await describe(root, key, await handle.stat({ bigint: true }));
    const range = typeof options.range === 'function' ? options.range(stat) : (options.range ?? null);
    const { firstByte, lastByte } = range ?? { firstByte: 0, lastByte: stat.sizeBytes - 1 };
    if (range !== null) checkRange(range, stat);
    const contentLengthBytes = lastByte - firstByte + 1;
    // `end` cannot say "nothing", so an empty object is read without bounds.
    const bounds = contentLengthBytes === 0 ? {} : { start: firstByte, end: lastByte };
    const stream = handle.createReadStream({ ...bounds, ...(options.signal && { signal: options.signal }) });
    return { stat, contentLengthBytes, stream };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function statObject(root: string, key: string): Promise<ObjectStat | null> {
  await using handle = await openObject(root, key);
  return handle === null ? null : await describe(root, key, await handle.stat({ bigint: true }));
}

async function deleteObject(root: string, key: string): Promise<boolean> {
  const path = await findObjectPath(root, key);
  const stats = path === null ? null : await lstatOrNull(path);
  if (path === null || stats === null || stats.isDirectory()) return false;
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
  await deleteMetadata(root, key);
  await pruneEmptyFolders(root, dirname(path));
  return true;
}

async function pruneEmptyFolders(root: string, from: string): Promise<void> {
  for (
    let folder = from;
    folder !== root && !relative(root, folder).startsWith('..');
    folder = dirname(folder)
  ) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false, // not empty, or gone: either way nothing more to do above it
    );
    if (!removed) return;
  }
}

async function* listObjects(root: string, prefix: string, options?: ListOptions): AsyncGenerator<ObjectStat> {
  for await (const key of listKeys(root, checkKeyPrefix(prefix), options)) {
    const found = await statObject(root, key);
    if (found !== null) yield found; // else deleted since its folder was read
  }
}

async function localPath(root: string, key: string): Promise<string> {
  const path = await findObjectPath(root, key);
  const stats = path === null ? null : await lstatOrNull(path);
  if (path === null || stats?.isFile() !== true) throw objectNotFound(key);
  return path;
}

/**
 * The opened object, or null. `O_NOFOLLOW` refuses a link as the last component; folders and devices are no
 * objects.
 */
async function openObject(root: string, key: string): Promise<FileHandle | null> {
  // Opening a FIFO would wait for a writer, so what is no regular file is not opened at all.
  const path = await findObjectPath(root, key);
  if (path === null || (await lstatOrNull(path))?.isFile() !== true) return null;
  try {
    return await open(path, READ_FLAGS);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ELOOP') return null;
    throw error;
  }
}

async function describe(root: string, key: string, stats: BigIntStats): Promise<ObjectStat> {
  const sizeBytes = Number(stats.size);
  const known = await readMetadata(root, key, { inode: stats.ino, modifiedNs: stats.mtimeNs, sizeBytes });
  return {
    key,
    sizeBytes,
    modifiedAt: stats.mtime,
    contentType: known?.contentType ?? contentTypeOfKey(key),
    ...(known?.sha256 !== undefined && { sha256: known.sha256 }),
  };
}
