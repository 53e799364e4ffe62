import { randomBytes } from 'node:crypto';
import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import { DomainError, toError } from '../core/errors.ts';
import { verdictOf } from '../db/retryable.ts';
import type { Logger } from '../telemetry/log.ts';
import { graphqlCode } from './types/errors.ts';

/**
 * An error as a client may see it. Expected failures and mistakes in the document keep their words; anything else is
 * replaced by a reference under which the log has it.
 */
export function maskError(thrown: unknown, log: Logger): GraphQLError {
  const error = toError(thrown);
  const cause = causeOf(error);
  if (cause instanceof GraphQLError) return error instanceof GraphQLError ? error : cause;
  const place: GraphQLErrorOptions = error instanceof GraphQLError ? placeOf(error) : {};
  if (cause instanceof DomainError) return expected(cause, place);
  const reference = randomBytes(6).toString('hex');
  log.error({ err: cause, reference, path: place.path }, 'graphql: unexpected error');
  const isAway = isDatabaseAway(cause);
  return new GraphQLError(
    isAway
      ? `The database cannot be reached just now; try again. Reference: ${reference}`
      : `Something went wrong here. Reference: ${reference}`,
    { ...place, extensions: { code: isAway ? 'UNAVAILABLE' : 'INTERNAL', reference } },
  );
}

/** What a resolver threw, beneath the errors that GraphQL put around it. */
function causeOf(error: Error): Error {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError;
  return cause;
}

function placeOf({ nodes, source, positions, path }: GraphQLError): GraphQLErrorOptions {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}

function expected(error: DomainError, place: GraphQLErrorOptions): GraphQLError {
  const { field, allowed } = error.details;
  return new GraphQLError(error.message, {
    ...place,
    extensions: {
      code: graphqlCode(error.code),
      ...(field !== undefined && { field }),
      ...(allowed !== undefined && { allowed }),
    },
  });
}

/** Prisma's errors hide the driver's in their text and their `cause`. */
function isDatabaseAway(error: Error): boolean {
  if (verdictOf(error) === 'reconnect') return true;
  const code = (error as { code?: unknown }).code;
  // P1001, P1002, P1008, P1017: not reachable; P2024, P2028: no connection or transaction in time.
  return typeof code === 'string' && /^P(1001|1002|1008|1017|2024|2028)$/.test(code);
}
