import { DomainError } from './errors.ts';
import type { Subject } from './job.ts';
import { textProblem } from './text-problem.ts';

/** Values that a list in a filter may have. */
export const MAX_FILTER_VALUES = 100;

/** As long as the columns hold; a creator is `user:` and a subject of at most 255. */
const MAX_LENGTHS = {
  correlationId: 255,
  createdBy: 300,
  subjectType: 100,
  subjectId: 255,
  tag: 64,
  errorType: 300,
  text: 200,
} as const;

/** The texts by which jobs are chosen, in reads and in the feed alike. */
export interface JobTexts {
  readonly subject?: Subject | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly createdBy?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/**
 * @throws DomainError `InvalidArgument` naming `filter.<field>`: the database would fail at such a text, each
 *   time again
 */
export function checkJobTexts({ subject, correlationId, createdBy, text }: JobTexts): void {
  checkFilterText('filter.correlationId', correlationId, MAX_LENGTHS.correlationId);
  checkFilterText('filter.createdBy', createdBy, MAX_LENGTHS.createdBy);
  checkFilterText('filter.subject.type', subject?.type, MAX_LENGTHS.subjectType);
  checkFilterText('filter.subject.key', subject?.id, MAX_LENGTHS.subjectId);
  checkFilterText('filter.text', text, MAX_LENGTHS.text);
  // It would choose every job, and a bulk verb would take it for a choice.
  if (text === '') {
    const allowed = `1 to ${MAX_LENGTHS.text} characters`;
    throw new DomainError('InvalidArgument', `filter.text is empty; allowed: ${allowed}.`, {
      field: 'filter.text',
      allowed,
    });
  }
}

/**
 * Refuses text that would be stored as another one, or not at all. @throws DomainError `InvalidArgument`
 * naming the field
 */
export function checkFilterText(field: string, text: string | null | undefined, maxLength: number): void {
  const found = text == null ? null : textProblem(text, maxLength);
  if (found === null) return;
  const message = `${field} ${found.problem}; allowed: ${found.allowed}.`;
  throw new DomainError('InvalidArgument', message, { field, allowed: found.allowed });
}

/** @throws DomainError `InvalidArgument` naming the field for a number out of its range */
export function checkFilterNumber(field: string, value: number | null, least: number, most: number): void {
  if (value === null || (Number.isInteger(value) && value >= least && value <= most)) return;
  const allowed = `${least} to ${most}`;
  throw new DomainError('InvalidArgument', `${field} is ${value}; allowed: ${allowed}.`, { field, allowed });
}

/** As a number of a job's row can be. */
const MAX_ATTEMPTS = 2 ** 31 - 1;

/** @throws DomainError `InvalidArgument` naming `filter.minAttemptCount` */
export function checkMinAttemptCount(count: number | null): void {
  checkFilterNumber('filter.minAttemptCount', count, 1, MAX_ATTEMPTS);
}

/** Tags of a filter, each once. @throws DomainError `InvalidArgument` naming `filter.tags` */
export function distinctTags(tags: readonly string[]): string[] {
  return distinctTexts('filter.tags', tags, MAX_LENGTHS.tag);
}

/**
 * Types of errors of a filter, each once. @throws DomainError `InvalidArgument` naming `filter.errorTypes`
 */
export function distinctErrorTypes(types: readonly string[]): string[] {
  return distinctTexts('filter.errorTypes', types, MAX_LENGTHS.errorType);
}

/**
 * A list without repeated texts. @throws DomainError `InvalidArgument` naming the field, or the place of a
 * text that cannot be one
 */
export function distinctTexts(field: string, texts: readonly string[], maxLength: number): string[] {
  const distinct = distinctValues(field, texts);
  for (const [at, text] of texts.entries()) checkFilterText(`${field}[${at}]`, text, maxLength);
  return distinct;
}

/** Refuses a list that is too long. @throws DomainError `InvalidArgument` naming field and limit */
export function checkCount(field: string, values: readonly unknown[], limit: number): void {
  if (values.length <= limit) return;
  const allowed = `at most ${limit}`;
  throw new DomainError('InvalidArgument', `${field} has ${values.length} values; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

/**
 * A list without repeated values. @throws DomainError `InvalidArgument` naming field and limit when it is too
 * long
 */
export function distinctValues<T>(
  field: string,
  values: readonly T[],
  limit: number = MAX_FILTER_VALUES,
): T[] {
  checkCount(field, values, limit);
  return [...new Set(values)];
}
