import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { checkedClient, type Operation, openApi, operations } from '../support/rest-contract.ts';
import { makeWorld, type World } from './world.ts';

let api: TestApi;
let world: World;

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
  });
  world = await makeWorld(api);
});
afterAll(() => api?.close());

/** Of plain requests, and as many of wild ones. */
const RUNS_A_ROUTE = 8;

type Schema = Record<string, unknown>;

const TEXTS = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '%',
    "'; drop table jobs; --",
    '__proto__',
    'x'.repeat(5_000),
    '\u202e',
  ),
);
const ANYTHING = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue({ maxDepth: 2 }),
  TEXTS,
  fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 53, {}, []),
);

/** Values as a schema says; wild ones also near it, and of other kinds. */
function valuesOf(schema: Schema, name: string, isWild: boolean): fc.Arbitrary<unknown> {
  const good = goodOf(schema, name, isWild);
  return isWild ? fc.oneof({ arbitrary: good, weight: 5 }, { arbitrary: ANYTHING, weight: 1 }) : good;
}

function goodOf(schema: Schema, name: string, isWild: boolean): fc.Arbitrary<unknown> {
  const of = (inner: Schema): fc.Arbitrary<unknown> => goodOf(inner, name, isWild);
  if (typeof schema['$ref'] === 'string')
    return of(openApi.components.schemas[schema['$ref'].split('/').at(-1) as string] as Schema);
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...(schema['anyOf'] as Schema[]).map(of));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const type = [schema['type']].flat().find((each) => each !== 'null');
  switch (type) {
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
      const required = (schema['required'] ?? []) as string[];
      const fields = (all: typeof properties) =>
        Object.fromEntries(all.map(([field, inner]) => [field, valuesOf(inner, field, isWild)]));
      if (isWild) return fc.record(fields(properties), { requiredKeys: required });
      const needed = properties.filter(([field]) => required.includes(field) || LIKELY.includes(field));
      const others = properties.filter(([field]) => ![...required, ...LIKELY, ...APART].includes(field));
      // Few beside what is needed: of many one would be refused each time.
      return fc
        .tuple(
          fc.record(fields(needed)),
          fc
            .subarray(others, { maxLength: Math.min(2, others.length) })
            .chain((some) => fc.record(fields(some))),
        )
        .map(([must, may]) => ({ ...(must as object), ...(may as object) }));
    }
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as Schema, name, isWild), { maxLength: 3 });
    case 'integer': {
      const { minimum = 0, maximum = 100 } = schema as { minimum?: number; maximum?: number };
      const within = fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, 2 ** 31)) });
      return isWild ? fc.oneof(within, fc.integer(), fc.constantFrom(0, -1, 2 ** 31, 2 ** 53 - 1)) : within;
    }
    case 'number':
      return isWild ? fc.double({ noNaN: true, noDefaultInfinity: true }) : fc.integer({ min: 1, max: 10 });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(schema['format'], name, isWild);
    default:
      return isWild ? ANYTHING : (PLAIN[name] ?? fc.constant({ message: 'x' }));
  }
}

const SINCE = fc.constantFrom('2026-01-01T00:00:00Z', '2026-11-28T10:00:00+23:59');
/** What does not go with what else a plain request has. */
const APART = [
  'event_name',
  'condition',
  'every_seconds',
  'run_at',
  'starts_at',
  'ends_at',
  'dedupe_window_seconds',
];
const LIKELY = ['payload', 'cron_expr', 'filter'];
/** What gets past the checks of what the schema alone does not say. */
const PLAIN: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  definition_key: fc.constant('echo'),
  key: fc.uuid().map((id) => `d-${id}`),
  slug: fc.uuid(),
  name: fc.constantFrom('folder.updated', 'order.made'),
  event_name: fc.constant('folder.updated'),
  cron_expr: fc.constantFrom('0 2 * * *', '@daily', '*/5 * * * *'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  content_type: fc.constant('video/mp4'),
  languages: fc.constant('eng'),
  url: fc.constant('https://example.com/hook'),
  arg_schema: fc.constant({ type: 'object' }),
  trigger_type: fc.constant('schedule'),
};

