import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { limitError } from './limit-error.ts';

/**
 * Values of one list in the variables. The lists of the API end far below; this bounds what is read before
 * that is said.
 */
export const MAX_LIST_LENGTH = 100_000;

/**
 * The first list that is longer than that, as an error; none otherwise. What is inside JSON values is not
 * looked at.
 */
export function longListErrors(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] {
  for (const { variable, type } of definitions) {
    const name = variable.name.value;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    // By the AST's own kinds the overloads of graphql-js would be three calls.
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    const found = inputType === undefined ? null : longListIn(inputType, value, `$${name}`);
    if (found !== null) return [found];
  }
  return [];
}

function longListIn(type: GraphQLInputType, value: unknown, path: string): GraphQLError | null {
  if (isNonNullType(type)) return longListIn(type.ofType, value, path);
  if (isListType(type)) {
    if (!Array.isArray(value)) return longListIn(type.ofType, value, path);
    if (value.length > MAX_LIST_LENGTH) return tooLong(path, value.length);
    if (!mayHoldLists(type.ofType)) return null;
    return firstOf(value.entries(), ([index, item]) => longListIn(type.ofType, item, `${path}[${index}]`));
  }
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return null;
  return firstOf(Object.values(type.getFields()), ({ name, type: inner }) =>
    Object.hasOwn(value, name)
      ? longListIn(inner, (value as Record<string, unknown>)[name], `${path}.${name}`)
      : null,
  );
}

function mayHoldLists(type: GraphQLInputType): boolean {
  const inner = isNonNullType(type) ? type.ofType : type;
  return isListType(inner) || isInputObjectType(inner);
}

function firstOf<T>(all: Iterable<T>, look: (one: T) => GraphQLError | null): GraphQLError | null {
  for (const one of all) {
    const found = look(one);
    if (found !== null) return found;
  }
  return null;
}

function tooLong(field: string, actual: number): GraphQLError {
  const message = `${field} has ${actual} values; allowed: ${MAX_LIST_LENGTH}`;
  return limitError('LIST_TOO_LONG', message, { field, limit: MAX_LIST_LENGTH, actual });
}
