import type { EnqueueInput } from '../core/queue.ts';
import { metadataJson } from '../payloads/job-labels.ts';
import { type Column, column, type Value } from './columns.ts';
import type { NewJob } from './new-jobs.ts';
import { tagsText } from './tags-text.ts';

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

/** Tags and metadata of one job and what it replays: the last parameters of its INSERT. */
export function labelValues({ input, replayOf }: NewJob): readonly (string | null)[] {
  return [tagsText(input), metadataJson(input), replayOf ?? null];
}

/** Of many: each tags as the text of an array, since Postgres would flatten an array of arrays. */
export function labelColumns(jobs: readonly NewJob[]): readonly Column[] {
  return [
    column(jobs, (job) => tagsText(job.input)),
    column(jobs, (job) => metadataJson(job.input)),
    column(jobs, (job) => job.replayOf),
  ];
}
