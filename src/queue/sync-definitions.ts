import type { TSchema } from 'typebox';
import type { JobDefinition } from '../core/definition.ts';
import type { SyncedDefinition } from '../core/definition-records.ts';
import type { RetryPolicy } from '../core/retry.ts';
import type { Database } from '../db/database.ts';
import { type DefinitionRow, findDefinitions } from '../db/sql/queue/find-definitions.ts';
import { syncDefinitions as syncStatement } from '../db/sql/queue/sync-definitions.ts';

/**
 * Writes the definitions declared in code to `job_definitions` and returns them by id. Any number of
 * processes may do so at once; a row that is as declared is left alone. What an operator has set stays.
 */
export async function syncDefinitions(
  db: Database,
  definitions: readonly JobDefinition[],
): Promise<ReadonlyMap<string, SyncedDefinition>> {
  const keys = definitions.map(({ key }) => key);
  await db.asWorker(syncStatement, [
    keys,
    definitions.map((definition) => JSON.stringify(declarationOf(definition))),
  ]);
  return new Map((await readDefinitions(db, keys)).map((definition) => [definition.id, definition]));
}

/** Definitions by their keys, as their rows are now; those that are not there are missing in the answer. */
export async function readDefinitions(
  db: Database,
  keys: readonly string[],
): Promise<readonly SyncedDefinition[]> {
  const { rows } = await db.asWorker<DefinitionRow>(findDefinitions, [keys]);
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    leaseSeconds: row.lease_seconds,
    timeoutSeconds: row.timeout_seconds,
    maxAttempts: row.max_attempts,
    retryPolicy: row.retry_policy as RetryPolicy,
    maxSnoozes: row.max_snoozes,
    snoozeDeadlineSeconds: row.snooze_deadline_seconds,
    payload: row.arg_schema as unknown as TSchema,
    hasOwnSchema: row.has_own_schema,
    isArchived: row.is_archived,
    revision: row.revision,
  }));
}

/** All that code says of a definition, by the names that `job_definitions.declared` and `override` have. */
function declarationOf({
  key: _key,
  payload,
  ...settings
}: JobDefinition): Readonly<Record<string, unknown>> {
  return { ...settings, payloadSchema: payload };
}