function textOf(format: unknown, name: string, isWild: boolean): fc.Arbitrary<unknown> {
  const own = world.ids[name] ?? world.ids['job_id'] ?? '';
  if (format === 'uuid')
    return isWild ? fc.oneof(fc.constantFrom(...Object.values(world.ids)), fc.uuid()) : fc.constant(own);
  if (format === 'date-time' && !isWild) return SINCE;
  if (format === 'date-time')
    return fc.oneof(
      SINCE,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '2026-02-30T00:00:00Z'),
    );
  const plain = PLAIN[name] ?? fc.string({ minLength: 1, maxLength: 12 });
  return isWild ? fc.oneof(TEXTS, plain) : plain;
}

interface Asked {
  readonly path: string;
  readonly body: unknown;
}

function requestsOf(path: string, operation: Operation, isWild: boolean): fc.Arbitrary<Asked> {
  const schemasOf = (place: string): Schema => ({
    type: 'object',
    properties: Object.fromEntries(
      operation.parameters
        .filter((each) => each.in === place && (isWild || !['after', 'follow'].includes(each.name)))
        .map(({ name, schema }) => [name, schema]),
    ),
  });
  const params = schemasOf('path');
  const schema = operation.requestBody?.content['application/json'].schema;
  return fc
    .record({
      params: goodOf({ ...params, required: Object.keys(params['properties'] as object) }, '', isWild),
      query: goodOf(schemasOf('query'), '', isWild),
      body: schema === undefined ? fc.constant(undefined) : valuesOf(schema as Schema, '', isWild),
    })
    .map(({ params, query, body }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
        segmentOf((params as Schema)[name]),
      );
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query as Schema))
        for (const each of [value].flat()) search.append(name, shown(each).slice(0, 300));
      search.delete('follow');
      return { path: `${filled.replace('/api/v1', '')}?${search}`, body: unhurried(body) };
    });
}

/** A claim that waits for jobs would only keep the test waiting. */
const unhurried = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'wait_seconds' in body ? { ...body, wait_seconds: 0 } : body;

const segmentOf = (value: unknown): string =>
  encodeURIComponent(shown(value).slice(0, 200).toWellFormed()) || 'x';
const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Rows that only come together: half of something would be a row without its other. */
const HALVES = `
  select 'job without its place in the list' as what from millrace.jobs j
    where not exists (select from millrace.tenant_jobs l where l.job_id = j.id)
  union all
  select 'clip without its job' from millrace.clips c where c.status = 'queued' and c.job_id is null
  union all
  select 'canceled job without its record' from millrace.jobs j
    where j.status = 'canceled' and j.reason is null and not exists
      (select from millrace.audit_log a where a.target_id = j.id::text)
  union all
  select 'key whose request is not done' from millrace.idempotency_keys k where not k.is_done`;

test('no request that the document leads to is answered with a failure of ours, or writes half of something', async () => {
  let count = 0;
  const done = new Set<string>();
  // What is deleted can be asked nothing any more.
  const inOrder = operations.toSorted(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
  );
  for (const { method, path, operation } of inOrder) {
    const { 'x-role': role } = operation;
    // The tenant itself stays: what else would be asked about.
    if (operation.operationId === 'deleteTenant') continue;
    const token = role === 'super_admin' ? world.superAdmin : role === 'worker' ? world.worker : world.admin;
    const rest = checkedClient(api.url, token);
    for (const isWild of [false, true])
      await fc.assert(
        fc.asyncProperty(requestsOf(path, operation, isWild), async (asked) => {
          count++;
          // Throws where status, type or body are not as the document says: it has no 500.
          const { status } = await rest.send(method, asked.path, asked.body);
          expect(status).toBeLessThan(500);
          if (status < 300) done.add(operation.operationId);
        }),
        { numRuns: RUNS_A_ROUTE, seed: 20_261_130, endOnFailure: true },
      );
  }
  // Most routes do what they are for, too: a run that is refused everywhere would find nothing.
  const never = operations
    .filter(({ operation }) => operation['x-role'] !== 'worker')
    .map(({ operation }) => operation.operationId)
    .filter((id) => !done.has(id));
  expect(never.length, never.join(', ')).toBeLessThanOrEqual(8);
  expect(count).toBeGreaterThanOrEqual((operations.length - 1) * RUNS_A_ROUTE);
  expect((await api.superuser.query(HALVES)).rows).toEqual([]);
});

