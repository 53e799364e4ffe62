import { GraphQLError } from 'graphql';
import { EXACT_NUMBERS, type InexactNumber } from '../../core/exact-numbers.ts';

/** Why a request with a number that would become another one is not taken. */
export function notExact({ path, text }: InexactNumber): GraphQLError {
  return new GraphQLError(`${path} is ${text}; allowed: ${EXACT_NUMBERS}.`, {
    extensions: { code: 'INVALID_ARGUMENT', field: path, allowed: EXACT_NUMBERS },
  });
}
