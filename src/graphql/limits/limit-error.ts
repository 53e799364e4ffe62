import { type ASTNode, GraphQLError } from 'graphql';

/**
 * What may be too much of an operation or its request. `docs/protection.md` has each with its default and
 * setting.
 */
export type LimitCode =
  | 'DOCUMENT_TOO_LONG'
  | 'NAME_TOO_LONG'
  | 'LIST_TOO_LONG'
  | 'TOO_MANY_TOKENS'
  | 'TOO_DEEP'
  | 'TOO_MANY_FIELDS'
  | 'TOO_MANY_ALIASES'
  | 'TOO_MANY_REPEATS'
  | 'TOO_MANY_DIRECTIVES'
  | 'TOO_COSTLY'
  | 'BATCH_REFUSED'
  | 'BODY_TOO_LARGE'
  | 'ANSWER_TOO_LARGE'
  | 'TOO_MANY_OPERATIONS'
  | 'RATE_LIMITED';

/** How much there was, and how much there may be. More of a limit's own facts may stand beside them. */
export interface LimitFacts {
  readonly limit: number;
  /** The measured value. Counting of tokens ends at the first one too many. */
  readonly actual: number | null;
  readonly [fact: string]: unknown;
}

/** The error of everything that is too much: its extensions hold the code, `limit` and `actual`. */
export function limitError(
  code: LimitCode,
  message: string,
  facts: LimitFacts,
  nodes?: readonly ASTNode[],
): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, ...facts } });
}
