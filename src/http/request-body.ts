import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

/** `totalMs`: all of the body within that time. `idleMs`: never so long without a byte. */
export type BodyLimit = { readonly totalMs: number } | { readonly idleMs: number };

/**
 * The body as a stream of its own, which fails with status 408 when its time is up. Its failure (or a
 * consumer's, which destroys it) leaves the request alone: destroying that would take the connection along
 * before the answer is out.
 */
export function bodyOf(raw: IncomingMessage, limit: BodyLimit): Readable {
  const body = new PassThrough();
  // A GET's body is read by nobody, and its failure then is nobody's either.
  body.on('error', () => {});
  const timeoutMs = 'totalMs' in limit ? limit.totalMs : limit.idleMs;
  const timer = setTimeout(() => {
    // A client that waits for our disk is not idle.
    if ('idleMs' in limit && body.writableNeedDrain) timer.refresh();
    else body.destroy(tooSlow(limit));
  }, timeoutMs);
  const forget = (): void => clearTimeout(timer);
  // Unpiped: it is all there, or nobody wants it any more.
  body.once('close', forget).once('unpipe', forget);
  if ('idleMs' in limit) raw.on('data', () => timer.refresh());
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client left while it was sending'));
  });
  return raw.pipe(body);
}

/**
 * After an answer to a request that is still being sent: takes the rest in and drops it for a moment, so that
 * a client that sends everything first comes to read the answer, then ends the connection.
 */
export function dropRest(raw: IncomingMessage, lingerMs: number): void {
  raw.unpipe();
  if (raw.complete || raw.socket.destroyed) return;
  const { socket } = raw;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  const forget = (): void => {
    clearTimeout(timer);
    // A connection that is kept has thousands of requests: each leaves nothing on it.
    raw.off('end', forget);
    socket.off('close', forget);
  };
  raw.on('end', forget);
  socket.on('close', forget);
  raw.resume();
}

function tooSlow(limit: BodyLimit): Error {
  const [ms, what] =
    'totalMs' in limit ? [limit.totalMs, 'The body took longer than'] : [limit.idleMs, 'Nothing came for'];
  return Object.assign(new Error(`${what} ${ms / 1000} s.`), { statusCode: 408, code: 'RequestTimeout' });
}
