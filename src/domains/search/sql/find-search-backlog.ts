import { statement } from '../../../db/statement.ts';

/**
 * Videos of any tenant whose texts or title wait to be indexed: $1 how many at most. Locks nothing. Index:
 * search_pending_pkey.
 */
export const findSearchBacklog = statement(
  'find_search_backlog',
  'select tenant_id, video_id from millrace.search_backlog($1)',
);

export interface SearchBacklogRow {
  readonly tenant_id: string;
  readonly video_id: string;
}
