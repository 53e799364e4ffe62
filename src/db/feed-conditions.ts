import { jobSearchText } from './job-search-text.ts';

/**
 * What a subscriber of jobs asks for of what never changes about them, and of what may change for a fresh
 * state. Null restricts nothing.
 */
export interface FeedConditions {
  readonly ids: readonly string[] | null;
  readonly definitionIds: readonly string[] | null;
  readonly subject: { readonly type: string; readonly id: string } | null;
  readonly correlationId: string | null;
  readonly createdBy: string | null;
  /** Least id, and the first above the greatest: ids stand for the time at which jobs were enqueued. */
  readonly fromId?: string | null;
  readonly beforeId?: string | null;
  readonly sources?: readonly string[] | null;
  readonly statuses?: readonly string[] | null;
  readonly tags?: readonly string[] | null;
  readonly errorTypes?: readonly string[] | null;
  readonly text?: string | null;
  readonly minAttemptCount?: number | null;
  readonly finishedAfter?: Date | null;
  readonly finishedBefore?: Date | null;
}

/** What a job may leave: it restricts no look for changes, since that a job left is to be announced. */
export const NO_CHANGING_CONDITIONS = {
  statuses: null,
  tags: null,
  errorTypes: null,
  text: null,
  minAttemptCount: null,
  finishedAfter: null,
  finishedBefore: null,
} as const;

/** Letters of the conditions on what is kept of a deleted job: not what asked for it. */
export const TOMBSTONE_CONDITIONS = 'idscuab';

interface Part {
  /** In the name of a statement that has it. */
  readonly letter: string;
  readonly values: (conditions: FeedConditions) => readonly unknown[] | null;
  /** @param at the number of the first of its parameters */
  readonly text: (row: string, id: string, at: number) => string;
}

const orNull = <T>(value: T | null | undefined): readonly T[] | null => (value == null ? null : [value]);

const PARTS: readonly Part[] = [
  {
    letter: 'i',
    values: ({ ids }) => orNull(ids),
    text: (row, id, at) => `${row}.${id} = any ($${at}::uuid[])`,
  },
  {
    letter: 'd',
    values: ({ definitionIds }) => orNull(definitionIds),
    text: (row, _, at) => `${row}.definition_id = any ($${at}::uuid[])`,
  },
  {
    letter: 's',
    values: ({ subject }) => (subject === null ? null : [subject.type, subject.id]),
    text: (row, _, at) => `${row}.subject_type = $${at}::text and ${row}.subject_id = $${at + 1}::text`,
  },
  {
    letter: 'c',
    values: ({ correlationId }) => orNull(correlationId),
    text: (row, _, at) => `${row}.correlation_id = $${at}::text`,
  },
  {
    letter: 'u',
    values: ({ createdBy }) => orNull(createdBy),
    text: (row, _, at) => `${row}.created_by = $${at}::text`,
  },
  {
    letter: 'a',
    values: ({ fromId }) => orNull(fromId),
    text: (row, id, at) => `${row}.${id} >= $${at}::uuid`,
  },
  {
    letter: 'b',
    values: ({ beforeId }) => orNull(beforeId),
    text: (row, id, at) => `${row}.${id} < $${at}::uuid`,
  },
  {
    letter: 'o',
    values: ({ sources }) => orNull(sources),
    text: (row, _, at) => `${row}.source = any ($${at}::text[])`,
  },
  {
    letter: 'w',
    values: ({ statuses }) => orNull(statuses),
    text: (row, _, at) => `${row}.status = any ($${at}::text[])`,
  },
  { letter: 't', values: ({ tags }) => orNull(tags), text: (row, _, at) => `${row}.tags && $${at}::text[]` },
  {
    letter: 'e',
    values: ({ errorTypes }) => orNull(errorTypes),
    text: (row, _, at) => `${row}.last_error ->> 'type' = any ($${at}::text[])`,
  },
  {
    letter: 'x',
    values: ({ text }) => orNull(text),
    text: (row, _, at) => `strpos(${jobSearchText(row)}, lower($${at}::text)) > 0`,
  },
  {
    letter: 'm',
    values: ({ minAttemptCount }) => orNull(minAttemptCount),
    text: (row, _, at) => `${row}.attempt_count >= $${at}::integer`,
  },
  {
    letter: 'f',
    values: ({ finishedAfter }) => orNull(finishedAfter),
    text: (row, _, at) => `${row}.finished_at >= $${at}::timestamptz`,
  },
  {
    letter: 'g',
    values: ({ finishedBefore }) => orNull(finishedBefore),
    text: (row, _, at) => `${row}.finished_at < $${at}::timestamptz`,
  },
];

/** A letter for each condition that there is: what the names of their statements differ by. */
export function feedShape(conditions: FeedConditions): string {
  return PARTS.flatMap(({ letter, values }) => (values(conditions) === null ? [] : [letter])).join('');
}

/** The values of the conditions that there are, in the order of their parameters. */
export function feedValues(conditions: FeedConditions): readonly unknown[] {
  return PARTS.flatMap(({ values }) => values(conditions) ?? []);
}

/**
 * The conditions on a row, each with ` and ` before it.
 * @param fixed how many parameters there are before theirs
 * @param only of these letters, all by default
 */
export function jobConditions(
  conditions: FeedConditions,
  row: string,
  id: string,
  fixed: number,
  only: string | null = null,
): string {
  let at = fixed + 1;
  let text = '';
  for (const part of PARTS) {
    const values = part.values(conditions);
    if (values === null) continue;
    if (only === null || only.includes(part.letter)) text += ` and ${part.text(row, id, at)}`;
    at += values.length;
  }
  return text;
}
