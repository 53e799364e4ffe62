import type { PayloadOf } from '../../../src/core/definition.ts';
import { canceled, done, skipped } from '../../../src/core/outcome.ts';
import type { enrich } from '../../../src/domains/links/definitions/enrich.ts';
import { meanOf } from '../../../src/domains/links/embedding/embedder.ts';
import type { Handler } from '../../handler.ts';
import { embeddingParts } from './embedding-parts.ts';
import { outcomeOf } from './outcomes.ts';
import type { EnrichOwn } from './own.ts';

/**
 * Sums a link's text up and embeds it. The same content by the same models is done once, however often the
 * job runs.
 */
export const runEnrich: Handler<PayloadOf<typeof enrich>, EnrichOwn> = async ({
  own,
  signal,
  log,
  progress,
}) => {
  const { link, embedder, summarizer } = own;
  const begun = await link.begin('enriching');
  if (begun === null) return canceled('the link was deleted');
  const { title, description, text, contentHash } = begun;
  if (contentHash === null) return canceled('the link has not been read yet');
  if (text === null || text.trim() === '') {
    log.info('the link has no text: it is done with what its page says about itself');
    return done({ partial: true });
  }
  const isSame = begun.enrichedHash === contentHash && begun.enrichedBy === summarizer.name;
  if (isSame && begun.embeddedBy === embedder.model) return skipped('this content was enriched before');
  try {
    progress({ stage: 'summarize', percent: 10 });
    const summary = await summarizer.summarize({ title, description, text }, signal);
    progress({ stage: 'embed', percent: 60 });
    const vectors = await embedder.embed(
      embeddingParts({ title, description, text, summary: summary.summary }),
      signal,
    );
    await link.saveEnriched({
      ...summary,
      contentHash,
      enrichedBy: summarizer.name,
      embedding: { model: embedder.model, vector: meanOf(vectors) },
    });
    return done({
      summary: summary.summary,
      topics: summary.topics,
      entities: summary.entities.length,
      content_hash: contentHash,
      model: summarizer.name,
      embedding_model: embedder.model,
    });
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOf(error);
  }
};
