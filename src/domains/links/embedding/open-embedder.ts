import type { Config } from '../../../config/config.ts';
import type { Embedder } from './embedder.ts';
import { endpointEmbedder } from './endpoint-embedder.ts';
import { offlineEmbedder } from './offline-embedder.ts';

/** The embedder that the configuration names: an endpoint, or the offline model. */
export function openEmbedder(config: Pick<Config, 'aiUrl' | 'aiKey' | 'aiEmbeddingModel'>): Embedder {
  const { aiUrl, aiKey, aiEmbeddingModel } = config;
  return aiUrl === null ? offlineEmbedder : endpointEmbedder({ url: aiUrl, key: aiKey }, aiEmbeddingModel);
}
