import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** A place in a field's arguments where a client can put text, or many values. */
export interface InputLeaf {
  /** `filter.subject.id` */
  readonly path: string;
  readonly isList: boolean;
  /** The name of the type of one value. */
  readonly type: string;
  /** True for enums, whose texts graphql-js checks itself. */
  readonly isEnum: boolean;
  /** One value that fits the type. */
  readonly example: string;
  /** The arguments with this value there, and only what is required beside it. */
  readonly argumentsWith: (value: unknown) => Record<string, unknown>;
}

type Input = GraphQLArgument | GraphQLInputField;
type Place = (value: unknown) => Record<string, unknown>;

/** Every text, id and enum list in the arguments of a field. */
export function inputLeaves(inputs: readonly Input[]): InputLeaf[] {
  return allInputLeaves(inputs).filter(
    ({ type, isList, isEnum }) => type === 'String' || type === 'ID' || (isList && isEnum),
  );
}

/** Every value in the arguments of a field. */
export function allInputLeaves(
  inputs: readonly Input[],
  place: Place = (value) => value as Record<string, unknown>,
  path = '',
): InputLeaf[] {
  return inputs.flatMap((input) => {
    const beside = Object.fromEntries(
      inputs
        .filter((other) => other !== input && isRequired(other))
        .map((other) => [other.name, exampleOf(other.type)]),
    );
    const here: Place = (value) => place({ ...beside, [input.name]: value });
    const named = getNamedType(input.type);
    const at = path === '' ? input.name : `${path}.${input.name}`;
    if (isInputObjectType(named))
      return allInputLeaves(
        Object.values(named.getFields()),
        isListType(getNullableType(input.type)) ? (value) => here([value]) : here,
        at,
      );
    const isList = isListType(getNullableType(input.type));
    const example = String(exampleOf(named));
    return [{ path: at, isList, type: named.name, isEnum: isEnumType(named), example, argumentsWith: here }];
  });
}

function isRequired(input: Input): boolean {
  // Both rules say the same: not null, and without a default.
  return isRequiredArgument(input as GraphQLArgument);
}

/** What is required of a field's arguments, each with a value that fits. */
export function exampleArguments(inputs: readonly Input[]): Record<string, unknown> {
  return Object.fromEntries(inputs.filter(isRequired).map(({ name, type }) => [name, exampleOf(type)]));
}

function exampleOf(type: GraphQLInputType): unknown {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return [exampleOf(named)];
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named)) {
    return Object.fromEntries(
      Object.values(named.getFields())
        .filter(isRequiredInputField)
        .map((field) => [field.name, exampleOf(field.type)]),
    );
  }
  if (named.name === 'Int' || named.name === 'Float' || named.name === 'BigInt') return 1;
  if (named.name === 'Boolean') return true;
  if (named.name === 'UUID') return '01900000-0000-7000-8000-000000000000';
  return named.name === 'ID' ? 'Job:01900000-0000-7000-8000-000000000000' : 'echo';
}
