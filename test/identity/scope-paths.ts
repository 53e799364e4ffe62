import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** A field of a type as it is asked for, with what is asked below it. */
export interface Asked {
  readonly alias: string;
  readonly typeName: string;
  readonly fieldName: string;
  /** Of lists: a page of a few, so that lists within lists cost what may be asked for. */
  readonly args: string;
  readonly below: readonly Asked[];
}

/**
 * Everything below a type, each way from one type to the next once, where it is nearest; what needs arguments
 * is not in it.
 */
export function askAll(schema: GraphQLSchema, root: GraphQLNamedType): readonly Asked[] {
  const been = new Set<string>();
  const all: Asked[] = [];
  let level: readonly { readonly type: GraphQLNamedType; readonly into: Asked[] }[] = [
    { type: root, into: all },
  ];
  while (level.length > 0) {
    const next: { readonly type: GraphQLNamedType; readonly into: Asked[] }[] = [];
    for (const { type, into } of level)
      for (const member of isAbstractType(type) ? schema.getPossibleTypes(type) : [type])
        for (const field of isObjectType(member) ? Object.values(member.getFields()) : []) {
          const path = `${member.name}.${field.name}`;
          const inner = getNamedType(field.type);
          if (field.args.some(isRequiredArgument) || (isCompositeType(inner) && been.has(path))) continue;
          been.add(path);
          const below: Asked[] = [];
          const args = field.args.some(({ name }) => name === 'first') ? '(first: 5)' : '';
          into.push({
            alias: path.replace('.', '_'),
            typeName: member.name,
            fieldName: field.name,
            args,
            below,
          });
          if (isCompositeType(inner)) next.push({ type: inner, into: below });
        }
    level = next;
  }
  return withoutEmpty(schema, all);
}

/**
 * A field of a type must be asked for something: those of which all ways were gone already are not asked for.
 */
function withoutEmpty(schema: GraphQLSchema, asked: readonly Asked[]): readonly Asked[] {
  return asked.flatMap((one) => {
    const type = schema.getType(one.typeName);
    const field = isObjectType(type) ? type.getFields()[one.fieldName] : undefined;
    if (field === undefined || !isCompositeType(getNamedType(field.type))) return [one];
    const below = withoutEmpty(schema, one.below);
    return below.length === 0 ? [] : [{ ...one, below }];
  });
}

const texts = new WeakMap<readonly Asked[], string>();

/** As a selection set. */
export function selectionOf(asked: readonly Asked[]): string {
  const text = texts.get(asked) ?? textOf(asked);
  texts.set(asked, text);
  return text;
}

function textOf(asked: readonly Asked[]): string {
  const byType = Map.groupBy(asked, ({ typeName }) => typeName);
  const parts = [...byType].map(
    ([typeName, fields]) =>
      `... on ${typeName} { ${fields
        .map(({ alias, fieldName, args, below }) =>
          below.length === 0
            ? `${alias}: ${fieldName}`
            : `${alias}: ${fieldName}${args} ${selectionOf(below)}`,
        )
        .join(' ')} }`,
  );
  return `{ __typename ${parts.join(' ')} }`;
}

/** The single ways from here to a leaf, each as it would be asked for alone. */
export function singlePaths(asked: readonly Asked[]): readonly (readonly Asked[])[] {
  return asked.flatMap((one) =>
    one.below.length === 0 ? [[one]] : singlePaths(one.below).map((path) => [one, ...path]),
  );
}

/** Of one document, so that it stays below the limit of 1,000 tokens. */
const MAX_CHARS = 4_000;

const known = new WeakMap<GraphQLField<unknown, unknown>, readonly (readonly Asked[])[]>();

/** All that a root field leads to, in documents that the limits let through. */
export function documentsOf(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): readonly (readonly Asked[])[] {
  const documents = known.get(field) ?? newDocuments(schema, field);
  known.set(field, documents);
  return documents;
}

function newDocuments(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): readonly (readonly Asked[])[] {
  const documents: (readonly Asked[])[] = [];
  let open: readonly Asked[] = [];
  for (const path of singlePaths(askAll(schema, getNamedType(field.type)))) {
    const more = merged(open, path);
    if (open.length > 0 && selectionOf(more).length > MAX_CHARS) {
      documents.push(open);
      open = [pathOf(path)];
    } else open = more;
  }
  return open.length === 0 ? documents : [...documents, open];
}

/** A selection with one more path; what they begin with alike is asked for once. */
function merged(asked: readonly Asked[], [first, ...rest]: readonly Asked[]): readonly Asked[] {
  const { alias } = first as Asked;
  const at = asked.findIndex((one) => one.alias === alias);
  const found = asked[at];
  if (found === undefined) return [...asked, pathOf([first as Asked, ...rest])];
  return rest.length === 0 ? asked : asked.with(at, { ...found, below: merged(found.below, rest) });
}

/** One way as a selection set of its own. */
export function pathOf([first, ...rest]: readonly Asked[]): Asked {
  return { ...(first as Asked), below: rest.length === 0 ? [] : [pathOf(rest)] };
}

/** Fields that an answer shows, as `Job.payload`. */
export function shownIn(data: unknown, asked: readonly Asked[]): readonly string[] {
  if (data === null || data === undefined) return [];
  if (Array.isArray(data)) return data.flatMap((each) => shownIn(each, asked));
  return asked.flatMap(({ alias, typeName, fieldName, below }) => {
    const value = (data as Record<string, unknown>)[alias];
    if (value === null || value === undefined) return [];
    return below.length === 0 ? [`${typeName}.${fieldName}`] : shownIn(value, below);
  });
}
