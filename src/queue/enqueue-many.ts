import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../core/errors.ts';
import type { Dependency, EnqueueInput, EnqueueItemResult } from '../core/queue.ts';
import { refusesData } from '../db/retryable.ts';
import { atIndex, refused } from './check-input.ts';
import { type ChildStart, FREE, tryLockParents } from './dependencies.ts';
import { insertAll, newJob } from './enqueue.ts';
import { preparedBy, type SingleEnqueueDeps } from './enqueue-one.ts';
import { insertRows } from './insert-rows.ts';
import type { NewJob, Outcome } from './new-jobs.ts';
import type { BulkItem } from './prepare.ts';
import { statementParts } from './statement-parts.ts';
import { haveOneDefinition } from './uniform-batch.ts';

/** Jobs of one bulk call. */
export const MAX_BULK_JOBS = 10_000;
/** Their payloads together, as JSON text. */
const MAX_BULK_BYTES = 64 * 1024 * 1024;
const MAX_ROUNDS = 5;
/** So long may checking the jobs of one call keep everybody else waiting. */
const TURN_MS = 10;
const NOBODY: readonly Dependency[] = [];

type Made = NewJob | DomainError;

/**
 * Enqueues the good ones of many jobs of one tenant, in one transaction; the bad ones fail nobody else.
 * @returns one result an item, in order
 * @throws DomainError `InvalidArgument` `PayloadTooLarge` for the call as a whole; `UnknownTenant`,
 *   `DedupeBusy`
 */
export async function enqueueItems(
  deps: SingleEnqueueDeps,
  tenantId: string,
  items: readonly BulkItem[],
): Promise<readonly EnqueueItemResult[]> {
  checkCount(items.length);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const made = await makeAll(deps, tenantId, items);
    checkBytes(made);
    const outcomes = await insertGood(deps, tenantId, made);
    if (outcomes !== 'stale') return outcomes.map((outcome, index) => itemResult(outcome, index));
    await deps.definitions.refresh(items.map(({ definitionKey }) => definitionKey));
  }
  throw new Error(`Job definitions have changed ${MAX_ROUNDS} times while jobs of them were enqueued`);
}

/** As `enqueueItems`, for payloads that the caller has checked itself. */
export async function enqueueInputs(
  deps: SingleEnqueueDeps,
  tenantId: string,
  inputs: readonly EnqueueInput[],
): Promise<readonly EnqueueItemResult[]> {
  checkCount(inputs.length);
  const made = inputs.map((input) => orError(() => newJob(tenantId, input, null, deps.maxPayloadBytes)));
  checkBytes(made);
  const outcomes = await insertGood(deps, tenantId, made);
  if (outcomes === 'stale') throw new Error('A job without a revision was found stale');
  return outcomes.map((outcome, index) => itemResult(outcome, index));
}

/**
 * Each item as a job or as what is wrong with it, by definitions that are known or, where one refuses, by
 * those of today.
 */
async function makeAll(
  { definitions, maxPayloadBytes }: SingleEnqueueDeps,
  tenantId: string,
  items: readonly BulkItem[],
): Promise<readonly Made[]> {
  const missing = items.filter(({ definitionKey }) => definitions.remembered(definitionKey) === undefined);
  let refreshed = await definitions.refresh(missing.map(({ definitionKey }) => definitionKey));
  const make = async ({ definitionKey, prepare }: BulkItem): Promise<Made> => {
    const definition = definitions.remembered(definitionKey);
    const revision = definition?.revision ?? null;
    try {
      const prepared = preparedBy(definition, definitionKey, prepare);
      const input = prepared instanceof Promise ? await prepared : prepared;
      return newJob(tenantId, input, revision, maxPayloadBytes);
    } catch (error) {
      return refusalOf(error);
    }
  };
  const made = await eachInTurns(items, make);
  const doubtful = items.filter(
    ({ definitionKey }, index) => made[index] instanceof DomainError && !refreshed.has(definitionKey),
  );
  if (doubtful.length === 0) return made;
  refreshed = await definitions.refresh(doubtful.map(({ definitionKey }) => definitionKey));
  return eachInTurns(made, (job, index) =>
    job instanceof DomainError ? make(items[index] as BulkItem) : job,
  );
}

/**
 * One after the other, and others of this process in between: checking ten thousand payloads takes seconds.
 */
