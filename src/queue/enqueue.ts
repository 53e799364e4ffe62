import { DomainError } from '../core/errors.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { type ActiveDuplicateRow, findActiveDuplicates } from '../db/sql/queue/find-active-duplicates.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';
import { payloadJson } from '../payloads/payload-json.ts';
import { atIndex, checkInput } from './check-input.ts';
import { type Edge, insertEdges, lockParents } from './dependencies.ts';
import { insertRows } from './insert-rows.ts';
import { dedupeBusy, type NewJob, type Outcome } from './new-jobs.ts';
import { statementParts } from './statement-parts.ts';

/** How often a job is tried again whose rival had ended by the time it was looked for. */
const MAX_ROUNDS = 5;
const DEDUPE_WAIT_MS = 5_000;

export interface EnqueueInOptions {
  readonly maxPayloadBytes?: number;
  /** Also for a tenant that is being deleted: what its last jobs leave behind is deleted with the rest. */
  readonly evenDeletedTenants?: boolean;
}

/**
 * Enqueues jobs of one tenant inside the caller's transaction, all or none. Payloads are taken as validated
 * by the caller. Against an uncommitted rival with the same dedupe key it waits up to 5 s, then reads again
 * in a new statement. After the commit notify (`notifyEnqueued`).
 * @returns one result an input, in order: always a job id, `created` or `existing`
 * @throws DomainError `UnknownDefinition`, `DefinitionInactive`, `UnknownTenant`, `InvalidArgument`,
 *   `InvalidPayload`, `PayloadTooLarge`, `DedupeBusy`; of several inputs the field is `inputs[i].…`
 */
export async function enqueueIn(
  tx: Transaction,
  tenantId: string,
  inputs: readonly EnqueueInput[],
  { maxPayloadBytes, evenDeletedTenants = false }: EnqueueInOptions = {},
): Promise<readonly EnqueueResult[]> {
  if (inputs.length === 0) return [];
  const checked = inputs.map((input, index) =>
    placed(inputs, index, () => newJob(tenantId, input, null, maxPayloadBytes)),
  );
  const jobs = await withStarts(tx, tenantId, checked);
  const outcomes = await insertAll(tx, tenantId, jobs, evenDeletedTenants);
  return outcomes.map((outcome, index) => placed(inputs, index, () => resultOf(outcome)));
}

/** Checks an input and writes its payload as JSON. @throws DomainError */
export function newJob(
  tenantId: string,
  input: EnqueueInput,
  revision: string | null,
  maxPayloadBytes?: number,
): NewJob {
  checkInput(input);
  return { tenantId, input, payloadJson: payloadJson(input.payload, maxPayloadBytes), revision, start: null };
}

/** The result of a row that was to be written. @throws DomainError when it was refused */
export function resultOf(outcome: Outcome): EnqueueResult {
  if (outcome.kind === 'created' || outcome.kind === 'existing')
    return { kind: outcome.kind, id: outcome.id };
  if (outcome.kind === 'rival')
    throw new DomainError(
      'ActiveDuplicate',
      'Another job of this definition about the same subject is active; allowed: one at a time.',
      { field: 'subject', allowed: 'one active job per subject' },
    );
  throw outcome.kind === 'refused' ? outcome.error : new Error(`A job was left ${outcome.kind}`);
}

async function withStarts(
  tx: Transaction,
  tenantId: string,
  jobs: readonly NewJob[],
): Promise<readonly NewJob[]> {
  if (!jobs.some(({ input }) => (input.dependsOn?.length ?? 0) > 0)) return jobs;
  try {
    const starts = await lockParents(
      tx,
      tenantId,
      jobs.map(({ input }) => input.dependsOn ?? []),
    );
    return jobs.map((job, index) => ({ ...job, start: starts[index] ?? null }));
  } catch (error) {
    const index = error instanceof DomainError ? error.details['childIndex'] : undefined;
    if (typeof index !== 'number' || jobs.length === 1) throw error;
    throw atIndex(error as DomainError, index);
  }
}

