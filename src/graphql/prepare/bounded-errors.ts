import type { GraphQLError } from 'graphql';
import { bounded } from '../../core/bounded-text.ts';
import { rewrittenError } from '../rewritten-error.ts';

const MAX_EXTENSION_LENGTH = 500;

/**
 * Errors that echo at most so much of what a client sent, in their messages and in what stands beside them.
 */
export function boundedErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map(boundedError);
}

export function boundedError(error: GraphQLError): GraphQLError {
  const message = bounded(error.message);
  const long = Object.entries(error.extensions).filter(
    ([, value]) => typeof value === 'string' && value.length > MAX_EXTENSION_LENGTH,
  );
  if (message === error.message && long.length === 0) return error;
  const shortened = long.map(([name, value]) => [name, bounded(value as string, MAX_EXTENSION_LENGTH)]);
  return rewrittenError(error, { message, extensions: Object.fromEntries(shortened) });
}
