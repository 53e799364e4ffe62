import type { Database } from '../db/database.ts';
import { type DepthRow, measureDepth as measureDepthStatement } from '../db/sql/maintenance/measure-depth.ts';
import type { DefinitionDepth } from '../telemetry/queue-metrics.ts';

/** Nobody needs the exact number of a long queue as much as a short answer. */
const COUNTED_AT_MOST = 10_000;

/** How the jobs of each definition stand, over all tenants, for the metrics. */
export async function measureDepth(database: Database): Promise<readonly DefinitionDepth[]> {
  const { rows } = await database.asWorker<DepthRow>(measureDepthStatement, [COUNTED_AT_MOST]);
  return rows.map(({ oldest_ready_seconds: oldestReadySeconds, ...depth }) => ({
    ...depth,
    oldestReadySeconds,
  }));
}
