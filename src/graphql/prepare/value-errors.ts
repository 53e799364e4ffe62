import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { rewrittenError } from '../rewritten-error.ts';

/** Where a value stands, `input.jobs[1].scheduledFor`, and what it should be. */
export interface ValuePlace {
  readonly field: string;
  readonly type: GraphQLInputType | null | undefined;
}

/**
 * Errors about values in a document, with where each value stands (`field`) and what is taken there
 * (`allowed`). Others are left as they are.
 * @param hideNames nothing of the schema is named
 */
export function withPlaces(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
  hideNames: boolean,
): readonly GraphQLError[] {
  const nodes = new Set(errors.flatMap((error) => error.nodes?.slice(0, 1) ?? []).filter(isValue));
  if (nodes.size === 0) return errors;
  const places = placesOf(schema, document, nodes);
  return errors.map((error) => {
    const [node] = error.nodes ?? [];
    const place = node && places.get(node);
    return place === undefined ? error : placedError(error, place, hideNames);
  });
}

/** An error about a value, with `field` and `allowed`; its message ends with what is allowed. */
export function placedError(error: GraphQLError, place: ValuePlace, hideNames: boolean): GraphQLError {
  const allowed = error.extensions['allowed'] ?? allowedAt(place.type, error, hideNames);
  const message =
    typeof allowed === 'string' && !error.message.includes('allowed: ')
      ? `${error.message} Allowed: ${allowed}.`
      : error.message;
  const extensions = { field: place.field, ...(allowed != null && { allowed }) };
  return rewrittenError(error, { message, extensions });
}

function allowedAt(type: GraphQLInputType | null | undefined, error: GraphQLError, hideNames: boolean) {
  const named = type ? (getNamedType(type) as GraphQLNamedType) : null;
  if (hideNames || named === null) return null;
  if (isEnumType(named))
    return named
      .getValues()
      .map(({ name }) => name)
      .join(', ');
  // What is missing or not there is named by the message; which one to choose is not.
  if (
    isInputObjectType(named) &&
    named.isOneOf &&
    !/^Field "[^"]+" (is not defined|must be)/.test(error.message)
  )
    return `exactly one of ${Object.keys(named.getFields()).join(', ')}`;
  return null;
}

const VALUES: readonly string[] = [
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
];

function isValue(node: ASTNode): boolean {
  return VALUES.includes(node.kind);
}

function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  nodes: ReadonlySet<ASTNode>,
): ReadonlyMap<ASTNode, ValuePlace> {
  const places = new Map<ASTNode, ValuePlace>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      enter: (node, key, parent, _path, ancestors) => {
        if (!nodes.has(node)) return;
        const field = fieldOf([...ancestors, ...(parent === undefined ? [] : [parent]), node], key);
        if (field !== '') places.set(node, { field, type: typeInfo.getInputType() });
      },
    }),
  );
  return places;
}

/** The names and indexes from an argument, or a variable's default, down to a value. */
function fieldOf(chain: readonly (ASTNode | readonly ASTNode[])[], key: string | number | undefined): string {
  let field = '';
  for (const [at, step] of chain.entries()) {
    if (Array.isArray(step)) {
      const owner = chain[at - 1] as ASTNode | undefined;
      const next = chain[at + 1] as ASTNode | undefined;
      if (owner?.kind === Kind.LIST && next !== undefined) {
        const index = at + 2 === chain.length && typeof key === 'number' ? key : step.indexOf(next);
        field += `[${index}]`;
      }
      continue;
    }
    const node = step as ASTNode;
    if (node.kind === Kind.ARGUMENT) field = node.name.value;
    if (node.kind === Kind.VARIABLE_DEFINITION) field = node.variable.name.value;
    if (node.kind === Kind.OBJECT_FIELD) field += `.${node.name.value}`;
  }
  return field;
}
