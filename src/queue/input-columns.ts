import { ENQUEUED_COLUMNS, type EnqueuedColumn } from '../db/enqueued-columns.ts';
import { metadataJson } from '../payloads/job-labels.ts';
import { type Column, column, type Value } from './columns.ts';
import type { NewJob } from './new-jobs.ts';
import { tagsText } from './tags-text.ts';

type Given = Value | null | undefined;

const GIVEN: readonly ((job: NewJob) => Given)[] = ENQUEUED_COLUMNS.map(givenOf);

/** What one job gives for each of `ENQUEUED_COLUMNS`, as parameters. */
export function inputValues(job: NewJob): readonly Given[] {
  return GIVEN.map((of) => of(job));
}

/** What many give, each a parameter with a column of them. */
export function inputColumns(jobs: readonly NewJob[]): readonly Column[] {
  return GIVEN.map((of) => column(jobs, of));
}

/** Reads a column's value. Lists and objects are written as Postgres reads them. */
function givenOf({ field, type }: EnqueuedColumn): (job: NewJob) => Given {
  if (field === 'replayOf') return (job) => job.replayOf;
  if (field === 'subject.type') return ({ input }) => input.subject?.type;
  if (field === 'subject.id') return ({ input }) => input.subject?.id;
  if (type === 'text[]') return ({ input }) => tagsText({ tags: input[field] as readonly string[] | null });
  if (type === 'jsonb')
    return ({ input }) => metadataJson({ metadata: input[field] as Record<string, unknown> | null });
  return ({ input }) => input[field] as Given;
}
