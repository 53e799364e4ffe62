import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';

/** How values look in JSON. */
const SCALARS: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  BigInt: 'string',
  Date: 'string',
  DateTime: 'string',
  UUID: 'string',
  JSON: 'unknown',
};

/** TypeScript for a scalar or an enum; an enum's name is added to `enums`. */
export function namedTypeText(type: unknown, enums: Set<string>): string {
  if (isEnumType(type)) {
    enums.add(type.name);
    return type.name;
  }
  const text = isScalarType(type) ? SCALARS[type.name] : undefined;
  if (text === undefined)
    throw new Error(`There is no TypeScript type for ${String(type)}; add the scalar here`);
  return text;
}

/** TypeScript for what a variable or an input field takes; input types met are added to `inputs`. */
export function inputText(
  type: GraphQLInputType,
  enums: Set<string>,
  inputs: Set<GraphQLInputObjectType>,
): string {
  if (isNonNullType(type)) return nonNullInput(type.ofType, enums, inputs);
  return `${nonNullInput(type, enums, inputs)} | null | undefined`;
}

function nonNullInput(
  type: GraphQLNullableType,
  enums: Set<string>,
  inputs: Set<GraphQLInputObjectType>,
): string {
  if (isListType(type)) return `readonly (${inputText(type.ofType as GraphQLInputType, enums, inputs)})[]`;
  if (!isInputObjectType(type)) return namedTypeText(type, enums);
  inputs.add(type);
  return type.name;
}

export function inputObjectText(
  type: GraphQLInputObjectType,
  enums: Set<string>,
  inputs: Set<GraphQLInputObjectType>,
): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const isOptional = !isNonNullType(field.type) || field.defaultValue !== undefined;
    const text = inputText(field.type, enums, inputs);
    return `${commentOf(field.description)}readonly ${field.name}${isOptional ? '?' : ''}: ${text};`;
  });
  return `${commentOf(type.description)}export interface ${type.name} {\n${fields.join('\n')}\n}`;
}

export function enumText(type: GraphQLEnumType): string {
  const values = type.getValues().map(({ name }) => `'${name}'`);
  return `${commentOf(type.description)}export type ${type.name} = ${values.join(' | ')};`;
}

export function commentOf(description: string | null | undefined): string {
  return description == null
    ? ''
    : `/** ${description
        .trim()
        .replaceAll('*/', '*∕')
        .replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}
