import type { EnqueueInput } from '../core/queue.ts';
import { type Column, column, type Value } from './columns.ts';
import type { NewJob } from './new-jobs.ts';

/** What a job may say beside what every one says, in the order in which all INSERTs take it: from `priority` to `max_attempts`. */
const OPTIONAL: readonly ((input: EnqueueInput) => Value | null | undefined)[] = [
  (input) => input.priority,
  (input) => input.source,
  (input) => input.sourceRef,
  (input) => input.correlationId,
  (input) => input.subject?.type,
  (input) => input.subject?.id,
  (input) => input.scheduledFor,
  (input) => input.expiresAt,
  (input) => input.timeoutSeconds,
  (input) => input.maxAttempts,
];

/** Of one job, as parameters. */
export function inputValues(input: EnqueueInput): readonly (Value | null | undefined)[] {
  return OPTIONAL.map((of) => of(input));
}

/** Of many, each a parameter with a column of them. */
export function inputColumns(jobs: readonly NewJob[]): readonly Column[] {
  return OPTIONAL.map((of) => column(jobs, (job) => of(job.input)));
}