/** A value of an input type, by what GraphQL takes: types are right, and what is in them is anything. */
function inputOf(type: GraphQLInputType, name: string, isWild: boolean): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return inputOf(type.ofType, name, isWild);
  if (isListType(type)) return fc.array(inputOf(type.ofType, name, isWild), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((value) => value.name));
  if (isInputObjectType(type)) return fieldsOf(Object.values(type.getFields()), isWild);
  const camel = name.replace(/Uuid$/, 'Id').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  switch (type.name) {
    case 'Int':
      return isWild
        ? fc.oneof(fc.integer(), fc.constantFrom(0, -1, 2 ** 31 - 1))
        : fc.integer({ min: 1, max: 60 });
    case 'Float':
      return isWild ? fc.double({ noNaN: true, noDefaultInfinity: true }) : fc.integer({ min: 1, max: 10 });
    case 'BigInt':
      return fc.integer({ min: isWild ? -1 : 1 }).map(String);
    case 'Boolean':
      return fc.boolean();
    case 'ID':
    case 'UUID':
      return textOf('uuid', camel, isWild);
    case 'DateTime':
      return textOf('date-time', camel, isWild);
    case 'JSON':
      return isWild ? ANYTHING : fc.constant({ message: 'x' });
    default:
      return textOf(undefined, GRAPHQL_NAMES[name] ?? camel, isWild);
  }
}

/** What REST calls otherwise. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = {
  definition: 'definition_key',
  cron: 'cron_expr',
  timeZone: 'timezone',
};

function fieldsOf(
  fields: readonly (GraphQLInputField | GraphQLArgument)[],
  isWild: boolean,
): fc.Arbitrary<Record<string, unknown>> {
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
  const values = Object.fromEntries(fields.map(({ name, type }) => [name, inputOf(type, name, isWild)]));
  if (isWild) return fc.record(values, { requiredKeys: required });
  const others = fields.filter(({ name }) => !required.includes(name));
  return fc
    .tuple(
      fc.record(Object.fromEntries(required.map((name) => [name, values[name] as fc.Arbitrary<unknown>]))),
      fc.subarray(others, { maxLength: Math.min(2, others.length) }),
    )
    .chain(([must, some]) =>
      fc
        .record(Object.fromEntries(some.map(({ name }) => [name, values[name] as fc.Arbitrary<unknown>])))
        .map((may) => ({ ...must, ...may })),
    );
}

test('no mutation that the schema allows is answered with a failure of ours, or writes half of something', async () => {
  const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const done = new Set<string>();
  const ours: string[] = [];
  for (const { name, args } of mutations) {
    // The tenant itself stays: what else would be asked about.
    if (name === 'deleteTenant') continue;
    const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const document = `mutation (${declared}) { ${name}(${passed}) { __typename ... on DomainFailure { code } } }`;
    for (const isWild of [false, true])
      await fc.assert(
        fc.asyncProperty(
          fieldsOf(args, isWild),
          fc.constantFrom('admin', 'superAdmin', 'worker'),
          async (given, who) => {
            // A claim that waits for jobs would only keep the test waiting.
            const variables = JSON.parse(
              JSON.stringify(given).replaceAll(/"waitSeconds":-?\d+/g, '"waitSeconds":0'),
            );
            const { status, data, errors } = await api.query(world[who as 'admin'], document, variables);
            const codes = errors.map(({ extensions }) => String(extensions?.['code']));
            if (status >= 500 || codes.some((code) => code.includes('INTERNAL')))
              ours.push(
                `${name} ${JSON.stringify(variables).slice(0, 300)}: ${status} ${JSON.stringify(errors).slice(0, 300)}`,
              );
            if (data?.[name] != null && data[name].code === undefined) done.add(name);
          },
        ),
        { numRuns: 6, seed: 20_261_130 },
      );
  }
  expect(ours).toEqual([]);
  // Enough of them do what they are for.
  expect(done.size, [...done].join(', ')).toBeGreaterThan(15);
  expect((await api.superuser.query(HALVES)).rows).toEqual([]);
});
