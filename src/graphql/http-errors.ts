import type { GraphQLError } from 'graphql';
import { rewrittenError } from './rewritten-error.ts';

/** HTTP statuses of refusals that are not simply a bad document. */
const STATUSES: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  BATCH_REFUSED: 400,
  RATE_LIMITED: 429,
  METHOD_NOT_ALLOWED: 405,
  PERSISTED_ONLY: 403,
  INTROSPECTION_REFUSED: 403,
};

/** What yoga reads of an error when it makes the response; it takes it out of what is sent. */
interface HttpFacts {
  readonly status: number;
  /** Only where the client takes `application/graphql-response+json`; in plain JSON a refusal is a 200. */
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the preparation, with how HTTP says it. */
export function httpError(error: GraphQLError): GraphQLError {
  return rewrittenError(error, { extensions: { http: httpOf(error) } });
}

function httpOf({ extensions }: GraphQLError): HttpFacts {
  const { code, retryAfterMs } = extensions;
  const status = STATUSES[String(code)];
  if (status === undefined) return { status: 400, spec: true };
  if (status === 429 && typeof retryAfterMs === 'number')
    return { status, headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } };
  if (status === 405) return { status, headers: { allow: 'POST' } };
  return { status };
}
