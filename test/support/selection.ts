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

/** Everything that a type shows, so many levels deep; what needs arguments is left away. */
export function selectAll(schema: GraphQLSchema, typeName: string, levels: number): string {
  const type = schema.getType(typeName);
  if (isAbstractType(type)) {
    const members = schema.getPossibleTypes(type);
    const own = isInterfaceType(type) ? '' : '__typename ';
    // Under aliases: the same field may be null in one member and never in another.
    return `{ ${own}${members.map((member) => `... on ${member.name} ${selectObject(schema, member, levels, `${member.name}_`)}`).join(' ')} }`;
  }
  if (!isObjectType(type)) throw new Error(`${typeName} has no fields`);
  return selectObject(schema, type, levels, '');
}

function selectObject(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  levels: number,
  prefix: string,
): string {
  const fields = Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
  const parts = fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    const alias = prefix === '' ? '' : `${prefix}${field.name}: `;
    if (!isCompositeType(inner)) return [`${alias}${field.name}`];
    return levels > 1 ? [`${alias}${field.name} ${selectAll(schema, inner.name, levels - 1)}`] : [];
  });
  return `{ __typename ${parts.join(' ')} }`;
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
