import { statement } from '../../../db/statement.ts';

/** Removes up to $2 rows of each kind of the deleted tenant $1. See the routine. */
export const eraseTenant = statement(
  'erase_tenant',
  `select e.removed, e.is_gone from millrace.erase_tenant($1, $2) e`,
  { timeoutMs: 60_000 },
);

export interface ErasedTenantRow {
  readonly removed: number;
  /** Nothing is left of it. */
  readonly is_gone: boolean;
}
