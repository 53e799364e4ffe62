import {
  type DirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  visit,
} from 'graphql';
import type { Rule } from './rule.ts';

const PASCAL = /^[A-Z][A-Za-z0-9]*$/;
const CAMEL = /^[a-z][A-Za-z0-9]*$/;
const UPPER = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

const ownTypes = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );

/** A part of a type that has a name: field, argument, value. */
interface Part {
  readonly kind: 'field' | 'argument' | 'value';
  readonly name: string;
  /** `Type.field`, `Type.field(argument)`. */
  readonly path: string;
  readonly description: string | null | undefined;
}

function partsOf(type: GraphQLNamedType): Part[] {
  if (isEnumType(type)) {
    return type.getValues().map(
      ({ name, description }): Part => ({
        kind: 'value',
        name,
        path: `${type.name}.${name}`,
        description,
      }),
    );
  }
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    { kind: 'field', name: field.name, path: `${type.name}.${field.name}`, description: field.description },
    ...argumentsOf(field).map(
      ({ name, description }): Part => ({
        kind: 'argument',
        name,
        path: `${type.name}.${field.name}(${name})`,
        description,
      }),
    ),
  ]);
}

function argumentsOf(field: GraphQLField<unknown, unknown> | GraphQLInputField): readonly GraphQLArgument[] {
  return 'args' in field ? field.args : [];
}

/** PascalCase types, camelCase fields and arguments, UPPER_CASE values. */
export const namingConvention: Rule = (schema) =>
  ownTypes(schema).flatMap((type) => [
    ...(PASCAL.test(type.name) ? [] : [`${type.name} is not in PascalCase`]),
    ...partsOf(type)
      .filter(({ kind, name }) => !(kind === 'value' ? UPPER : CAMEL).test(name))
      .map(({ path }) => `${path} is not in ${path.includes('(') ? 'camelCase' : 'the case of its kind'}`),
  ]);

/** `Job.id`, not `Job.jobId`. */
export const noTypenamePrefix: Rule = (schema) =>
  ownTypes(schema)
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      partsOf(type)
        .filter(
          ({ kind, name }) => kind === 'field' && name.toLowerCase().startsWith(type.name.toLowerCase()),
        )
        .map(({ path }) => `${path} repeats the name of its type`),
    );

/** Every type, field, argument and value says what it is. */
export const requireDescription: Rule = (schema) =>
  ownTypes(schema).flatMap((type) => [
    ...(type.description || isRoot(schema, type) ? [] : [`${type.name} has no description`]),
    ...partsOf(type)
      .filter(({ description }) => !description)
      .map(({ path }) => `${path} has no description`),
  ]);

/** A mutation takes `input` and nothing else, of a type with the mutation's name. */
export const inputName: Rule = (schema) =>
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
    const [input, ...more] = args;
    if (input?.name !== 'input' || more.length > 0)
      return [`Mutation.${name} takes more or else than \`input\``];
    const type = getNamedType(input.type).name;
    const wanted = `${name}Input`;
    return type.toLowerCase() === wanted.toLowerCase()
      ? []
      : [`Mutation.${name}(input) is ${type}, not ${wanted}`];
  });

/** `@deprecated` says why, and with that what to use. */
export const requireDeprecationReason: Rule = (_schema, sdl) => {
  const problems: string[] = [];
  visit(parse(sdl), {
    Directive: (directive: DirectiveNode) => {
      if (directive.name.value !== 'deprecated') return;
      const reason = directive.arguments?.find(({ name }) => name.value === 'reason')?.value;
      if (reason?.kind !== 'StringValue' || reason.value.trim() === '')
        problems.push(`line ${directive.loc?.startToken.line}: deprecated without a reason`);
    },
  });
  return problems;
};

/** Comments are lost on clients: descriptions are not. */
export const noHashtagDescription: Rule = (_schema, sdl) =>
  sdl.split('\n').flatMap((line, index) => (/^\s*#/.test(line) ? [`line ${index + 1}: a comment`] : []));

/** What no operation can reach is not there for anybody. */
export const noUnreachableTypes: Rule = (schema) => {
  const reached = new Set<GraphQLNamedType>();
  const open: GraphQLNamedType[] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ].filter((type) => type != null);
  for (const directive of schema.getDirectives())
    open.push(...directive.args.map(({ type }) => getNamedType(type)));
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (reached.has(type)) continue;
    reached.add(type);
    open.push(...neighboursOf(schema, type));
  }
  return ownTypes(schema)
    .filter((type) => !reached.has(type))
    .map(({ name }) => `${name} cannot be reached`);
};

function neighboursOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] {
  if (isUnionType(type)) return type.getTypes();
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  const fields: GraphQLNamedType[] = Object.values(type.getFields()).flatMap((field) => [
    namedType(field.type),
    ...argumentsOf(field).map(({ type: taken }) => namedType(taken)),
  ]);
  if (isInputObjectType(type)) return fields;
  return [
    ...fields,
    ...type.getInterfaces(),
    ...(isInterfaceType(type) ? schema.getPossibleTypes(type) : []),
  ];
}

/** Of the many signatures of `getNamedType` none takes inputs and outputs alike. */
function namedType(type: GraphQLType): GraphQLNamedType {
  return getNamedType(type) as GraphQLNamedType;
}

function isRoot(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].some(
    (root) => root === type,
  );
}
