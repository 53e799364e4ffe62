import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isUnionType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, it } from 'vitest';
import { EXAMPLE_TABS } from '../../src/graphql/graphiql-tabs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const schema = buildSchema(readFileSync(`${ROOT}schema.graphql`, 'utf8'));

/**
 * The operations in a text, whatever stands around them: a fence of GraphQL, a shell's JSON, a string of
 * JavaScript.
 */
function operationsIn(text: string): string[] {
  const plain = text.replaceAll('\\"', '"');
  return [
    ...plain.matchAll(/\b(?:mutation|query|subscription)\b(?:\s+\w+)?\s*(?:\([^{}]*\))?\s*\{/g),
  ].flatMap((match) => {
    let depth = 1;
    let end = match.index + match[0].length;
    for (; depth > 0 && end < plain.length; end++)
      depth += plain[end] === '{' ? 1 : plain[end] === '}' ? -1 : 0;
    return depth === 0 ? [plain.slice(match.index, end)] : [];
  });
}

/** Fields of an operation that may answer with an expected failure, and whose selection does not show it. */
function silentFields(document: DocumentNode, ofSchema: GraphQLSchema): string[] {
  const types = new TypeInfo(ofSchema);
  const silent: string[] = [];
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: (field) => {
        const type = getNamedType(types.getType());
        if (!isUnionType(type)) return;
        const canFail = type
          .getTypes()
          .some((member) => isFailure(member.getInterfaces().map(({ name }) => name)));
        if (canFail && !showsFailure(field)) silent.push(field.name.value);
      },
    }),
  );
  return silent;
}

const isFailure = (interfaces: readonly string[]): boolean => interfaces.includes('DomainFailure');

function showsFailure({ selectionSet }: FieldNode): boolean {
  return (
    selectionSet?.selections.some(
      (selection) =>
        selection.kind === Kind.INLINE_FRAGMENT &&
        selection.typeCondition?.name.value === 'DomainFailure' &&
        selection.selectionSet.selections.some(
          (shown) => shown.kind === Kind.FIELD && shown.name.value === 'message',
        ),
    ) === true
  );
}

const places = globSync(['README.md', 'docs/*.md', 'examples/**/*.{md,ts,tsx}'], { cwd: ROOT })
  .sort()
  .map((name) => ({ name, text: readFileSync(`${ROOT}${name}`, 'utf8') }))
  .concat([{ name: 'the playground', text: EXAMPLE_TABS.map(({ query }) => query).join('\n') }]);

it('finds operations, and those that hide a failure', () => {
  expect(isInterfaceType(schema.getType('DomainFailure'))).toBe(true);
  const [silent, shown] = operationsIn(
    `-d '{"query": "mutation { cancelJob(input: { id: \\"1\\" }) { __typename } }"}' mutation A($a: ID!) { cancelJob(input: { id: $a }) { ... on DomainFailure { message } } }`,
  );
  expect(silentFields(parse(silent ?? ''), schema)).toEqual(['cancelJob']);
  expect(silentFields(parse(shown ?? ''), schema)).toEqual([]);
  const found = places.flatMap(({ text }) => operationsIn(text));
  expect(found.filter((text) => text.startsWith('mutation')).length).toBeGreaterThan(25);
});

it('every mutation in README, docs, examples and playground shows what went wrong', () => {
  const silent = places.flatMap(({ name, text }) =>
    operationsIn(text).flatMap((operation) => {
      // A template of JavaScript, not an operation yet.
      if (operation.includes('${')) return [];
      return silentFields(parse(operation), schema).map((field) => `${name}: ${field}`);
    }),
  );
  expect(silent).toEqual([]);
});

it('every client of graphql-ws in the documents comes back forever', () => {
  const givingUp = places.flatMap(({ name, text }) =>
    [...text.matchAll(/createClient\(\{[\s\S]*?\}\);/g)]
      .filter(
        ([call]) =>
          /connectionParams/.test(call) && !/retryAttempts: (Infinity|Number\.POSITIVE_INFINITY)/.test(call),
      )
      .map(() => name),
  );
  expect(givingUp).toEqual([]);
});
