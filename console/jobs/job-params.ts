import type { JobChangesFilter, JobStatus } from '../../src/client/index.ts';
import type { JobFilter } from '../api/operations.gen.ts';
import { STATUSES } from '../parts/status.tsx';
import type { JOBS_PARAMS } from './jobs-address.ts';

export type JobsParams = { readonly [name in keyof typeof JOBS_PARAMS]?: string | undefined };
/** Parameters that narrow the list, in the order in which they are shown. */
export const TOKENS = [
  'definition',
  'subject',
  'correlation',
  'by',
  'tag',
  'error',
  'attempts',
  'payload',
  'id',
  'from',
  'to',
] as const;

const list = (text: string | undefined): readonly string[] | undefined =>
  text === undefined ? undefined : text.split(',').map((each) => each.trim());

function subjectOf(text: string | undefined): { type: string; key: string } | undefined {
  const at = text?.indexOf(':') ?? -1;
  return text === undefined || at < 1 ? undefined : { type: text.slice(0, at), key: text.slice(at + 1) };
}

/**
 * `order.id=7` as the object that payloads contain. What is no JSON is a text; quotes make a text of a
 * number.
 */
function containedIn(text: string | undefined): object | undefined {
  const at = text?.indexOf('=') ?? -1;
  if (text === undefined || at < 1) return undefined;
  const path = text.slice(0, at).split('.');
  return path.reduceRight<unknown>(
    (inner, name) => ({ [name.trim()]: inner }),
    jsonOrText(text.slice(at + 1)),
  ) as object;
}

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A number that would become another one stays the text that it is, which no number equals.
    return typeof value === 'number' && String(value) !== text.trim() ? text.trim() : value;
  } catch {
    return text.trim();
  }
}

const instant = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

/** The filter that the address asks for, as pages and acts take it. */
export function jobFilter(params: JobsParams): JobFilter {
  return defined({
    statuses: list(params.status) as readonly JobStatus[] | undefined,
    definitions: list(params.definition),
    subject: subjectOf(params.subject),
    correlationId: params.correlation,
    createdBy: params.by,
    tags: list(params.tag),
    ids: list(params.id),
    errorTypes: list(params.error),
    minAttemptCount: params.attempts === undefined ? undefined : Number(params.attempts),
    payloadContains: containedIn(params.payload),
    createdAfter: instant(params.from),
    createdBefore: instant(params.to),
  });
}

/**
 * The same as far as a stream takes it, see `matches`. Of its initial state one job is enough: the list has
 * its own pages.
 */
export function changesFilter(filter: JobFilter): JobChangesFilter {
  const { minAttemptCount: _, payloadContains: __, ...rest } = filter;
  return { ...rest, initialLimit: 1 };
}

/** Whether a job matches that a stream has sent; null where the server has to be asked. */
export function matches(filter: JobFilter, job: { readonly attemptCount: number }): boolean | null {
  if (job.attemptCount < (filter.minAttemptCount ?? 0)) return false;
  return filter.payloadContains == null ? true : null;
}

/** The filter in words, for dialogs. */
export function filterInWords(params: JobsParams): string {
  const statuses = params.status
    ?.split(',')
    .map((status) => STATUSES[status as JobStatus].word.toLowerCase());
  const words = TOKENS.flatMap((name) => {
    const value = params[name];
    return value === undefined ? [] : [`${name} ${value}`];
  });
  const which = statuses === undefined ? 'All jobs' : `All ${statuses.join(' or ')} jobs`;
  return words.length === 0 ? which : `${which} with ${words.join(', ')}`;
}
