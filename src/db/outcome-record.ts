import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Database } from './database.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** How much of what was asked for an outcome is about: all of it, or the part that is done so far. */
export type OutcomeExtent = 'whole' | 'part';

/** Writes what came of a request into the transaction that carries it out. */
export type OutcomeRecorder = (
  tx: Transaction,
  outcome: unknown,
  extent: OutcomeExtent,
) => Promise<void> | void;

const recorders = new AsyncLocalStorage<OutcomeRecorder>();

/** Runs `work`; what its use-cases record of their outcome goes to `recorder`, in their own transactions. */
export function withOutcomeRecorder<T>(recorder: OutcomeRecorder, work: () => Promise<T>): Promise<T> {
  return recorders.run(recorder, work);
}

/**
 * Whether somebody wants the outcome recorded: what is written then must have a transaction of its own, and
 * share no batch.
 */
export function recordsOutcome(): boolean {
  return recorders.getStore() !== undefined;
}

/**
 * Records what came of a request, as the use-case is going to return it, in the transaction that writes what
 * was asked for. Nothing is done where nobody asked for that. The first transaction that records a whole
 * outcome counts, of parts the last.
 * @param outcome anything that a structured clone can hold
 */
export async function recordOutcome(
  tx: Transaction,
  outcome: unknown,
  extent: OutcomeExtent = 'whole',
): Promise<void> {
  await recorders.getStore()?.(tx, outcome, extent);
}

/**
 * One statement of the worker role, as `asWorker`; in a transaction with its outcome where somebody wants
 * that recorded.
 * @param outcomeOf what came of it; undefined where it did nothing
 */
export async function asWorkerRecorded<Row extends QueryResultRow>(
  db: Pick<Database, 'asWorker' | 'transaction'>,
  statement: Statement,
  values: readonly unknown[],
  outcomeOf: (result: QueryResult<Row>) => unknown,
): Promise<QueryResult<Row>> {
  if (!recordsOutcome()) return db.asWorker<Row>(statement, values);
  return db.transaction({ role: 'worker' }, async (tx) => {
    const result = await tx.query<Row>(statement, values);
    const outcome = outcomeOf(result);
    if (outcome !== undefined) await recordOutcome(tx, outcome);
    return result;
  });
}
