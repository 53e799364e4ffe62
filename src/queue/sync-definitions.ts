import type { JobDefinition } from '../core/definition.ts';
import type { Database } from '../db/database.ts';
import { type DefinitionRow, findDefinitions } from '../db/sql/queue/find-definitions.ts';
import { syncDefinitions as syncStatement } from '../db/sql/queue/sync-definitions.ts';

/** A definition as its row says, with the id that jobs refer to. */
export interface SyncedDefinition {
  readonly id: string;
  readonly key: string;
  readonly leaseSeconds: number;
  readonly timeoutSeconds: number;
}

/**
 * Writes the definitions declared in code to `job_definitions` and returns them by id. Any number of processes may do so
 * at once; a row that is as declared is left alone. A limit that an operator has set stays until its declaration changes.
 */
export async function syncDefinitions(
  db: Database,
  definitions: readonly JobDefinition[],
): Promise<ReadonlyMap<string, SyncedDefinition>> {
  await db.asWorker(syncStatement, [
    definitions.map((definition) => definition.key),
    definitions.map((definition) => definition.description),
    definitions.map((definition) => JSON.stringify(definition.payload)),
    definitions.map((definition) => definition.timeoutSeconds),
    definitions.map((definition) => definition.maxAttempts),
    definitions.map((definition) => definition.leaseSeconds),
    definitions.map((definition) => JSON.stringify(definition.retryPolicy)),
    definitions.map((definition) => definition.maxSnoozes),
    definitions.map((definition) => definition.enqueueRole),
    definitions.map((definition) => definition.snoozeDeadlineSeconds),
    definitions.map((definition) => JSON.stringify(limitsOf(definition))),
  ]);
  const { rows } = await db.asWorker<DefinitionRow>(findDefinitions, [
    definitions.map((definition) => definition.key),
  ]);
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, key: row.key, leaseSeconds: row.lease_seconds, timeoutSeconds: row.timeout_seconds },
    ]),
  );
}

/** What an operator may set beside the declaration, as `declared_limits` remembers it. */
function limitsOf(definition: JobDefinition): Partial<JobDefinition> {
  const { maxRunning, maxRunningPerTenant, rateLimit, rateLimitPerTenant, retentionSeconds } = definition;
  return { maxRunning, maxRunningPerTenant, rateLimit, rateLimitPerTenant, retentionSeconds };
}
