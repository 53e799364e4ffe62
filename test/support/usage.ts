import type { Database } from '../../src/db/database.ts';
import { type SumUsageRow, sumUsage, type UsageSumRow } from '../../src/db/sql/read/sum-usage.ts';

/** Which usage to sum up: all of a decade, of every definition, where nothing is said. */
interface Stretch {
  /** First day, as YYYY-MM-DD. */
  readonly from?: string;
  /** The day behind the last one. */
  readonly to?: string;
  readonly definitionKeys?: readonly string[] | null;
}

/** A tenant's usage as the API reads it. */
export async function usedBy(
  db: Database,
  tenantId: string,
  { from = '2026-01-01', to = '2036-01-01', definitionKeys = null }: Stretch = {},
): Promise<UsageSumRow[]> {
  const { rows } = await db.transaction({ role: 'api', tenantId, readOnly: true }, (tx) =>
    tx.query<SumUsageRow>(sumUsage, [from, to, definitionKeys, 1_000_000]),
  );
  return rows.flatMap(({ exact_until: _, ...row }) => (row.day === null ? [] : [row]));
}
