import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { MAX_MISTAKES } from '../limits/limits.ts';
import { longListErrors } from '../limits/long-lists.ts';

/** What is wrong with the variables of an operation, at most as much as is named of a document; none where all fit. */
export function variableErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  hideSuggestions: boolean,
): readonly GraphQLError[] {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return [];
  const tooLong = longListErrors(schema, definitions, variables);
  if (tooLong.length > 0) return tooLong;
  const options = { maxErrors: MAX_MISTAKES, hideSuggestions };
  const { errors = [] } = getVariableValues(schema, definitions, variables, options);
  for (const error of errors) error.extensions['code'] ??= 'BAD_USER_INPUT';
  return errors;
}
