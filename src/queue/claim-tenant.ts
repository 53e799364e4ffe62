import type { SyncedDefinition } from '../core/definition-records.ts';
import type { ClaimedJob } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { AT, type ClaimEnd, type ClaimEndRow, type ClaimedRow } from '../db/sql/queue/claim-jobs.ts';
import { claimTenantJobs } from '../db/sql/queue/claim-tenant-jobs.ts';
import { claimOf, toClaimedJob } from './claimed-job.ts';

export interface TenantClaimRequest {
  readonly workerId: string;
  readonly tenantId: string;
  /** Those served first come first. */
  readonly definitions: readonly SyncedDefinition[];
  /** 1 to 500. */
  readonly limit: number;
}

/** Claims jobs of one tenant alone; needs nothing remembered from claim to claim. */
export async function claimOfTenant(
  db: Pick<Database, 'asWorker'>,
  { workerId, tenantId, definitions, limit }: TenantClaimRequest,
): Promise<readonly ClaimedJob[]> {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const { rows } = await db.asWorker<ClaimedRow | ClaimEndRow>(claimTenantJobs, [
    workerId,
    tenantId,
    [...byId.keys()],
    limit,
  ]);
  const last = rows.pop();
  if (last === undefined || rows.length === 0) return [];
  const claim = claimOf(last[AT.payload] as ClaimEnd, workerId);
  return (rows as ClaimedRow[]).map((row) =>
    toClaimedJob(row, claim, byId.get(row[AT.definitionId]) as SyncedDefinition),
  );
}
