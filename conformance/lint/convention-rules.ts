import {
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Rule } from './rule.ts';

/** Ids that come from elsewhere: of a trace, as its systems write it. */
const FOREIGN_IDS: readonly string[] = ['correlationId'];
/** A list whose items stand for what was asked for, each null where it is not there. */
const LISTS_WITH_NULLS: readonly string[] = ['Query.nodes'];
/** What a job is about, and whom tokens name (`sub`): two standard terms that are spelled alike. */
const TWO_TERMS: readonly string[] = ['subject'];
/** A closed set of words is an enum. */
const WORDS: readonly string[] = ['action', 'code', 'level', 'outcome', 'role', 'status'];

interface Part {
  readonly owner: GraphQLObjectType;
  readonly name: string;
  readonly type: GraphQLOutputType;
  /** `Type.field` */
  readonly path: string;
}

const objectsOf = (schema: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  ) as GraphQLObjectType[];

const fieldsOf = (schema: GraphQLSchema): Part[] =>
  objectsOf(schema).flatMap((owner) =>
    Object.values(owner.getFields()).map(({ name, type }) => ({
      owner,
      name,
      type,
      path: `${owner.name}.${name}`,
    })),
  );

/** What is taken: fields of inputs, and arguments. */
function inputsOf(schema: GraphQLSchema): { path: string; name: string; type: GraphQLNamedType }[] {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType) as GraphQLInputObjectType[];
  return [
    ...inputs.flatMap((owner) =>
      Object.values(owner.getFields()).map(({ name, type }) => ({
        path: `${owner.name}.${name}`,
        name,
        type: getNamedType(type),
      })),
    ),
    ...objectsOf(schema).flatMap((owner) =>
      Object.values(owner.getFields()).flatMap((field) =>
        field.args.map(({ name, type }) => ({
          path: `${owner.name}.${field.name}(${name})`,
          name,
          type: getNamedType(type),
        })),
      ),
    ),
  ];
}

const isIdName = (name: string): boolean => /^ids?$|Ids?$/.test(name) && !FOREIGN_IDS.includes(name);

/**
 * Clients cache what has an `id` by it: `id` is the global id of a node, `…Id` that of another one, and
 * nothing else is called so.
 */
export const globalIds: Rule = (schema) => [
  ...fieldsOf(schema).flatMap(({ owner, name, type, path }) => {
    if (name === 'id' && !owner.getInterfaces().some((known) => known.name === 'Node'))
      return [`${path} is the id of no node`];
    return isIdName(name) === (getNamedType(type).name === 'ID')
      ? []
      : [`${path} is named or typed as no global id`];
  }),
  ...inputsOf(schema).flatMap(({ path, name, type }) =>
    isIdName(name) === (type.name === 'ID') ? [] : [`${path} is named or typed as no id`],
  ),
];

/** A time is `…At`, one that was asked for `…For`, the bound of a window `…After` or `…Before`. */
export const timeNames: Rule = (schema) =>
  fieldsOf(schema).flatMap(({ name, type, path }) => {
    const isTime = getNamedType(type).name === 'DateTime';
    if (isTime && !/(At|For|After|Before)$/.test(name)) return [`${path} is a time without the name`];
    return !isTime && name.endsWith('At') ? [`${path} is named as a time`] : [];
  });

/** A flag is `is…`, `has…` or `viewerCan…`. */
export const flagNames: Rule = (schema) =>
  fieldsOf(schema).flatMap(({ name, type, path }) => {
    const isFlag = getNamedType(type).name === 'Boolean';
    const isNamed = /^(is|has|viewerCan)[A-Z]/.test(name);
    return isFlag === isNamed ? [] : [`${path} is ${isFlag ? 'a flag without the name' : 'named as a flag'}`];
  });

/** What is counted is a whole number. */
export const countNames: Rule = (schema) =>
  fieldsOf(schema).flatMap(({ name, type, path }) =>
    /(^count|Count)$/.test(name) && !['Int', 'BigInt'].includes(getNamedType(type).name)
      ? [`${path} is no whole number`]
      : [],
  );

/** What has a closed set of values says which. */
export const closedWords: Rule = (schema) =>
  fieldsOf(schema).flatMap(({ name, type, path }) =>
    WORDS.includes(name) && !isEnumType(getNamedType(type)) ? [`${path} is no enum`] : [],
  );

/** A name is an object everywhere or nowhere. */
export const oneShape: Rule = (schema) => {
  const byName = Map.groupBy(fieldsOf(schema), ({ name }) => name);
  return [...byName].flatMap(([name, parts]) => {
    const objects = parts.filter(
      ({ type }) => 'getFields' in getNamedType(type) || isUnionType(getNamedType(type)),
    );
    const isMixed = objects.length > 0 && objects.length < parts.length && !TWO_TERMS.includes(name);
    return isMixed ? [`${name} is an object in some of ${parts.map(({ path }) => path).join(', ')}`] : [];
  });
};

/** The items of a list are there. */
export const listItems: Rule = (schema) =>
  fieldsOf(schema).flatMap(({ type, path }) => {
    const list = isNonNullType(type) ? type.ofType : type;
    const mayHoldNulls = isListType(list) && !isNonNullType(list.ofType) && !LISTS_WITH_NULLS.includes(path);
    return mayHoldNulls ? [`${path} has items that may be null`] : [];
  });

/** What objects of input are called. */
export const inputTypeNames: Rule = (schema) =>
  Object.values(schema.getTypeMap())
    .filter((type) => isInputObjectType(type) && !/(Input|Filter|Order)$/.test(type.name))
    .map(({ name }) => `${name} is an input without the name`);

/** `doThing` answers `DoThingResult!`: `DoThingPayload`, its own, or an error. */
export const mutationResults: Rule = (schema) =>
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, type }) => {
    const own = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const union = isNonNullType(type) ? type.ofType : type;
    if (!isNonNullType(type) || !isUnionType(union) || union.name !== `${own}Result`)
      return [`Mutation.${name} does not answer ${own}Result!`];
    const others = union.getTypes().filter((member) => member.name !== `${own}Payload`);
    return [
      ...(others.length < union.getTypes().length ? [] : [`${union.name} has no ${own}Payload`]),
      ...others
        .filter(
          (member) =>
            !member.name.endsWith('Error') ||
            !member.getInterfaces().some(({ name: of }) => of === 'DomainFailure'),
        )
        .map((member) => `${union.name}: ${member.name} is no error`),
    ];
  });
