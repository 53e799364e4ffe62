import type { Config } from '../../../config/config.ts';
import { BoundedMap } from '../../../core/bounded-map.ts';
import type { Embedder } from './embedder.ts';
import { openEmbedder } from './open-embedder.ts';

const MAX_KEPT = 500;

/**
 * Vectors of what people search for, the last ones kept: pages of one search, and words that are searched
 * again, are embedded once.
 */
export class QueryVectors {
  readonly embedder: Embedder;
  readonly #kept = new BoundedMap<string, Promise<Float32Array>>(MAX_KEPT);

  constructor(embedder: Embedder) {
    this.embedder = embedder;
  }

  /** @throws as the embedder */
  of(query: string): Promise<Float32Array> {
    const known = this.#kept.get(query);
    if (known !== undefined) return known;
    const asked = this.embedder.embed([query]).then(([vector]) => vector as Float32Array);
    this.#kept.set(query, asked);
    asked.catch(() => this.#kept.delete(query));
    return asked;
  }
}

type EmbedderConfig = Pick<Config, 'aiUrl' | 'aiKey' | 'aiEmbeddingModel'>;
const opened = new WeakMap<EmbedderConfig, QueryVectors>();

/** Those of a process's configuration. */
export function queryVectorsOf(config: EmbedderConfig): QueryVectors {
  let vectors = opened.get(config);
  if (vectors === undefined) {
    vectors = new QueryVectors(openEmbedder(config));
    opened.set(config, vectors);
  }
  return vectors;
}
