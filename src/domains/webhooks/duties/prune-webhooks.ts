import { type Duty, inBatches } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import { type PrunedWebhooksRow, pruneWebhooks } from '../sql/prune-webhooks.ts';

const EVERY_MS = 60_000;
const BATCH = 1_000;
const DELIVERIES_SECONDS = 30 * 86_400;
/** Far longer than the replay window: what a sender sends again after a day off makes no second event. */
const RECEIPTS_SECONDS = 7 * 86_400;

/** Forgets attempts after 30 days, received messages after 7, and secrets once they have ended. */
export function pruneWebhooksDuty({ database }: { readonly database: Database }): Duty {
  return {
    name: 'prune webhooks',
    everyMs: EVERY_MS,
    run: async (turn) => ({
      rows: await inBatches(turn, async () => {
        const values = [DELIVERIES_SECONDS, RECEIPTS_SECONDS, BATCH];
        const { rows } = await database.asWorker<PrunedWebhooksRow>(pruneWebhooks, values);
        const { deliveries, receipts } = rows[0] ?? { deliveries: 0, receipts: 0 };
        return { done: deliveries + receipts, more: Math.max(deliveries, receipts) === BATCH };
      }),
    }),
  };
}
