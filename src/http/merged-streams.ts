/** One event stream that goes into a merged one. */
export interface NamedStream {
  /** What its events are named by in the merged stream. */
  readonly id: string;
  readonly response: Promise<Response>;
}

/**
 * Merges answers of the GraphQL engine into one event stream. Each result is an event `next` with the data
 * `{"id": …, "payload": …}`, the end of each an event `complete` with its id. An answer that is no event
 * stream, such as a refusal, becomes its only result. The merged stream ends after the last of them. While
 * its consumer takes nothing, nothing is read from any of them.
 */
export function mergeStreams(streams: readonly NamedStream[]): ReadableStream<Uint8Array> {
  const merger = new Merger();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void merger.run(streams, controller),
      pull: () => merger.wanted(),
      cancel: () => merger.cancel(),
    },
    { highWaterMark: 1 },
  );
}

class Merger {
  readonly #encoder = new TextEncoder();
  readonly #readers = new Set<ReadableStreamDefaultReader<Uint8Array>>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room = Promise.withResolvers<void>();
  #isCanceled = false;

  async run(
    streams: readonly NamedStream[],
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> {
    this.#controller = controller;
    await Promise.all(streams.map((stream) => this.#forward(stream)));
    if (!this.#isCanceled) controller.close();
  }

  wanted(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  async cancel(): Promise<void> {
    this.#isCanceled = true;
    this.#room.resolve();
    await Promise.allSettled([...this.#readers].map((reader) => reader.cancel()));
  }

  /** Never rejects: an answer that breaks off is complete for its reader, who tries again. */
  async #forward({ id, response }: NamedStream): Promise<void> {
    const name = JSON.stringify(id);
    try {
      const answer = await response;
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (isStream && answer.body !== null) await this.#copy(name, answer.body.getReader());
      else await this.#write(`event: next\ndata: {"id":${name},"payload":${await answer.text()}}\n\n`);
    } catch {
      // Its source broke; `complete` follows.
    }
    await this.#write(`event: complete\ndata: {"id":${name}}\n\n`);
  }

  async #copy(name: string, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    this.#readers.add(reader);
    try {
      if (this.#isCanceled) await reader.cancel();
      const decoder = new TextDecoder();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          if (!block.startsWith(RESULT)) continue;
          await this.#write(`${RESULT}{"id":${name},"payload":${block.slice(RESULT.length)}}\n\n`);
        }
      }
    } finally {
      this.#readers.delete(reader);
    }
  }

  async #write(text: string): Promise<void> {
    while (!this.#isCanceled && (this.#controller?.desiredSize ?? 0) <= 0) await this.#room.promise;
    if (!this.#isCanceled) this.#controller?.enqueue(this.#encoder.encode(text));
  }
}

/** How the engine writes a result: its JSON is one line. */
const RESULT = 'event: next\ndata: ';
