import { type Duty, inBatches } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { type ErasedTenantRow, eraseTenant } from '../sql/erase-tenant.ts';
import { type DeletedTenantRow, findDeletedTenants } from '../sql/find-deleted-tenants.ts';

const EVERY_MS = 10_000;
const TENANTS = 20;
/** Rows of each kind that one transaction removes. */
const BATCH_SIZE = 500;

/**
 * Removes what deleted tenants had, in batches: jobs, triggers and events, videos with their files (which the
 * duty `deleted media` removes from the store), keys and members, and in the end the tenant itself. Whatever
 * ends it half-way, the mark is there for the next turn.
 */
export function deletedTenantsDuty(database: Database, log: Logger): Duty {
  return {
    name: 'deleted tenants',
    everyMs: EVERY_MS,
    run: async (turn) => {
      const { rows } = await database.asWorker<DeletedTenantRow>(findDeletedTenants, [TENANTS]);
      let rowsRemoved = 0;
      for (const { id } of rows) {
        rowsRemoved += await inBatches(turn, async () => {
          const erased = await database.asWorker<ErasedTenantRow>(eraseTenant, [id, BATCH_SIZE]);
          const { removed, is_gone: isGone } = erased.rows[0] as ErasedTenantRow;
          if (isGone) log.info({ tenant_id: id }, 'deleted tenants: nothing is left of it');
          return { done: removed, more: removed > 0 && !isGone };
        });
      }
      return { rows: rowsRemoved };
    },
  };
}
