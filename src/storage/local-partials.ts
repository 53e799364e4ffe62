import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './errno.ts';
import { removeStaleIncoming } from './incoming-file.ts';
import { onDisk } from './local-failures.ts';
import { writeMetadata } from './local-metadata.ts';
import { findObjectPath, lstatOrNull } from './local-path.ts';
import { publishFile } from './local-publish.ts';
import type { PartialPlan, PartialState, PartialStore } from './partial-store.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './private-mode.ts';
import { objectNotFound } from './store-errors.ts';
import { syncDirectory } from './sync-directory.ts';

/** Longer than any upload may take: what nobody knows of any more. */
const STALE_MS = 8 * 24 * 3600 * 1000;
const NAME_PATTERN = /^[0-9a-f-]{36}$/;

/**
 * Uploads in pieces beside the objects of a local store: one growing file each, whose length is how much is
 * there.
 * @param rootPath the store's directory, which exists
 */
export async function openLocalPartials(rootPath: string): Promise<PartialStore> {
  const root = await realpath(rootPath);
  // No key can begin with a dot.
  const directory = join(root, '.uploads');
  await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
  await removeStaleIncoming(directory, STALE_MS);
  const pathOf = (state: PartialState): string => join(directory, nameOf(state));
  return {
    begin: () =>
      onDisk(async () => {
        const state = { name: randomUUID() };
        await (await open(pathOf(state), 'wx', PRIVATE_FILE)).close();
        await syncDirectory(directory);
        return state;
      }),
    sizeOf: async (state) => {
      const found = await stat(pathOf(state)).catch(ignoreMissing);
      return found?.size ?? null;
    },
    append: (plan, state, source, { signal }) =>
      onDisk(async () => {
        await using handle = await open(pathOf(state), 'r+').catch((error: unknown) => {
          throw errnoOf(error) === 'ENOENT' ? objectNotFound(plan.key) : error;
        });
        let { size } = await handle.stat();
        for await (const bytes of source) {
          signal.throwIfAborted();
          await writeAll(handle, bytes, size);
          size += bytes.length;
        }
        await handle.sync();
        signal.throwIfAborted();
        return size;
      }),
    publish: (plan, state) => onDisk(() => publish(root, pathOf(state), plan)),
    discard: async (_plan, state) => await rm(pathOf(state), { force: true }),
  };
}

async function publish(root: string, path: string, plan: PartialPlan): Promise<void> {
  const { key, sizeBytes, contentType } = plan;
  const file = await stat(path, { bigint: true }).catch(ignoreMissing);
  if (file === undefined) {
    // A crash came between the new name and the record of it.
    const object = await findObjectPath(root, key);
    const there = object === null ? null : await lstatOrNull(object);
    if (there?.isFile() === true && there.size === sizeBytes) return;
    throw objectNotFound(key);
  }
  const identity = { inode: file.ino, modifiedNs: file.mtimeNs, sizeBytes };
  await writeMetadata(root, key, identity, { contentType });
  await publishFile(root, key, path);
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Names come back from a database: what is no name of ours leads nowhere. */
function nameOf({ name }: PartialState): string {
  if (typeof name === 'string' && NAME_PATTERN.test(name)) return name;
  throw new Error('The state of an upload names no file');
}

function ignoreMissing(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
}