async function eachInTurns<T, R>(
  all: readonly T[],
  work: (one: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let sinceMs = performance.now();
  for (const [index, one] of all.entries()) {
    results.push(await work(one, index));
    if (performance.now() - sinceMs < TURN_MS) continue;
    await nextTurn();
    sinceMs = performance.now();
  }
  return results;
}

/**
 * Writes what is good in one transaction. What the database alone finds fault with is halved down to the one
 * job.
 */
async function insertGood(
  deps: SingleEnqueueDeps,
  tenantId: string,
  made: readonly Made[],
): Promise<readonly Outcome[] | 'stale'> {
  const outcomes: Outcome[] = new Array(made.length);
  const good: number[] = [];
  for (const [index, job] of made.entries()) {
    if (job instanceof DomainError) outcomes[index] = { kind: 'refused', error: job };
    else good.push(index);
  }
  const write = async (part: readonly number[]): Promise<void> => {
    try {
      const jobs = part.map((index) => made[index] as NewJob);
      const written = await (isOneStatement(jobs)
        ? inOneStatement(deps, jobs)
        : inOneTransaction(deps, tenantId, jobs));
      for (const [at, index] of part.entries()) outcomes[index] = written[at] as Outcome;
    } catch (error) {
      if (error instanceof DomainError || !refusesData(error)) throw error;
      const [only] = part;
      if (part.length === 1 && only !== undefined) {
        outcomes[only] = { kind: 'refused', error: notTaken(error as Error) };
        return;
      }
      const half = Math.ceil(part.length / 2);
      await write(part.slice(0, half));
      await write(part.slice(half));
    }
  };
  try {
    if (good.length > 0) await write(good);
  } catch (error) {
    if (error instanceof Stale) return 'stale';
    throw error;
  }
  return outcomes;
}

class Stale extends Error {}

/** Finds that the call has failed as a whole. @throws Stale; DomainError `UnknownTenant` */
function failTogether(outcomes: readonly Outcome[]): void {
  if (outcomes.some(({ kind }) => kind === 'stale')) throw new Stale();
  const noTenant = outcomes.find(
    (outcome) => outcome.kind === 'refused' && outcome.error.code === 'UnknownTenant',
  );
  if (noTenant?.kind === 'refused') throw noTenant.error;
}

/**
 * Whether one statement writes all that may be written, or nothing: jobs of one definition are stale
 * together, and wait for no lock.
 */
function isOneStatement(jobs: readonly NewJob[]): boolean {
  return (
    haveOneDefinition(jobs) &&
    jobs.every(({ input }) => (input.dependsOn?.length ?? 0) === 0) &&
    statementParts(jobs).length === 1
  );
}

/**
 * As single enqueues do, see InsertGroups: by the worker role, which has each row joined with the tenant that
 * it names. BEGIN and COMMIT are two round trips less, and row security does not look at every row: an eighth
 * of what a thousand jobs take.
 */
async function inOneStatement(
  { db }: SingleEnqueueDeps,
  jobs: readonly NewJob[],
): Promise<readonly Outcome[]> {
  const outcomes = await insertRows((statement, values) => db.asWorker(statement, values), jobs, {
    evenDeletedTenants: false,
    notifying: null,
  });
  failTogether(outcomes);
  return outcomes;
}

async function inOneTransaction(
  { db }: SingleEnqueueDeps,
  tenantId: string,
  jobs: readonly NewJob[],
): Promise<readonly Outcome[]> {
  return db.transaction({ role: 'api', tenantId }, async (tx) => {
    // All parents before the first new row: the order in which everybody locks.
    const starts = await tryLockParents(
      tx,
      tenantId,
      jobs.map(({ input }) => input.dependsOn ?? NOBODY),
    );
    const started: NewJob[] = [];
    for (const [at, job] of jobs.entries()) {
      const start = starts[at] as ChildStart | DomainError;
      if (!(start instanceof DomainError)) started.push(start === FREE ? job : { ...job, start });
    }
    const written = (await insertAll(tx, tenantId, started, false)).values();
    const outcomes = starts.map(
      (start): Outcome =>
        start instanceof DomainError ? { kind: 'refused', error: start } : (written.next().value as Outcome),
    );
    failTogether(outcomes);
    return outcomes;
  });
}

function itemResult(outcome: Outcome, index: number): EnqueueItemResult {
  if (outcome.kind === 'created' || outcome.kind === 'existing') return outcome;
  if (outcome.kind === 'refused') return { kind: 'invalid', error: atIndex(outcome.error, index) };
  throw new Error(`A job was left ${outcome.kind}`);
}

function orError(make: () => NewJob): Made {
  try {
    return make();
  } catch (error) {
    return refusalOf(error);
  }
}

/** @throws what is no refusal */
function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

function checkCount(count: number): void {
  if (count > MAX_BULK_JOBS)
    throw refused('inputs.length', count, `at most ${MAX_BULK_JOBS} jobs in one call`);
}

function checkBytes(made: readonly Made[]): void {
  const chars = made.reduce((sum, job) => sum + (job instanceof DomainError ? 0 : job.payloadJson.length), 0);
  // No text takes more than three bytes in UTF-8 for each unit of UTF-16.
  if (chars * 3 <= MAX_BULK_BYTES) return;
  const sizeBytes = made.reduce(
    (sum, job) => sum + (job instanceof DomainError ? 0 : Buffer.byteLength(job.payloadJson)),
    0,
  );
  if (sizeBytes <= MAX_BULK_BYTES) return;
  const allowed = `at most ${MAX_BULK_BYTES} bytes of JSON in one call`;
  throw new DomainError(
    'PayloadTooLarge',
    `The payloads are ${sizeBytes} bytes of JSON together; allowed: ${allowed}.`,
    {
      field: 'inputs',
      allowed,
      sizeBytes,
      maxBytes: MAX_BULK_BYTES,
    },
  );
}

function notTaken(error: Error): DomainError {
  return new DomainError(
    'InvalidArgument',
    `The database does not take this job: ${error.message}.`,
    {},
    error,
  );
}
