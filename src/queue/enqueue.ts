import { DomainError } from '../core/errors.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { type ActiveDuplicateRow, findActiveDuplicates } from '../db/sql/queue/find-active-duplicates.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';
import { atIndex, checkInput } from './check-input.ts';
import { insertEdges, lockParents } from './dependencies.ts';
import { insertRows } from './insert-rows.ts';
import { dedupeBusy, type NewJob, type Outcome } from './new-jobs.ts';
import { payloadJson } from './payload-json.ts';

/** How often a job is tried again whose rival had ended by the time it was looked for. */
const MAX_ROUNDS = 5;
const DEDUPE_WAIT_MS = 5_000;

export interface EnqueueInOptions {
  readonly maxPayloadBytes?: number;
  /** Also for a tenant that is being deleted: what its last jobs leave behind is deleted with the rest. */
  readonly evenDeletedTenants?: boolean;
}

/**
 * Enqueues jobs of one tenant inside the caller's transaction, all or none. Payloads are taken as validated by the caller.
 * Against an uncommitted rival with the same dedupe key it waits up to 5 s, then reads again in a new statement.
 * After the commit ring the bell (`ringEnqueued`).
 * @returns one result an input, in order: always a job id, `created` or `existing`
 * @throws DomainError `UnknownDefinition`, `DefinitionInactive`, `UnknownTenant`, `InvalidArgument`, `InvalidPayload`,
 *   `PayloadTooLarge`, `DedupeBusy`; of several inputs the field is `inputs[i].…`
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
 * Inserts jobs of one tenant, looks up the rivals of those whose key is taken, and writes the edges of the new ones. Their parents
 * are held by this transaction (`start`).
 * @returns one outcome a job, in order; never `rival`
 * @throws DomainError `DedupeBusy`
 */
export async function insertAll(
  tx: Transaction,
  tenantId: string,
  jobs: readonly NewJob[],
  evenDeletedTenants: boolean,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = new Array(jobs.length);
  let open = jobs.map((_, index) => index);
  if (jobs.some(({ input }) => input.dedupeKey != null))
    await tx.query(setLockTimeout, [`${DEDUPE_WAIT_MS}ms`]);
  for (let round = 1; open.length > 0; round++) {
    if (round > MAX_ROUNDS) throw dedupeBusy(keyOf(jobs[open[0] as number]));
    open = await insertRound(tx, tenantId, jobs, open, evenDeletedTenants, outcomes);
  }
  const edges = jobs.flatMap(({ start }, index) => {
    const outcome = outcomes[index];
    if (start === null || outcome?.kind !== 'created') return [];
    return start.edges.map((edge) => ({ ...edge, jobId: outcome.id }));
  });
  await insertEdges(tx, tenantId, edges);
  return outcomes;
}

/** One INSERT and, for what a rival kept out, one look at the rivals; returns what neither settled. */
async function insertRound(
  tx: Transaction,
  tenantId: string,
  jobs: readonly NewJob[],
  open: readonly number[],
  evenDeletedTenants: boolean,
  outcomes: Outcome[],
): Promise<number[]> {
  const asked = open.map((index) => jobs[index] as NewJob);
  const refused: number[] = [];
  for (const [at, outcome] of (await insertAsked(tx, asked, evenDeletedTenants)).entries()) {
    const index = open[at] as number;
    outcomes[index] = outcome;
    if (outcome.kind === 'rival') refused.push(index);
  }
  if (refused.length === 0) return [];
  const keys = [...new Set(refused.map((index) => keyOf(jobs[index])))];
  const rivals = await tx.query<ActiveDuplicateRow>(findActiveDuplicates, [tenantId, keys]);
  const idByKey = new Map(rivals.rows.map((row) => [row.dedupe_key, row.id]));
  return refused.filter((index) => {
    const id = idByKey.get(keyOf(jobs[index]));
    if (id !== undefined) outcomes[index] = { id, kind: 'existing' };
    return id === undefined;
  });
}

async function insertAsked(
  tx: Transaction,
  jobs: readonly NewJob[],
  evenDeletedTenants: boolean,
): Promise<readonly Outcome[]> {
  try {
    return await insertRows((statement, values) => tx.query(statement, values), jobs, {
      evenDeletedTenants,
      ringing: null,
    });
  } catch (error) {
    const keyed = jobs.find(({ input }) => input.dedupeKey != null);
    if (sqlState(error) === '55P03') throw dedupeBusy(keyOf(keyed), error);
    throw error;
  }
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
