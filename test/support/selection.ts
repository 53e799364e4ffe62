import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/**
 * Everything that a type shows, N levels deep; what needs arguments is omitted. A type within itself (a job
 * that replays a job) is asked for its scalars.
 * @param within types that this one is asked for in
 */
export function selectAll(
  schema: GraphQLSchema,
  typeName: string,
  levels: number,
  within: readonly string[] = [],
): string {
  const type = schema.getType(typeName);
  if (isAbstractType(type)) {
    const members = schema.getPossibleTypes(type);
    const own = isInterfaceType(type) ? '' : '__typename ';
    // Under aliases: the same field may be null in one member and never in another.
    return `{ ${own}${members.map((member) => `... on ${member.name} ${selectObject(schema, member, levels, `${member.name}_`, within)}`).join(' ')} }`;
  }
  if (!isObjectType(type)) throw new Error(`${typeName} has no fields`);
  return selectObject(schema, type, levels, '', within);
}

function selectObject(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  levels: number,
  prefix: string,
  within: readonly string[],
): string {
  const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const parts = fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    const alias = prefix === '' ? '' : `${prefix}${field.name}: `;
    if (!isCompositeType(inner)) return [`${alias}${field.name}`];
    const below = inner.name === type.name || within.includes(inner.name) ? 1 : levels - 1;
    return levels > 1
      ? [`${alias}${field.name} ${selectAll(schema, inner.name, below, [...within, type.name])}`]
      : [];
  });
  return `{ ${parts.length === 0 ? '__typename' : parts.join(' ')} }`;
}

/** Root fields as `Query.jobs`, with the field. */
export function rootFields(schema: GraphQLSchema): [string, GraphQLField<unknown, unknown>][] {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    type == null
      ? []
      : Object.values(type.getFields()).map(
          (field) => [`${type.name}.${field.name}`, field] as [string, typeof field],
        ),
  );
}

/** Fields of other objects that lead to more than a scalar, as `Job.video`. */
export function inwardFields(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isCompositeType(getNamedType(field.type)))
        .map((field) => `${type.name}.${field.name}`),
    );
}
