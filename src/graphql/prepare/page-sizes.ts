import {
  type ASTNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { DomainError } from '../../core/errors.ts';
import { sizeOf } from '../../jobs/page.ts';
import type { CheckedDocument } from './document-cache.ts';

/**
 * The first page of an operation whose size no page has, as an error at its argument; none otherwise. For
 * operations that cost too much: their fields do not come to say it themselves.
 */
export function pageSizeErrors(
  schema: GraphQLSchema,
  { document }: CheckedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] {
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  const found: GraphQLError[] = [];
  const look = (node: ASTNode): void => {
    visit(node, {
      [Kind.FIELD]: (field) => {
        const error = found.length === 0 ? pageSizeError(field, coerced) : null;
        if (error !== null) found.push(error);
      },
    });
  };
  look(operation);
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) look(definition);
  return found;
}

function pageSizeError(field: FieldNode, variables: Readonly<Record<string, unknown>>): GraphQLError | null {
  for (const argument of field.arguments ?? []) {
    const name = argument.name.value;
    if (name !== 'first' && name !== 'last') continue;
    const { value } = argument;
    const size = value.kind === Kind.VARIABLE ? variables[value.name.value] : intOf(value);
    if (typeof size !== 'number') continue;
    try {
      sizeOf({ [name]: size });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { message, details } = error;
      const extensions = { code: 'INVALID_ARGUMENT', field: name, allowed: details.allowed };
      return new GraphQLError(message, { nodes: argument, extensions });
    }
  }
  return null;
}

function intOf(value: ASTNode): number | null {
  return value.kind === Kind.INT ? Number(value.value) : null;
}
