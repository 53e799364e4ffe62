import { Transform } from 'node:stream';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { DomainError, type DomainErrorCode, PermanentError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import type { fetchOriginal } from '../../../src/domains/videos/definitions/fetch-original.ts';
import { VIDEO_CONTENT_TYPES } from '../../../src/domains/videos/uploads/video-content-types.ts';
import { type Download, DownloadRefused, openDownload } from '../../../src/outgoing/download.ts';
import { permanentOutgoing } from '../../../src/outgoing/outgoing-error.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import type { TranscodeLimits } from './limits.ts';
import type { FetchOwn } from './own.ts';
import { videoOfPayload } from './source.ts';

type Context = HandlerContext<PayloadOf<typeof fetchOriginal>, FetchOwn>;

/** As servers name files of which they know no more; a page is refused before it is fetched. */
const TAKEN_TYPES = [
  'video/*',
  'application/octet-stream',
  'binary/octet-stream',
  'application/mp4',
  'application/mxf',
  'application/x-matroska',
  // None.
  '',
];
/** No retry changes them: the file is too large, or nobody waits for it any more. */
const FINAL: ReadonlySet<DomainErrorCode> = new Set([
  'InvalidArgument',
  'ObjectTooLarge',
  'QuotaExceeded',
  'NotFound',
  'WrongState',
]);

/**
 * Fetches the original of a video into the store, within the limits of an upload, and completes it: the
 * pipeline follows. A run after one that was killed completes what that one had published.
 */
export function createFetchOriginal(
  limits: Pick<TranscodeLimits, 'maxSizeBytes'>,
): Handler<PayloadOf<typeof fetchOriginal>, FetchOwn> {
  return async (context) => {
    const { payload, own, tools, signal } = context;
    videoOfPayload(payload, context.subject);
    try {
      if ((await tools.storage.stat(payload.s3_original_path)) === null) await fetch(context, limits);
      await own.upload.complete();
    } catch (error) {
      signal.throwIfAborted();
      throw asFinal(error);
    }
    const stat = await tools.storage.stat(payload.s3_original_path);
    return done({ sizeBytes: stat?.sizeBytes ?? null });
  };
}

async function fetch(context: Context, limits: Pick<TranscodeLimits, 'maxSizeBytes'>): Promise<void> {
  const { payload, own, log, signal } = context;
  context.progress({ stage: 'fetch', percent: null });
  const download = await openDownload(own.outgoing, payload.url, {
    contentTypes: TAKEN_TYPES,
    signal,
    onResume: (receivedBytes, reason) =>
      log.warn('The connection broke; the rest is asked for', { receivedBytes, reason: reason.message }),
  });
  try {
    const { sizeBytes, host, mediaType } = download;
    log.info('The file is being fetched', { host, sizeBytes, mediaType });
    if (sizeBytes !== null && sizeBytes > limits.maxSizeBytes) throw tooLarge(sizeBytes, limits.maxSizeBytes);
    const stored = await store(context, download, limits.maxSizeBytes);
    log.info('The file is in the store', { sizeBytes: stored.sizeBytes, sha256: stored.sha256 });
  } finally {
    download.stream.destroy();
  }
}

async function store(context: Context, download: Download, maxSizeBytes: number): Promise<StoredObject> {
  const { payload, own, tools, signal } = context;
  const hold = await own.upload.hold(download.sizeBytes, maxSizeBytes);
  let stored: StoredObject | null = null;
  try {
    const counted = counter(context, download.sizeBytes);
    download.stream.on('error', (error) => counted.destroy(error));
    stored = await tools.storage.put(
      payload.s3_original_path,
      { stream: download.stream.pipe(counted) },
      {
        maxSizeBytes: hold.maxSizeBytes,
        signal: AbortSignal.any([signal, hold.signal]),
        ...(VIDEO_CONTENT_TYPES.has(download.mediaType) && { contentType: download.mediaType }),
        publishing: async (publish) => {
          await context.fence();
          await own.upload.publish(publish);
        },
      },
    );
    return stored;
  } finally {
    await hold.release(stored?.sizeBytes ?? null);
  }
}

/** Passes bytes on and says how far they are. */
function counter({ progress }: Context, sizeBytes: number | null): Transform {
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      received += chunk.length;
      const percent = sizeBytes === null ? null : Math.min(100, (100 * received) / sizeBytes);
      progress({ stage: 'fetch', percent, message: `${(received / 1e6).toFixed(1)} MB` });
      next(null, chunk);
    },
  });
}

/** @returns what a retry cannot change as PermanentError */
function asFinal(error: unknown): unknown {
  if (error instanceof DownloadRefused && !error.isPassing)
    return new PermanentError('SourceRefused', `${error.message}; allowed: 200 with a video`, error);
  if (error instanceof DomainError && FINAL.has(error.code))
    return new PermanentError(error.code, error.message, error);
  return permanentOutgoing(error) ?? error;
}

function tooLarge(sizeBytes: number, maxSizeBytes: number): PermanentError {
  return new PermanentError(
    'ObjectTooLarge',
    `The file has ${sizeBytes} bytes; allowed: at most ${maxSizeBytes} bytes.`,
  );
}
