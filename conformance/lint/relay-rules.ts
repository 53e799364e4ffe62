import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { Rule } from './rule.ts';

/** Without the `!`. */
const bare = (type: GraphQLType): GraphQLType => (isNonNullType(type) ? type.ofType : type);

const objectsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(schema.getTypeMap()).filter(isObjectType);

const connectionsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  objectsOf(schema).filter(({ name }) => name.endsWith('Connection'));

/**
 * A connection is an object with `edges`, a list, and `pageInfo: PageInfo!`; and whatever is one is called
 * so.
 */
export const relayConnectionTypes: Rule = (schema) =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type)) return type.name.endsWith('Connection') ? [`${type.name} is no object`] : [];
    const { edges, pageInfo } = type.getFields();
    if (!type.name.endsWith('Connection'))
      return edges && pageInfo ? [`${type.name} is a connection without the name`] : [];
    return [
      ...(edges && isListType(bare(edges.type)) ? [] : [`${type.name}.edges is no list`]),
      ...(String(pageInfo?.type) === 'PageInfo!' ? [] : [`${type.name}.pageInfo is not PageInfo!`]),
    ];
  });

/**
 * An edge is an object called so, with a `cursor` of text and a `node` that is one thing with a global id.
 */
export const relayEdgeTypes: Rule = (schema) =>
  connectionsOf(schema).flatMap((connection) => {
    const edges = connection.getFields()['edges'];
    if (edges === undefined) return [];
    const type = getNamedType(edges.type);
    if (!isObjectType(type)) return [`${type.name}, an edge, is no object`];
    return [
      ...(type.name.endsWith('Edge') ? [] : [`${type.name} is an edge without the name`]),
      ...nodeProblems(type.name, type.getFields()['node']),
      ...(isText(type.getFields()['cursor']?.type) ? [] : [`${type.name}.cursor is no text`]),
    ];
  });

function nodeProblems(edge: string, node: GraphQLField<unknown, unknown> | undefined): string[] {
  if (node === undefined) return [`${edge} has no node`];
  const type = bare(node.type);
  if (!isCompositeType(type) && !isLeafType(type)) return [`${edge}.node is a list`];
  const isNode =
    (isObjectType(type) || isInterfaceType(type)) &&
    (type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node'));
  return isNode ? [] : [`${edge}.node: ${type} does not implement Node`];
}

/** A field with a connection takes `first: Int` and `after`, or `last: Int` and `before`. */
export const relayArguments: Rule = (schema) =>
  objectsOf(schema).flatMap((owner) =>
    Object.values(owner.getFields()).flatMap((field) => {
      if (!getNamedType(field.type).name.endsWith('Connection')) return [];
      const typeOf = (name: string): GraphQLType | undefined =>
        field.args.find((argument) => argument.name === name)?.type;
      const isPair = (size: string, cursor: string): boolean =>
        String(typeOf(size)).replace('!', '') === 'Int' && isText(typeOf(cursor));
      if (isPair('first', 'after') || isPair('last', 'before')) return [];
      return [
        `${owner.name}.${field.name} cannot be paged: it takes neither first and after nor last and before`,
      ];
    }),
  );

const PAGE_INFO: Readonly<Record<string, (type: GraphQLOutputType) => boolean>> = {
  hasPreviousPage: (type) => String(type) === 'Boolean!',
  hasNextPage: (type) => String(type) === 'Boolean!',
  startCursor: isText,
  endCursor: isText,
};

/** `PageInfo` has its four fields, typed as Relay's clients read them. */
export const relayPageInfo: Rule = (schema) => {
  const type = schema.getType('PageInfo');
  if (!isObjectType(type)) return connectionsOf(schema).length > 0 ? ['there is no PageInfo'] : [];
  return Object.entries(PAGE_INFO).flatMap(([name, isRight]) => {
    const field = type.getFields()[name];
    return field !== undefined && isRight(field.type)
      ? []
      : [`PageInfo.${name} is ${field?.type ?? 'missing'}`];
  });
};

/** A cursor is a string, or a scalar of our own. */
function isText(type: GraphQLType | undefined): boolean {
  if (type === undefined) return false;
  const named = bare(type);
  return isScalarType(named) && !['Int', 'Float', 'Boolean'].includes(named.name);
}
