import fc from 'fast-check';
import { type GraphQLField, getNamedType, isListType, isNonNullType, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { checkDocument } from '../../src/graphql/prepare/check-document.ts';
import { complexityOf } from '../../src/graphql/prepare/cost.ts';
import type { CheckedDocument } from '../../src/graphql/prepare/document-cache.ts';
import { schema } from '../support/schema.ts';

function costOf(query: string, variables: Record<string, unknown> = {}): number {
  const checked = checkDocument(schema, query, loadConfig({}));
  if (!('text' in checked)) throw checked[0];
  const operation = parse(query).definitions[0];
  return complexityOf(schema, checked as CheckedDocument, operation as never, variables);
}

/** From the schema: a new list is weighed without anybody thinking of it. */
const PAGES = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ args }) => args.some(({ name }) => name === 'first'))
      .map((field) => [`${type.name}.${field.name}`, field] as [string, GraphQLField<unknown, unknown>]),
  );

function weighed(field: GraphQLField<unknown, unknown>, args: Record<string, unknown>): number {
  const complexity = field.extensions['complexity'];
  const value = typeof complexity === 'function' ? complexity(args, {}, field) : complexity;
  return typeof value === 'number' ? 1 : value.multiplier;
}

describe('the cost of an operation', () => {
  it('is there to be tested for some pages', () => expect(PAGES.length).toBeGreaterThan(3));

  it.each(PAGES)('grows with the page that %s is asked for', (_name, field) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.constantFrom('first', 'last'), (size, which) => {
        expect(weighed(field, { [which]: size })).toBe(size);
        expect(weighed(field, { first: size, last: 7 })).toBe(Math.max(size, 7));
      }),
    );
    // What is taken when nothing is said.
    expect(weighed(field, {})).toBe(50);
    expect(weighed(field, { first: -5 })).toBe(1);
    // What no page has is refused by the field, which names it.
    expect(weighed(field, { first: 10_000 })).toBe(100);
  });

  it('counts a page given by a variable, by a literal and by a default alike', () => {
    const cost = costOf('{ jobs(first: 40) { nodes { id status } } }');
    expect(cost).toBe(1 + 40 * 3);
    expect(costOf('query ($n: Int) { jobs(first: $n) { nodes { id status } } }', { n: 40 })).toBe(cost);
    expect(costOf('query ($n: Int = 40) { jobs(last: $n) { nodes { id status } } }')).toBe(cost);
  });

  it('counts each of a list of ids, and each of a list of inputs', () => {
    const ids = (count: number) => ({
      ids: Array<string>(count).fill('Job:01900000-0000-7000-8000-000000000000'),
    });
    const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }';
    expect(costOf(nodes, ids(1000)) - 1).toBe(1000 * (costOf(nodes, ids(1)) - 1));
    const enqueue =
      'mutation ($inputs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $inputs }) { ... on EnqueueJobsPayload { results { __typename } } } }';
    const inputs = (count: number) => ({ inputs: Array(count).fill({ definition: 'echo' }) });
    expect(costOf(enqueue, inputs(1000))).toBeGreaterThan(900);
    expect(costOf(enqueue, inputs(1000))).toBeGreaterThan(9 * costOf(enqueue, inputs(100)));
  });

  it.each(['cancelJobs', 'retryJobs'])('of %s is never below that of one job', (verb) => {
    const document = (limit: number) =>
      `mutation { ${verb}(input: { filter: { statuses: [QUEUED] }, limit: ${limit} }) { __typename } }`;
    expect(costOf(document(-2_000_000_000))).toBe(costOf(document(1)));
    expect(costOf(document(2_000_000_000))).toBe(costOf(document(10_000)));
  });

  it('multiplies by lists within lists, whatever fragments they are written in', () => {
    const inner = costOf('{ videos(first: 10) { nodes { jobs { id } } } }');
    expect(inner).toBe(1 + 10 * (1 + 1 + 20 * 1));
    expect(
      costOf(
        '{ ...A } fragment A on Query { videos(first: 10) { nodes { ... { jobs { ...B } } } } } fragment B on Job { id }',
      ),
    ).toBe(inner);
  });

  it('is not nothing for any list of objects that a field of data leads to', () => {
    const free = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__') && !/(Connection|Edge)$/.test(name))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => {
            const bare = isNonNullType(field.type) ? field.type.ofType : field.type;
            return isListType(bare) && isObjectType(getNamedType(bare)) && weighed(field, {}) < 2;
          })
          .map((field) => `${type.name}.${field.name}`),
      );
    // Their cost is the reading and not the rows, and stands in the fields themselves.
    expect(free).toEqual(['JobDefinition.workers', 'Query.workers', 'Subscription.workersChanged']);
  });
});
