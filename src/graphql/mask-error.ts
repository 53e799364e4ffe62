import { randomBytes } from 'node:crypto';
import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import { DomainError, toError } from '../core/errors.ts';
import { classifyError, tookTooLong } from '../db/retryable.ts';
import type { Logger } from '../telemetry/log.ts';
import { enumName } from './enum-name.ts';
import { allowedOf, messageOf } from './enum-words.ts';
import { boundedError } from './prepare/bounded-errors.ts';

/**
 * An error as a client may see it. Expected failures and mistakes in the document keep their words; anything
 * else is replaced by a reference under which the log has it.
 */
export function maskError(thrown: unknown, log: Logger): GraphQLError {
  const error = toError(thrown);
  const cause = causeOf(error);
  if (cause instanceof GraphQLError) return boundedError(error instanceof GraphQLError ? error : cause);
  const place: GraphQLErrorOptions = error instanceof GraphQLError ? placeOf(error) : {};
  if (cause instanceof DomainError) return boundedError(expected(cause, place));
  const reference = randomBytes(6).toString('hex');
  if (tookTooLong(cause)) {
    log.warn({ reason: cause.message, reference, path: place.path }, 'graphql: a read took too long');
    const message = `This took too long and was ended; ask for less: a narrower filter, a shorter stretch of time. Reference: ${reference}`;
    return new GraphQLError(message, { ...place, extensions: { code: 'TIMED_OUT', reference } });
  }
  const verdict = classifyError(cause);
  const isAway = verdict === 'reconnect';
  if (verdict === 'busy') {
    log.warn(
      { reason: cause.message, reference, path: place.path },
      'graphql: another transaction holds what is needed',
    );
    const message = `Another transaction holds what this needs, and nothing was done; try again. Reference: ${reference}`;
    return new GraphQLError(message, { ...place, extensions: { code: 'BUSY', reference } });
  }
  // An outage is logged by the code that waits it out; each operation that met it is only worth a line.
  if (isAway)
    log.warn({ reason: cause.message, reference, path: place.path }, 'graphql: the database is away');
  else log.error({ err: cause, reference, path: place.path }, 'graphql: unexpected error');
  return new GraphQLError(
    isAway
      ? `The database cannot be reached just now; try again. Reference: ${reference}`
      : `Something went wrong here. Reference: ${reference}`,
    { ...place, extensions: { code: isAway ? 'UNAVAILABLE' : 'INTERNAL', reference } },
  );
}

/** What a resolver threw, beneath the errors that GraphQL put around it. */
export function causeOf(error: Error): Error {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError;
  return cause;
}

function placeOf({ nodes, source, positions, path }: GraphQLError): GraphQLErrorOptions {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}

function expected(error: DomainError, place: GraphQLErrorOptions): GraphQLError {
  const { field, cursor, limit, actual } = error.details;
  const allowed = allowedOf(error);
  return new GraphQLError(messageOf(error), {
    ...place,
    extensions: {
      code: enumName(error.code),
      ...(field !== undefined && { field }),
      ...(allowed !== undefined && { allowed }),
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { limit, actual }),
    },
  });
}