/**
 * Inserts jobs of one tenant, looks up the rivals of those whose key is taken, and writes the edges of the
 * new ones. Their parents are held by this transaction (`start`).
 * @returns one outcome a job, in order; never `rival`
 * @throws DomainError `DedupeBusy`
 */
export async function insertAll(
  tx: Transaction,
  tenantId: string,
  jobs: readonly NewJob[],
  evenDeletedTenants: boolean,
): Promise<readonly Outcome[]> {
  const hasKeys = jobs.some(hasKey);
  if (hasKeys) await tx.query(setLockTimeout, [`${DEDUPE_WAIT_MS}ms`]);
  const outcomes = await insertAsked(tx, jobs, evenDeletedTenants);
  if (hasKeys) await settleRivals(tx, tenantId, jobs, outcomes, evenDeletedTenants);
  const edges: Edge[] = [];
  for (const [index, { start }] of jobs.entries()) {
    const outcome = outcomes[index];
    if (start === null || outcome?.kind !== 'created') continue;
    for (const edge of start.edges) edges.push({ ...edge, jobId: outcome.id });
  }
  await insertEdges(tx, tenantId, edges);
  return outcomes;
}

/**
 * Looks up the rivals that kept jobs out, and inserts again whose rival is gone. Leaves no outcome a `rival`.
 */
async function settleRivals(
  tx: Transaction,
  tenantId: string,
  jobs: readonly NewJob[],
  outcomes: Outcome[],
  evenDeletedTenants: boolean,
): Promise<void> {
  // One without a key has a rival about its subject, of a definition that allows one of them.
  const isOpen = (index: number): boolean =>
    outcomes[index]?.kind === 'rival' && hasKey(jobs[index] as NewJob);
  let open = [...jobs.keys()].filter(isOpen);
  for (let round = 1; open.length > 0; round++) {
    const keys = [...new Set(open.map((index) => keyOf(jobs[index])))];
    const rivals = await tx.query<ActiveDuplicateRow>(findActiveDuplicates, [tenantId, keys]);
    const idByKey = new Map(rivals.rows.map((row) => [row.dedupe_key, row.id]));
    for (const index of open) {
      const id = idByKey.get(keyOf(jobs[index]));
      if (id !== undefined) outcomes[index] = { id, kind: 'existing' };
    }
    open = open.filter(isOpen);
    if (open.length === 0) return;
    if (round === MAX_ROUNDS) throw dedupeBusy(keyOf(jobs[open[0] as number]));
    const asked = open.map((index) => jobs[index] as NewJob);
    for (const [at, outcome] of (await insertAsked(tx, asked, evenDeletedTenants)).entries())
      outcomes[open[at] as number] = outcome;
    open = open.filter(isOpen);
  }
}

async function insertAsked(
  tx: Transaction,
  jobs: readonly NewJob[],
  evenDeletedTenants: boolean,
): Promise<Outcome[]> {
  try {
    const outcomes: Outcome[] = [];
    for (const part of statementParts(jobs)) {
      const written = await insertRows((statement, values) => tx.query(statement, values), part, {
        evenDeletedTenants,
        notifying: null,
      });
      outcomes.push(...written);
    }
    return outcomes;
  } catch (error) {
    if (sqlState(error) === '55P03') throw dedupeBusy(keyOf(jobs.find(hasKey)), error);
    throw error;
  }
}

function hasKey({ input }: NewJob): boolean {
  return input.dedupeKey != null;
}

function keyOf(job: NewJob | undefined): string {
  return job?.input.dedupeKey ?? '';
}

/** Runs it with the input's place in its error, where there are several. */
function placed<T>(inputs: readonly EnqueueInput[], index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (inputs.length === 1 || !(error instanceof DomainError)) throw error;
    throw atIndex(error, index);
  }
}
