import { defineDomain } from '../domain.ts';
import { enrich } from './definitions/enrich.ts';
import { scrape } from './definitions/scrape.ts';
import { linkHostsDuty } from './duties/prune-link-hosts.ts';
import { LINK_TABLES } from './feed/link-tables.ts';
import { linkPipeline } from './pipeline/pipeline.ts';

/** Links that are scraped, summed up, and found by meaning. */
export const links = defineDomain({
  name: 'links',
  definitions: [scrape, enrich],
  pipelines: [linkPipeline],
  feedTables: LINK_TABLES,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => [linkHostsDuty(deps)],
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
});
