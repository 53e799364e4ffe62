import { type Duty, inBatches } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import { pruneLinkHosts } from '../sql/prune-link-hosts.ts';

const EVERY_MS = 600_000;
const BATCH = 1_000;
/** As long as a robots.txt is good for, and longer than any turn is away. */
const KEPT_SECONDS = 2 * 86_400;

/**
 * Forgets hosts that nobody has asked for two days: their turns are over, and their robots.txt would be read
 * again.
 */
export function linkHostsDuty({ database }: { readonly database: Database }): Duty {
  return {
    name: 'prune link hosts',
    everyMs: EVERY_MS,
    run: async (turn) => ({
      hosts: await inBatches(turn, async () => {
        const { rowCount } = await database.asWorker(pruneLinkHosts, [KEPT_SECONDS, BATCH]);
        return { done: rowCount ?? 0, more: rowCount === BATCH };
      }),
    }),
  };
}
