import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  typeFromAST,
  validate,
  visit,
} from 'graphql';
import { commentOf, enumText, inputObjectText, inputText } from './named-types.ts';
import { SelectionTypes } from './selection-types.ts';

/**
 * The module with the client's documents and their types.
 * @param text documents of operations and fragments
 * @param operationModule where the type of a document is
 * @throws Error with everything that the schema does not take
 */
export function clientOperations(
  schema: GraphQLSchema,
  text: string,
  operationModule = './operation.ts',
): string {
  const document = parse(text);
  const mistakes = validate(schema, document);
  if (mistakes.length > 0) throw new Error(mistakes.map(String).join('\n\n'));
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const types = new SelectionTypes(schema, fragments);
  const inputs = new Set<GraphQLInputObjectType>();
  const operations = document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((operation) => operationText(schema, operation, fragments, types, inputs));
  const shown = [...fragments.values()]
    .filter(({ typeCondition }) => isObjectType(schema.getType(typeCondition.name.value)))
    .map((fragment) => fragmentText(schema, fragment, types));
  // A set gives what is added while it is gone through.
  const inputTexts = [...iterated(inputs, (input) => inputObjectText(input, types.enums, inputs))];
  const enumTexts = [...types.enums].sort().map((name) => enumText(schema.getType(name) as GraphQLEnumType));
  const head = [
    '// Written by `npm run client` from operations.graphql and schema.graphql.',
    `import type { Operation } from '${operationModule}';`,
  ].join('\n');
  return `${indented([head, ...enumTexts, ...inputTexts, ...shown, ...operations].join('\n\n'))}\n`;
}

function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (/^ *}/.test(line)) depth--;
    const placed = line.trim() === '' ? '' : '  '.repeat(depth) + line.trim();
    if (line.endsWith('{')) depth++;
    return placed;
  });
  return lines.join('\n');
}

function* iterated<T>(values: Set<T>, text: (value: T) => string): Generator<string> {
  for (const value of values) yield text(value);
}

function fragmentText(
  schema: GraphQLSchema,
  fragment: FragmentDefinitionNode,
  types: SelectionTypes,
): string {
  const parent = schema.getType(fragment.typeCondition.name.value) as GraphQLCompositeType;
  const text = types.textOf(fragment.selectionSet, parent);
  return `${commentOf(parent.description)}export type ${fragment.name.value} = ${text};`;
}

function operationText(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  types: SelectionTypes,
  inputs: Set<GraphQLInputObjectType>,
): string {
  const name = operation.name?.value;
  const root = schema.getRootType(operation.operation);
  if (name === undefined || root == null) throw new Error(`Every operation has a name: ${print(operation)}`);
  const variables = (operation.variableDefinitions ?? []).map(({ variable, type }) => {
    const given = typeFromAST(schema, type as never) as GraphQLInputType;
    const mark = isNonNullType(given) ? '' : '?';
    return `readonly ${variable.name.value}${mark}: ${inputText(given, types.enums, inputs)};`;
  });
  const result = types.textOf(operation.selectionSet, root);
  const text = stripIgnoredCharacters(print(withFragments(operation, fragments)));
  return [
    `export type ${name}Variables = {\n${variables.join('\n')}\n};`,
    `export type ${name}Result = ${result};`,
    `export const ${name}: Operation<${name}Result, ${name}Variables> = {\n  name: '${name}',\n  text: '${text}',\n};`,
  ].join('\n\n');
}

/** The operation with the fragments that it uses, in the order in which they are met. */
function withFragments(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): DocumentNode {
  const used = new Set<FragmentDefinitionNode>();
  const look = (node: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || used.has(fragment)) return;
        used.add(fragment);
        look(fragment);
      },
    });
  };
  look(operation);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...used] };
}
