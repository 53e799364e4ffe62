import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { DomainError } from '../core/errors.ts';
import { installCommand } from '../core/parts.ts';
import { openLocalPartials } from './local-partials.ts';
import { openLocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { PartialStore } from './partial-store.ts';
import type { UrlSigner } from './url-signer.ts';

/** Where this installation keeps its objects. */
export interface Storage {
  readonly store: ObjectStore;
  /** Objects that are not whole yet. */
  readonly partials: PartialStore;
  /** For people: `the folder /data/storage` or `the bucket videos`. */
  readonly name: string;
  /** The URLs that clients are given, by way of the signer of our own. */
  urls(own: UrlSigner): Promise<UrlSigner>;
}

/**
 * Opens the storage that the configuration names. The S3 client is loaded only where it is configured: it
 * would cost every other process its memory.
 * @throws DomainError `ConfigInvalid` when the settings of S3 are incomplete · `ToolMissing` when its client
 *   is not installed
 */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.storage === 'local') {
    const folder = config.storageDir ?? join(config.dataDir, 'storage');
    return {
      store: await openLocalStore(folder),
      partials: await openLocalPartials(folder),
      name: `the folder ${folder}`,
      urls: async (own) => own,
    };
  }
  const [{ s3SettingsOf }, { createS3Store }, { createS3Partials }] = await loadS3();
  const settings = s3SettingsOf(config);
  return {
    store: createS3Store(settings),
    partials: createS3Partials(settings),
    name: `the bucket ${settings.bucket}`,
    urls: async (own) => (await import('./s3/s3-urls.ts')).createS3Urls(settings, own),
  };
}

async function loadS3() {
  try {
    return await Promise.all([
      import('./s3/settings.ts'),
      import('./s3/s3-store.ts'),
      import('./s3/s3-partials.ts'),
    ]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const message = `The S3 client is not installed. Run ${installCommand('s3')}, or set MILLRACE_STORAGE=local.`;
    throw new DomainError('ToolMissing', message, { field: 'MILLRACE_STORAGE' }, error);
  }
}
