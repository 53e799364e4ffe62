import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'undici';
import { mediaTypeOf, type Opened, type Outgoing, type OutgoingRequest } from './outgoing.ts';
import { OutgoingError, toOutgoingError } from './outgoing-error.ts';
import { discard } from './read-capped.ts';

/** A file on its way. Its stream must be read to its end or destroyed. */
export interface Download {
  /** Ends with an OutgoingError where the server breaks off for good. */
  readonly stream: Readable;
  /** What the server announces; null where it does not, or sends the file compressed. */
  readonly sizeBytes: number | null;
  /** Without parameters; empty where the server names none. */
  readonly mediaType: string;
  /** Host that sends it, after redirects. */
  readonly host: string;
}

export interface DownloadRequest
  extends Pick<OutgoingRequest, 'headers' | 'contentTypes' | 'maxRedirects' | 'signal'> {
  /** Time for the head of an answer, and longest time in which no byte comes. Default 60,000. */
  readonly stallMs?: number;
  /** Wait before the file is asked for again, times the number of tries. Default 1,000. */
  readonly retryMs?: number;
  /** Called when a connection broke and the rest is asked for, with the bytes that are there. */
  readonly onResume?: (receivedBytes: number, reason: OutgoingError) => void;
}

/** A file that is not there to be had, by the status of the answer. */
export class DownloadRefused extends Error {
  readonly status: number;

  constructor(host: string, status: number) {
    super(`${host} answers ${status}`);
    this.name = 'DownloadRefused';
    this.status = status;
  }

  /** Whether the same server may have it later. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 408 || this.status === 429;
  }
}

const DEFAULT_STALL_MS = 60_000;
const DEFAULT_RETRY_MS = 1_000;
/** Connections in a row that may bring nothing. */
const MAX_IDLE_TRIES = 5;

/**
 * Begins to fetch a file of any size: it is never held in memory. Where the connection breaks on the way, the
 * rest is asked for (RFC 9110, `Range` with `If-Range`) if the server serves ranges and names the version of
 * the file; so the parts of two versions are never joined.
 * @throws DownloadRefused for any other status than 200 · OutgoingError
 */
export async function openDownload(
  outgoing: Outgoing,
  address: string,
  request: DownloadRequest = {},
): Promise<Download> {
  const { stallMs = DEFAULT_STALL_MS } = request;
  const stalled = new AbortController();
  const opened = await open(outgoing, address, request, stalled, {});
  const { response, url } = opened;
  if (response.status !== 200) {
    await discard(response);
    throw new DownloadRefused(url.host, response.status);
  }
  const isPlain = (response.headers.get('content-encoding') ?? 'identity') === 'identity';
  const announced = response.headers.get('content-length');
  const sizeBytes = isPlain && announced !== null ? Number(announced) : null;
  const version = isPlain ? versionOf(response) : null;
  const chunks = bodyOf(outgoing, address, { ...request, stallMs }, { opened, stalled, sizeBytes, version });
  // The mark is counted in bytes, and a chunk is passed on as it came.
  const stream = Readable.from(chunks, { objectMode: false });
  // One that is destroyed before it is read has not begun to watch its connection.
  stream.once('close', () => stalled.abort());
  return {
    stream,
    sizeBytes,
    mediaType: mediaTypeOf(response),
    host: url.host,
  };
}

interface Begun {
  readonly opened: Opened;
  readonly stalled: AbortController;
  readonly sizeBytes: number | null;
  /** What `If-Range` takes; null where the rest of the file cannot be asked for. */
  readonly version: string | null;
}

async function* bodyOf(
  outgoing: Outgoing,
  address: string,
  request: DownloadRequest & { readonly stallMs: number },
  begun: Begun,
): AsyncGenerator<Uint8Array, void> {
  const { sizeBytes, version } = begun;
  const { host } = begun.opened.url;
  let { opened, stalled }: Pick<Begun, 'opened' | 'stalled'> = begun;
  let received = 0;
  let idleTries = 0;
  for (;;) {
    let broken: OutgoingError;
    try {
      for await (const chunk of watched(opened.response, stalled, request.stallMs)) {
        received += chunk.length;
        idleTries = 0;
        yield chunk;
      }
      if (sizeBytes === null || received >= sizeBytes) return;
      broken = new OutgoingError('ConnectionFailed', `${host} ended after ${received} of ${sizeBytes} bytes`);
    } catch (error) {
      broken = knownError(error, request, stalled, host);
    }
    for (;;) {
      idleTries += 1;
      if (version === null || received === 0 || !broken.retryable || idleTries > MAX_IDLE_TRIES) throw broken;
      if (request.signal?.aborted === true) throw broken;
      request.onResume?.(received, broken);
      const waitMs = (request.retryMs ?? DEFAULT_RETRY_MS) * idleTries;
      await sleep(waitMs, undefined, { signal: request.signal }).catch(() => undefined);
      stalled = new AbortController();
      const range = { range: `bytes=${received}-`, 'if-range': version };
      const again = await open(outgoing, address, request, stalled, range).catch((error: unknown) => {
        broken = knownError(error, request, stalled, host);
        return null;
      });
      if (again === null) continue;
      if (isRestFrom(again.response, received)) {
        opened = again;
        break;
      }
      await discard(again.response);
      const { status } = again.response;
      // A server that is overloaded, or restarts, may have it later.
      if (status < 500 && status !== 429) throw broken;
    }
  }
}

function open(
  outgoing: Outgoing,
  address: string,
  { headers, contentTypes, maxRedirects, signal, stallMs = DEFAULT_STALL_MS }: DownloadRequest,
  stalled: AbortController,
  more: Readonly<Record<string, string>>,
): Promise<Opened> {
  return outgoing.open(address, {
    // What is compressed has neither a size nor parts.
    headers: { ...headers, 'accept-encoding': 'identity', ...more },
    ...(contentTypes !== undefined && { contentTypes }),
    ...(maxRedirects !== undefined && { maxRedirects }),
    timeoutMs: stallMs,
    signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
  });
}

/** The chunks of an answer; `stalled` fires when none came for that long, and ends the connection. */
async function* watched(
  response: Response,
  stalled: AbortController,
  stallMs: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      // Only while it is read: a reader that takes its time is not the server's fault.
      const timer = setTimeout(() => stalled.abort(new DOMException('Stalled', 'TimeoutError')), stallMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function knownError(
  error: unknown,
  { signal }: Pick<DownloadRequest, 'signal'>,
  stalled: AbortController,
  host: string,
): OutgoingError {
  if (signal?.aborted === true)
    return new OutgoingError('Aborted', `The download from ${host} was aborted`, error);
  return toOutgoingError(stalled.signal.aborted ? stalled.signal.reason : error, host);
}

/** A strong validator: a weak one names files that are alike, not the same bytes (RFC 9110, 13.1.5). */
function versionOf({ headers }: Response): string | null {
  if (headers.get('accept-ranges')?.toLowerCase() === 'none') return null;
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) return etag;
  return headers.get('last-modified');
}

function isRestFrom({ status, headers }: Response, firstByte: number): boolean {
  return status === 206 && new RegExp(`^bytes ${firstByte}-`).test(headers.get('content-range') ?? '');
}
