import { callEndpoint } from '../../../outgoing/configured-endpoint.ts';
import { jsonOf, requireSuccess } from '../providers/provider-error.ts';
import { type Embedder, normalized } from './embedder.ts';

export interface AiEndpoint {
  /** `https://api.openai.com/v1` */
  readonly url: string;
  readonly key: string | null;
}

const TIMEOUT_MS = 60_000;
const SERVICE = 'The embedding endpoint';

/** An OpenAI-compatible endpoint: `POST {url}/embeddings`. */
export function endpointEmbedder(endpoint: AiEndpoint, model: string): Embedder {
  return {
    model,
    embed: async (texts, signal) => {
      const answer = await callEndpoint({
        url: `${endpoint.url.replace(/\/+$/, '')}/embeddings`,
        headers: endpoint.key === null ? {} : { authorization: `Bearer ${endpoint.key}` },
        json: { model, input: texts, encoding_format: 'float' },
        timeoutMs: TIMEOUT_MS,
        ...(signal && { signal }),
      });
      requireSuccess(SERVICE, answer);
      return vectorsOf(jsonOf(SERVICE, answer), texts.length);
    },
  };
}

/**
 * The vectors of an answer by their `index`. @throws Error unless there is one of equal length for each text
 */
function vectorsOf(answer: unknown, count: number): readonly Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  if (Array.isArray(data))
    for (const [place, item] of data.entries()) {
      const { embedding, index = place } = (item ?? {}) as { embedding?: unknown; index?: unknown };
      if (
        Array.isArray(embedding) &&
        embedding.every((value) => typeof value === 'number') &&
        typeof index === 'number'
      )
        if (index in vectors && embedding.length > 0) vectors[index] = normalized(embedding);
    }
  const whole = vectors.filter((vector) => vector !== undefined);
  if (whole.length !== count || new Set(whole.map(({ length }) => length)).size > 1)
    throw new Error(`${SERVICE} answers with ${whole.length} vectors for ${count} texts`);
  return whole;
}
