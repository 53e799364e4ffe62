import type { FastifyReply } from 'fastify';

/** Event streams that are being sent; a stopping server ends them. */
export class OpenStreams {
  readonly #ends = new Set<() => void>();

  add(end: () => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** Ends all: their clients see a complete response and come back elsewhere, or here after the restart. */
  endAll(): void {
    for (const end of [...this.#ends]) end();
  }
}

/** Sends a fetch-style response. A stream is written as its client takes it, and canceled the moment the client is gone. */
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
  // Canceling calls the subscription's `return()`: the source is freed at once, whatever it waits for.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const forget = streams.add(cancel);
  raw.on('close', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || raw.destroyed) break;
      if (!raw.write(value)) await drained(raw);
    }
  } catch {
    // The stream broke after its headers were sent; ending it is all that is left to say.
  } finally {
    forget();
    raw.off('close', cancel);
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
