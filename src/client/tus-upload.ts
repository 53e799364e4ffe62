import { backoffMs } from './backoff.ts';
import { toMillraceError } from './error.ts';
import type { ClientSettings } from './options.ts';
import { fromProblem } from './server-errors.ts';

/** A request carries so much: a bucket's server keeps one part of this size in memory. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** Failures in a row, without a byte in between, after which an upload gives up. */
const MAX_FAILURES = 10;
const TUS = { 'tus-resumable': '1.0.0' };

export interface TusOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called as pieces arrive. */
  readonly onSent: (sentBytes: number) => void;
}

/**
 * Begins an upload by tus 1.0.
 * @returns the address to go on at
 * @throws MillraceError for what the server refuses
 */
export async function beginTusUpload(
  settings: ClientSettings,
  endpoint: string,
  sizeBytes: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const response = await settings.fetch(endpoint, {
    method: 'POST',
    headers: { ...TUS, 'upload-length': String(sizeBytes) },
    ...(signal && { signal }),
  });
  const location = response.headers.get('location');
  if (response.status !== 201 || location === null) throw await fromProblem(response);
  return new URL(location, endpoint).href;
}

/**
 * Sends what is missing of a file, piece by piece, and goes on where a connection broke.
 * @throws MillraceError when the server refuses, or after ten failures in a row; the signal's reason when
 *   that was aborted
 */
export async function sendByTus(
  settings: ClientSettings,
  url: string,
  file: Blob,
  { signal, onSent }: TusOptions,
): Promise<void> {
  let offset: number | null = null;
  for (let failures = 0; offset === null || offset < file.size; ) {
    try {
      const known: number = offset ?? (await offsetOf(settings, url, signal));
      offset = known;
      onSent(known);
      if (known < file.size) offset = await sendPiece(settings, url, file, known, signal);
      failures = 0;
    } catch (thrown) {
      if (signal?.aborted === true) throw signal.reason;
      const error = toMillraceError(thrown);
      if (error.recovery !== 'retry' || ++failures > MAX_FAILURES) throw error;
      // Some of the piece may have arrived.
      offset = null;
      await pause(Math.max(error.retryAfterMs ?? 0, backoffMs(settings.backoff, failures)), signal);
    }
  }
  onSent(file.size);
}

async function offsetOf(
  settings: ClientSettings,
  url: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const response = await settings.fetch(url, { method: 'HEAD', headers: TUS, ...(signal && { signal }) });
  if (!response.ok) throw await fromProblem(response);
  return Number(response.headers.get('upload-offset'));
}

async function sendPiece(
  settings: ClientSettings,
  url: string,
  file: Blob,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const response = await settings.fetch(url, {
    method: 'PATCH',
    headers: {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: file.slice(offset, offset + PIECE_BYTES),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await fromProblem(response);
  return Number(response.headers.get('upload-offset'));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
