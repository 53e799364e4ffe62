import type { FastifyReply } from 'fastify';
import { retryAdviceMs, spreadMsFor, spreadOut } from './spread.ts';

/** Event streams that are being sent; a stopping server ends them. */
export class OpenStreams {
  /** Between two comment lines of a stream. */
  readonly pingMs: number;
  /** A client that takes nothing for this long to twice as long, with something to be taken, is cut off. */
  readonly stallMs: number;
  readonly #ends = new Set<(retryMs: number) => void>();

  constructor(pingMs: number, stallMs: number) {
    this.pingMs = pingMs;
    // The pings of an idle stream keep the same clock going.
    this.stallMs = Math.max(stallMs, 3 * pingMs);
  }

  /** @param end ends the stream, with advice when its client should come back */
  add(end: (retryMs: number) => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /**
   * Ends all, spread over at most `mostMs`: their clients see a complete response and come back elsewhere, or
   * here after the restart.
   */
  async endAll(mostMs: number): Promise<void> {
    const spreadMs = spreadMsFor(this.#ends.size, mostMs);
    await spreadOut([...this.#ends], spreadMs, (end) => end(retryAdviceMs(spreadMs)));
  }
}

/**
 * Sends a fetch-style response. A stream is written as its client takes it, and canceled the moment the
 * client is gone.
 */
export async function sendResponse(
  reply: FastifyReply,
  response: Response,
  streams: OpenStreams,
): Promise<FastifyReply> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) {
    reply.headers(Object.fromEntries(response.headers));
    return reply.code(response.status).send(await response.text());
  }
  reply.hijack();
  const { raw } = reply;
  const headers = {
    ...reply.getHeaders(),
    ...Object.fromEntries(response.headers),
    'x-accel-buffering': 'no',
  };
  // The socket's timeout: any progress in writing restarts it. Without it the last words to one who
  // stalls, why its subscription has ended, would be held for it as long as it likes.
  raw.setTimeout(streams.stallMs, () => raw.destroy());
  raw.writeHead(response.status, headers as Record<string, string>);
  await pump(response.body, raw, streams);
  return reply;
}

async function pump(
  body: ReadableStream<Uint8Array>,
  raw: FastifyReply['raw'],
  streams: OpenStreams,
): Promise<void> {
  const reader = body.getReader();
  let retryMs: number | null = null;
  // Canceling calls the subscription's `return()`: the source is freed at once, whatever it waits for.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const forget = streams.add((adviceMs) => {
    retryMs = adviceMs;
    cancel();
  });
  raw.on('close', cancel);
  // A comment line may stand anywhere, even between the lines of one event. A client that takes nothing gets
  // none: it would only add up.
  const pinging = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n');
  }, streams.pingMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || raw.destroyed) break;
      if (!raw.write(value)) await drained(raw);
    }
  } catch {
    // The stream broke after its headers were sent; ending it is all that is left to say.
  } finally {
    clearInterval(pinging);
    forget();
    raw.off('close', cancel);
    if (retryMs !== null && !raw.destroyed) raw.write(`retry: ${retryMs}\n\n`);
    raw.end();
  }
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  if (raw.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    raw.off('drain', settle);
    raw.off('close', settle);
    resolve();
  };
  raw.on('drain', settle);
  raw.on('close', settle);
  return promise;
}
