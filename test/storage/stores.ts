import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { openLocalStore } from '../../src/storage/local-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';
import { makeTempDir } from '../support/temp-dir.ts';

/** A driver under test. */
export interface Driver {
  readonly name: string;
  /** An empty store for the running test. */
  open(): Promise<OpenedStore>;
  close(): Promise<void>;
}

export interface OpenedStore {
  readonly store: ObjectStore;
  /** The same objects through another store, as another process has it. */
  readonly other: ObjectStore;
  /** What puts that did not end well still hold. */
  unfinished(): Promise<number>;
}

export async function localDriver(): Promise<Driver> {
  return {
    name: 'a folder',
    open: async () => {
      const root = await makeTempDir();
      return {
        store: await openLocalStore(root),
        other: await openLocalStore(root),
        unfinished: async () => (await readdir(join(root, '.incoming'))).length,
      };
    },
    close: async () => {},
  };
}

export async function s3Driver(): Promise<Driver> {
  const s3 = await startTestS3();
  return {
    name: 'a bucket',
    open: async () => {
      const settings = { ...s3.settings, keyPrefix: `${randomUUID()}/` };
      const stores = [createS3Store(settings), createS3Store(settings)] as const;
      onTestFinished(() => {
        for (const store of stores) store.close?.();
      });
      return {
        store: stores[0],
        other: stores[1],
        unfinished: async () => unfinishedUploads(s3, settings.keyPrefix),
      };
    },
    close: () => s3.close(),
  };
}

/** Multipart uploads that were neither completed nor given up. */
export function unfinishedUploads({ requests }: TestS3, keyPrefix: string): number {
  const succeeded = requests.filter(({ url, status }) => url.includes(`/${keyPrefix}`) && status < 300);
  const begun = succeeded.filter(({ method, url }) => method === 'POST' && /[?&]uploads(=|&|$)/.test(url));
  const ended = succeeded.filter(
    ({ method, url }) => (method === 'POST' || method === 'DELETE') && url.includes('uploadId='),
  );
  return begun.length - ended.length;
}

export function bytes(content: Buffer | string): { readonly stream: Readable } {
  return { stream: Readable.from([Buffer.from(content)]) };
}

export async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}
