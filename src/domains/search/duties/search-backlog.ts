import { type Duty, inBatches } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import { findSearchBacklog, type SearchBacklogRow } from '../sql/find-search-backlog.ts';
import { refreshSearch } from '../sql/refresh-search.ts';

const BATCH_VIDEOS = 5;

/**
 * Makes searchable what waits for it, a video a transaction. The pipeline does so by itself; this is for what
 * a migration of the search leaves to be indexed again, and for texts that somebody wrote by SQL without
 * refreshing the search.
 */
export function searchDuty(database: Database, everyMs = 10_000): Duty {
  return {
    name: 'search',
    everyMs,
    run: async (turn) => ({
      videos: await inBatches(turn, async () => {
        const { rows } = await database.asWorker<SearchBacklogRow>(findSearchBacklog, [BATCH_VIDEOS]);
        for (const { tenant_id: tenantId, video_id: videoId } of rows)
          await database.transaction({ role: 'worker', tenantId }, async (tx) => {
            await tx.query(refreshSearch, [videoId]);
          });
        return { done: rows.length, more: rows.length === BATCH_VIDEOS };
      }),
    }),
  };
}
