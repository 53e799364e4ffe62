import type { ObjectStat } from '../../../src/storage/object-store.ts';
import type { HandlerContext } from '../../handler.ts';
import { serveObject } from '../../tools/served-object.ts';
import { asMissing } from './missing.ts';

/** An original of which a program reads only a part. */
export interface SourceInput extends AsyncDisposable {
  /** Absolute path, or the address of a served object. */
  readonly path: string;
  /** Throws what the store has failed with, where a program took that for the end of its input. */
  check(): void;
}

/**
 * Opens an original where it lies: as a file, or by ranges out of a bucket, of which ten seconds of an hour
 * need a hundredth.
 * @throws PermanentError `S3ObjectNotFound`
 */
export async function openInput({ tools, signal }: HandlerContext, stat: ObjectStat): Promise<SourceInput> {
  if (tools.storage.localPath !== undefined) {
    const path = await tools.storage.localPath(stat.key).catch((error: unknown) => {
      throw asMissing(error, 'Original video', stat.key);
    });
    return { path, check: () => {}, [Symbol.asyncDispose]: async () => {} };
  }
  const served = await serveObject(tools.storage, stat, signal);
  return {
    path: served.url,
    check: () => {
      if (served.failure !== null) throw served.failure;
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
