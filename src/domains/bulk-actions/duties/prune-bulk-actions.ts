import { type Duty, inBatches } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import { pruneBulkActions } from '../sql/prune-bulk-actions.ts';

const EVERY_MS = 60_000;
const BATCH = 1_000;
const KEPT_SECONDS = 30 * 86_400;

/** Forgets bulk actions 30 days after their end. What they did stays in the audit log. */
export function pruneBulkActionsDuty({ database }: { readonly database: Database }): Duty {
  return {
    name: 'prune bulk actions',
    everyMs: EVERY_MS,
    run: async (turn) => ({
      rows: await inBatches(turn, async () => {
        const { rowCount } = await database.asWorker(pruneBulkActions, [KEPT_SECONDS, BATCH]);
        const done = rowCount ?? 0;
        return { done, more: done === BATCH };
      }),
    }),
  };
}
