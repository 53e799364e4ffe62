import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { CheckedDocument } from './document-cache.ts';

/** What any operation takes beside its fields: recognising the caller, a transaction. */
const BASE_COST = 10;
/** The whole schema is some thousand fields, and none of them has a cost of its own. */
const INTROSPECTION_COST = 1_000;
/** Reading and validating what is then refused takes as long as a large operation. */
export const REFUSED_COST = 1_000;

/**
 * The cost of an operation: its fields, those below a list times the length that is asked for.
 * @throws GraphQLError where a variable is not of its type
 */
export function complexityOf(
  schema: GraphQLSchema,
  { document, introspects }: CheckedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const others = document.definitions.filter(({ kind }) => kind !== Kind.OPERATION_DEFINITION);
  const { complexity } = complexityFromQuery(
    { ...document, definitions: [operation, ...others] },
    { schema, variables, ctx: {} },
  );
  return Math.ceil(complexity) + (introspects ? INTROSPECTION_COST : 0);
}

/** What the rate limits take for an operation of this complexity. */
export function rateCostOf(complexity: number): number {
  return BASE_COST + complexity;
}
