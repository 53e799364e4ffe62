import { boundText } from '../core/clean-text.ts';
import { DomainError, PermanentError } from '../core/errors.ts';
import type { Job, JobError } from '../core/job.ts';
import { definitionKeyOf, inDependencyOrder, type NextJobInput } from '../core/next-jobs.ts';
import type { EnqueueInput } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { enqueueIn } from './enqueue.ts';

const SYSTEM = { source: 'system' } as const;

/**
 * Enqueues the jobs that a handler asked for, inside the transaction that settles its own.
 * @throws PermanentError `InvalidOutcome`, `NextJobRefused`: then nothing is settled, and the caller fails
 *   the job
 */
export async function enqueueNextJobs(
  tx: Transaction,
  job: Job,
  next: readonly NextJobInput[],
): Promise<void> {
  const idOfKey = new Map<string, string>();
  for (const group of inDependencyOrder(next)) {
    const inputs = group.map((index) => inputOf(job, next[index] as NextJobInput, idOfKey));
    const results = await refusing(() => enqueueIn(tx, job.tenantId, inputs, { evenDeletedTenants: true }));
    for (const [at, index] of group.entries()) {
      const key = next[index]?.key;
      if (key !== undefined) idOfKey.set(key, results[at]?.id ?? '');
    }
  }
}

/**
 * Enqueues the job that a definition asks for when one of its jobs ends as `failed` or `dead_letter`. Its
 * definition may be unknown or switched off, which must not keep the failure from being stored: nothing is
 * enqueued then.
 */
export async function enqueueFailureJob(
  tx: Transaction,
  job: Job,
  definitionKey: string,
  failed: { readonly definitionKey: string; readonly error: JobError },
): Promise<void> {
  const { id: jobId, subject, payload } = job;
  const error = { ...failed.error, message: boundText(failed.error.message) };
  const about = { jobId, definition: failed.definitionKey, subject, error };
  const put = (content: unknown) => {
    const input = { ...inherited(job), definitionKey, payload: { ...about, payload: content } };
    return enqueueIn(tx, job.tenantId, [input], { evenDeletedTenants: true });
  };
  try {
    await put(payload);
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    if (thrown.code === 'PayloadTooLarge') await put(null);
    else if (!isSwitchedOff(thrown)) throw thrown;
  }
}

/** Refused before any row was written, so that the transaction goes on. */
export function isSwitchedOff(error: unknown): error is DomainError {
  return (
    error instanceof DomainError &&
    (error.code === 'UnknownDefinition' || error.code === 'DefinitionInactive')
  );
}

function inputOf(job: Job, next: NextJobInput, idOfKey: ReadonlyMap<string, string>): EnqueueInput {
  const { after = [], policy = 'cancel', delaySeconds } = next;
  return {
    ...inherited(job),
    definitionKey: definitionKeyOf(next) ?? '',
    payload: next.payload,
    priority: next.priority ?? job.priority,
    dedupeKey: next.dedupeKey ?? null,
    subject: next.subject === undefined ? job.subject : next.subject,
    maxAttempts: next.maxAttempts ?? null,
    timeoutSeconds: next.timeoutSeconds ?? null,
    scheduledFor: delaySeconds === undefined ? null : new Date(Date.now() + delaySeconds * 1_000),
    dependsOn: after.map((name) => ({ jobId: idOfKey.get(name) ?? '', policy })),
  };
}

function inherited(job: Job) {
  const { priority, correlationId, subject, createdBy } = job;
  return { ...SYSTEM, sourceRef: job.id, priority, correlationId, subject, createdBy };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'DedupeBusy') throw error;
    throw new PermanentError('NextJobRefused', `A next job was refused: ${error.message}`);
  }
}
