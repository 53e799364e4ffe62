import { DomainError } from '../core/errors.ts';
import type { EnqueueInput } from '../core/queue.ts';
import type { Database, Transaction } from '../db/database.ts';
import { recordOutcome, recordsOutcome } from '../db/outcome-record.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import { lockParents } from './dependencies.ts';
import { insertAll, newJob } from './enqueue.ts';
import type { InsertGroups } from './insert-groups.ts';
import type { KnownDefinitions } from './known-definitions.ts';
import { inactiveDefinition, type NewJob, type Outcome, unknownDefinition } from './new-jobs.ts';
import type { Prepare } from './prepare.ts';

export interface SingleEnqueueDeps {
  readonly db: Database;
  readonly groups: InsertGroups;
  readonly definitions: KnownDefinitions;
  readonly maxPayloadBytes: number;
}

/** A definition that changes faster than a job of it can be checked. */
const MAX_ROUNDS = 5;

/**
 * Enqueues one job of a definition by which `prepare` has checked it; again, when the definition turns out to
 * be another by now. One round trip, where the definition is known and the job has neither dedupe key nor
 * parents.
 * @param write puts the job in; as one of its own or of a group unless said otherwise
 * @returns what was created, or exists, or is a rival
 * @throws DomainError what `prepare` throws, and as `enqueueIn`
 */
export async function enqueueChecked(
  deps: SingleEnqueueDeps,
  tenantId: string,
  key: string,
  prepare: Prepare,
  write: (job: NewJob) => Promise<Outcome> = (job) => insertOne(deps, job),
): Promise<Outcome> {
  let definition = deps.definitions.remembered(key);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const isFresh = definition === undefined;
    definition ??= (await deps.definitions.refresh([key])).get(key);
    try {
      const prepared = preparedBy(definition, key, prepare);
      const input = prepared instanceof Promise ? await prepared : prepared;
      const job = newJob(tenantId, input, definition?.revision ?? null, deps.maxPayloadBytes);
      const outcome = await write(job);
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind !== 'stale') return outcome;
    } catch (error) {
      // What is refused by a remembered definition may be right by the one of today.
      if (isFresh || !(error instanceof DomainError)) throw error;
      const today = (await deps.definitions.refresh([key])).get(key);
      if (today !== undefined && today.revision === definition?.revision) throw error;
      definition = today;
      continue;
    }
    definition = undefined;
  }
  throw new Error(`Job definition ${key} has changed ${MAX_ROUNDS} times while a job of it was enqueued`);
}

/** @throws DomainError `UnknownDefinition` `DefinitionInactive`, and what `prepare` throws */
export function preparedBy(
  definition: DefinitionRow | undefined,
  key: string,
  prepare: Prepare,
): EnqueueInput | Promise<EnqueueInput> {
  if (definition === undefined) throw unknownDefinition(key);
  if (!definition.is_active) throw inactiveDefinition(key);
  return prepare(definition);
}

/** Enqueues one job in a transaction of its own, or in one that it shares with others of the same moment. */
export async function insertOne(deps: SingleEnqueueDeps, job: NewJob): Promise<Outcome> {
  const { dedupeKey, dependsOn } = job.input;
  const hasParents = (dependsOn?.length ?? 0) > 0;
  // A group's INSERT is shared with others, whose transaction is nobody's own.
  if (dedupeKey == null && !hasParents && !recordsOutcome()) return deps.groups.insert(job);
  const { tenantId } = job;
  return deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
    const [start] = hasParents ? await lockParents(tx, tenantId, [dependsOn ?? []]) : [];
    const [outcome] = await insertAll(tx, tenantId, [{ ...job, start: start ?? null }], false);
    await recordEnqueued(tx, outcome);
    return outcome as Outcome;
  });
}

/** As the use-cases return it. */
export async function recordEnqueued(tx: Transaction, outcome: Outcome | undefined): Promise<void> {
  if (outcome?.kind === 'created' || outcome?.kind === 'existing')
    await recordOutcome(tx, { id: outcome.id, kind: outcome.kind });
}
