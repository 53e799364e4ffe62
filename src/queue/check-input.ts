import { DomainError } from '../core/errors.ts';
import { JOB_SOURCES } from '../core/job.ts';
import type { EnqueueInput } from '../core/queue.ts';
import { textProblem } from '../core/text-problem.ts';
import { ENQUEUED_COLUMNS } from '../db/enqueued-columns.ts';
import { checkLabels } from '../payloads/job-labels.ts';

/** What the declaration of an enqueue's columns says all of. */
const DECLARED = ENQUEUED_COLUMNS.filter((column) => 'allowed' in column);

/** From 1970 to 2200: what a clock can mean, and far from where a date type ends. */
const MIN_TIME_MS = 0;
const MAX_TIME_MS = Date.parse('2200-01-01T00:00:00Z');
/** A key is in a B-tree, which takes 2,704 bytes with the tenant's and the job's ids. */
const MAX_KEY_BYTES = 2600;

/**
 * Checks everything about a new job but its payload and the jobs that it depends on. Also what types forbid:
 * callers may be written in JavaScript.
 * @throws DomainError `InvalidArgument` with the field and what is allowed there
 */
export function checkInput(input: EnqueueInput): void {
  if (typeof input !== 'object' || input === null) throw refused('input', input, 'an object');
  text('definitionKey', input.definitionKey, 1024);
  if (input.definitionKey == null)
    throw refused('definitionKey', input.definitionKey, 'the key of a job definition');
  if (input.source !== undefined && !JOB_SOURCES.includes(input.source))
    throw refused('source', input.source, `one of ${JOB_SOURCES.join(', ')}`);
  text('createdBy', input.createdBy, 1024);
  for (const { field, allowed } of DECLARED) {
    const value: unknown = input[field];
    if ('max' in allowed) whole(field, value, allowed.min, allowed.max);
    else text(field, value, allowed.maxLength);
  }
  if (input.subject != null) {
    if (typeof input.subject !== 'object') throw refused('subject', input.subject, 'a type and an id');
    requiredText('subject.type', input.subject.type, 100);
    requiredText('subject.id', input.subject.id, 255);
  }
  if (input.dependsOn !== undefined && input.dependsOn !== null && !Array.isArray(input.dependsOn))
    throw refused('dependsOn', input.dependsOn, 'a list of jobs');
  checkLabels(input);
  dedupe(input);
  times(input);
}

function dedupe({ dedupeKey, dedupeWindowSeconds }: EnqueueInput): void {
  text('dedupeKey', dedupeKey, 1024);
  if (dedupeKey != null && Buffer.byteLength(dedupeKey) > MAX_KEY_BYTES)
    throw refused('dedupeKey', dedupeKey, `at most ${MAX_KEY_BYTES} bytes in UTF-8`);
  whole('dedupeWindowSeconds', dedupeWindowSeconds, 1, 31_536_000);
  if (dedupeWindowSeconds != null && dedupeKey == null)
    throw refused('dedupeWindowSeconds', dedupeWindowSeconds, 'nothing without a dedupeKey');
}

function times({ scheduledFor, expiresAt }: EnqueueInput): void {
  time('scheduledFor', scheduledFor);
  time('expiresAt', expiresAt);
  if (scheduledFor != null && expiresAt != null && expiresAt.getTime() <= scheduledFor.getTime())
    throw refused('expiresAt', expiresAt, `a time after scheduledFor, ${scheduledFor.toISOString()}`);
}

function time(field: string, value: Date | null | undefined): void {
  if (value == null) return;
  const ms = value instanceof Date ? value.getTime() : Number.NaN;
  if (!(ms >= MIN_TIME_MS && ms < MAX_TIME_MS))
    throw refused(field, value, 'a time from 1970-01-01T00:00:00Z to before 2200-01-01T00:00:00Z');
}

function whole(field: string, value: unknown, min: number, max: number): void {
  if (value == null) return;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw refused(field, value, `an integer from ${min} to ${max}`);
}

function requiredText(field: string, value: string, maxLength: number): void {
  if (value == null) throw refused(field, value, `1 to ${maxLength} characters`);
  text(field, value, maxLength);
}

function text(field: string, value: unknown, maxLength: number): void {
  if (value == null) return;
  if (typeof value !== 'string' || value.length < 1 || textProblem(value, maxLength) !== null)
    throw refused(field, value, `1 to ${maxLength} characters of well-formed text without NUL`);
}

/** The error of a field: what it is, cut short, and what would have been taken. */
export function refused(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

function shown(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'not a time' : value.toISOString();
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'number' || value == null) return String(value);
  return `a value of type ${typeof value}`;
}

/** The same error with the item's place before its field: `inputs[3].priority`. */
export function atIndex(error: DomainError, index: number): DomainError {
  const { field } = error.details;
  const path = `inputs[${index}]`;
  const placed = field === undefined || field === 'input' ? path : `${path}.${field}`;
  return new DomainError(
    error.code,
    `${path}: ${error.message}`,
    { ...error.details, field: placed },
    error.cause,
  );
}
