import type { DocumentNode, GraphQLError } from 'graphql';
import { type LimitCode, limitError } from './limit-error.ts';
import type { OperationLimits } from './limits.ts';
import { measureOperations, type Size } from './measure.ts';

const KINDS: readonly (readonly [keyof Size, keyof OperationLimits, LimitCode, string])[] = [
  ['depth', 'maxDepth', 'TOO_DEEP', 'levels'],
  ['fields', 'maxFields', 'TOO_MANY_FIELDS', 'fields'],
  ['aliases', 'maxAliases', 'TOO_MANY_ALIASES', 'aliases'],
  ['repeats', 'maxRepeats', 'TOO_MANY_REPEATS', 'fields of one name in one selection'],
  ['directives', 'maxDirectives', 'TOO_MANY_DIRECTIVES', 'directives'],
];

/** What is too large in a document. Asked before validation, whose work grows faster than the document. */
export function sizeErrors(document: DocumentNode, limits: OperationLimits): readonly GraphQLError[] {
  return measureOperations(document).flatMap(({ operation, size }) =>
    KINDS.filter(([kind, limit]) => size[kind] > limits[limit]).map(([kind, name, code, words]) => {
      const [actual, limit] = [size[kind], limits[name]];
      const shown = Math.min(actual, Number.MAX_SAFE_INTEGER);
      return limitError(
        code,
        `The operation has ${actual} ${words}; allowed: ${limit}`,
        { limit, actual: shown },
        [operation],
      );
    }),
  );
}
