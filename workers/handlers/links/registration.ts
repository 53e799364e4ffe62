import { enrich } from '../../../src/domains/links/definitions/enrich.ts';
import { scrape } from '../../../src/domains/links/definitions/scrape.ts';
import { openEmbedder } from '../../../src/domains/links/embedding/open-embedder.ts';
import { createHostStore } from '../../../src/domains/links/stores/host-store.ts';
import { createLinkStore } from '../../../src/domains/links/stores/link-store.ts';
import { Outgoing } from '../../../src/outgoing/outgoing.ts';
import { type DomainHandlers, erased } from '../../domain-handlers.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { Registration } from '../../handler.ts';
import { openSummarizer } from './open-summarizer.ts';
import type { EnrichOwn, ScrapeOwn } from './own.ts';

/** `scrape` with its handler. */
function scrapeRegistration(): Registration<typeof scrape, ScrapeOwn> {
  return {
    definition: scrape,
    load: async () => (await import('./scrape.ts')).runScrape,
    provide: ({ config, database }: EngineParts) => {
      const outgoing = new Outgoing(config);
      const hosts = createHostStore(database);
      const { scrapeApiUrl: url, scrapeApiKey: key, linkHostDelayMs, linkRobots, outgoingUserAgent } = config;
      const settings = {
        api: url === null ? null : { url, key },
        hostDelayMs: linkHostDelayMs,
        robots: linkRobots,
        robotName: (outgoingUserAgent.split('/')[0] ?? '').toLowerCase(),
      };
      return ({ job, lease }) => ({ link: createLinkStore(database, job, lease), hosts, outgoing, settings });
    },
  };
}

/** `enrich` with its handler. */
function enrichRegistration(): Registration<typeof enrich, EnrichOwn> {
  return {
    definition: enrich,
    load: async () => (await import('./enrich.ts')).runEnrich,
    provide: ({ config, database }: EngineParts) => {
      const embedder = openEmbedder(config);
      const summarizer = openSummarizer(config);
      return ({ job, lease }) => ({ link: createLinkStore(database, job, lease), embedder, summarizer });
    },
  };
}

export const registrations: DomainHandlers = () => [
  erased(scrapeRegistration()),
  erased(enrichRegistration()),
];
