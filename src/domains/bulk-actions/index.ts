import { defineDomain } from '../domain.ts';
import { pruneBulkActionsDuty } from './duties/prune-bulk-actions.ts';
import { BULK_ACTION_TABLES } from './feed/bulk-action-tables.ts';

/**
 * Cancels and retries of all jobs that a filter chooses, with their progress. `run/` does them, in the
 * processes of the API.
 */
export const bulkActions = defineDomain({
  name: 'bulk-actions',
  feedTables: BULK_ACTION_TABLES,
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => [pruneBulkActionsDuty(deps)],
});
