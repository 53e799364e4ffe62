import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { MAX_MISTAKES } from '../limits/limits.ts';
import { longListErrors } from '../limits/long-lists.ts';
import { placedError, type ValuePlace } from './value-errors.ts';

type Path = readonly (string | number)[];

/**
 * What is wrong with the variables of an operation, each with its `field` and what is allowed there; at most
 * as much as is named of a document. None where all fit.
 * @param hideSuggestions nothing of the schema is named
 */
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
  if (errors.length === 0) return errors;
  const places = placesOfMistakes(schema, operation, variables);
  return errors.map((error) => {
    // graphql-js names the path in its message alone; those without a value inside have none.
    const place = error.originalError == null ? undefined : places.shift();
    const placed = place === undefined ? error : placedError(error, place, hideSuggestions);
    placed.extensions['code'] ??= 'BAD_USER_INPUT';
    return placed;
  });
}

class Enough extends Error {}

/** The places of the values that do not fit, in the order in which graphql-js names them. */
function placesOfMistakes(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): ValuePlace[] {
  const places: ValuePlace[] = [];
  try {
    for (const { variable, type } of variableDefinitions) {
      const name = variable.name.value;
      const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
      if (inputType === undefined || !Object.hasOwn(variables, name)) continue;
      const value = variables[name];
      if (value === null && isNonNullType(inputType)) continue;
      coerceInputValue(value, inputType, (path) => {
        if (places.length >= MAX_MISTAKES) throw new Enough();
        places.push({ field: `${name}${path.map(step).join('')}`, type: typeAt(inputType, path) });
      });
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return places;
}

function step(part: string | number): string {
  return typeof part === 'number' ? `[${part}]` : `.${part}`;
}

function typeAt(type: GraphQLInputType, [first, ...rest]: Path): GraphQLInputType | null {
  if (isNonNullType(type)) return typeAt(type.ofType, first === undefined ? [] : [first, ...rest]);
  if (first === undefined) return type;
  if (isListType(type)) return typeAt(type.ofType, typeof first === 'number' ? rest : [first, ...rest]);
  const field = isInputObjectType(type) ? type.getFields()[String(first)] : undefined;
  return field === undefined ? null : typeAt(field.type, rest);
}
