import type { PayloadOf } from '../../../src/core/definition.ts';
import { canceled, done } from '../../../src/core/outcome.ts';
import type { scrape } from '../../../src/domains/links/definitions/scrape.ts';
import type { ScrapedLink } from '../../../src/domains/links/stores/contract.ts';
import type { Handler } from '../../handler.ts';
import { outcomeOf } from './outcomes.ts';
import type { ScrapeOwn } from './own.ts';
import { PoliteClient } from './polite-client.ts';
import { isOfPlatform, scrapeByApi } from './scrape-api.ts';
import { scrapePage } from './scrape-page.ts';

/** Reads a link by the configured service, or its page. May run twice: it writes the same row. */
export const runScrape: Handler<PayloadOf<typeof scrape>, ScrapeOwn> = async ({
  own,
  signal,
  log,
  progress,
}) => {
  const { link, hosts, outgoing, settings } = own;
  const begun = await link.begin('scraping');
  if (begun === null) return canceled('the link was deleted');
  const { url } = begun;
  let scraped: ScrapedLink;
  try {
    progress({ stage: 'read' });
    scraped =
      settings.api !== null && isOfPlatform(url)
        ? await scrapeByApi(settings.api, url, signal)
        : await scrapePage(new PoliteClient(outgoing, hosts, settings, signal), url, signal, log);
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOf(error);
  }
  const { contentHash } = await link.saveScraped(scraped);
  log.info('read', {
    by: scraped.scrapedBy,
    text: scraped.textKind ?? 'none',
    characters: scraped.text?.length ?? 0,
  });
  return done({
    title: scraped.title,
    text_kind: scraped.textKind,
    characters: scraped.text?.length ?? 0,
    content_hash: contentHash,
    scraped_by: scraped.scrapedBy,
  });
};
