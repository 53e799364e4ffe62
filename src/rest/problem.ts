import { bounded } from '../core/bounded-text.ts';
import { ERROR_TABLE } from '../core/error-table.ts';
import type { DomainError } from '../core/errors.ts';
import { enumName } from '../graphql/enum-name.ts';
import { pointerOf, restField, restText } from './field-names.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** One thing that is wrong with a request. */
export interface ProblemError {
  /** JSON pointer into the body. */
  readonly pointer?: string;
  /** Or the parameter of the path or the query string. */
  readonly parameter?: string;
  readonly detail: string;
}

/** An error by RFC 9457. `code`, `field` and `allowed` say the same as GraphQL's. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly field?: string;
  readonly allowed?: string;
  readonly errors?: readonly ProblemError[];
  readonly [extension: string]: unknown;
}

/** Where the field of an error is: in the body, or among the parameters. */
export type FieldPlace = 'body' | 'parameter';

interface PayloadProblem {
  readonly field: string;
  readonly message: string;
  readonly allowed: string;
}

/** An expected failure as a problem. */
export function problemOfError(error: DomainError, instance: string, place: FieldPlace): Problem {
  const { field, allowed, problems, retryAfterMs, jobId, status, limit, actual, reference } = error.details;
  const named = field === undefined ? undefined : bounded(restField(field));
  const detail = restText(error.message, field);
  const all = Array.isArray(problems) ? (problems as readonly PayloadProblem[]) : [];
  return problem(error.code, ERROR_TABLE[error.code], detail, instance, {
    ...(named !== undefined && { field: named }),
    ...(allowed !== undefined && { allowed: bounded(restText(allowed)) }),
    ...(named !== undefined && { errors: errorsOf(named, detail, place, all) }),
    ...(typeof status === 'string' && { job_status: status }),
    ...(typeof jobId === 'string' && { active_job_id: jobId }),
    ...(typeof retryAfterMs === 'number' && { retry_after_ms: retryAfterMs }),
    ...(typeof limit === 'number' && { limit }),
    ...(typeof actual === 'number' && { actual }),
    ...(typeof reference === 'string' && { reference }),
  });
}

function errorsOf(
  field: string,
  detail: string,
  place: FieldPlace,
  problems: readonly PayloadProblem[],
): readonly ProblemError[] {
  if (problems.length > 0)
    return problems.map(({ field, message, allowed }) => ({
      pointer: pointerOf(bounded(field)),
      detail: bounded(`${message}; allowed: ${allowed}`),
    }));
  return [
    place === 'body'
      ? { pointer: pointerOf(field), detail: bounded(detail) }
      : { parameter: field, detail: bounded(detail) },
  ];
}

/** A problem by its code. */
export function problem(
  code: string,
  { status, title }: { readonly status: number; readonly title: string },
  detail: string,
  instance: string,
  extensions: Readonly<Record<string, unknown>> = {},
): Problem {
  const name = enumName(code);
  return {
    type: `urn:millrace:problem:${name.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: bounded(detail),
    instance: bounded(instance, 300),
    code: name,
    ...extensions,
  };
}
