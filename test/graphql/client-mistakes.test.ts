import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { buildSchema, type GraphQLField, getNamedType, isCompositeType } from 'graphql';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { inputLeaves } from '../support/input-leaves.ts';
import { rootFields } from '../support/selection.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket, type TestSocket } from '../support/ws.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/**
 * Mistakes of any size, one after the other: a fast machine sends more of them than a caller may in that
 * time.
 */
const UNRATED = { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' };

let api: TestApi;
let token: string;
let socket: TestSocket;
const logged: string[] = [];

beforeAll(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  api = await startTestApi({ log: pino({ level: 'warn' }, sink), env: UNRATED });
  token = await api.token(await api.makeTenant(), 'tenant_admin');
  socket = openSocket(api.server.graphqlUrl, { token });
});
afterAll(async () => {
  await socket.close();
  await api.close();
});

interface Answer {
  readonly data: unknown;
  readonly errors: readonly {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** The answer to a query or mutation; of a subscription the first message, or the errors instead of it. */
async function ask(document: string, variables: Record<string, unknown>): Promise<Answer> {
  if (!document.startsWith('subscription')) return api.query(token, document, variables);
  const watching = socket.subscribe(document, variables);
  try {
    await waitFor(() => watching.received[0] ?? watching.ended(), { describe: 'an answer' });
    const ended = watching.ended();
    const errors = Array.isArray(ended) ? ended : (watching.received[0]?.errors ?? []);
    return { data: watching.received[0]?.data ?? null, errors };
  } finally {
    watching.stop();
  }
}

function documentOf(place: string, field: GraphQLField<unknown, unknown>): string {
  const operation = place.split('.')[0]?.toLowerCase();
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const inner = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
  return `${operation} (${declared}) { ${field.name}(${given}) ${inner} }`;
}

const TEXTS: readonly (readonly [string, string])[] = [
  ['a NUL', 'a\0b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['nothing', ''],
];

// From the printed schema: a new argument is tried without anybody thinking of it.
const CASES = rootFields(schema).flatMap(([place, field]) =>
  inputLeaves(field.args).map((leaf) => [place, leaf.path, field, leaf] as const),
);

describe('no text and no list that a client sends is an unexpected error', () => {
  it.each(CASES)('in %s(%s)', async (place, _path, field, leaf) => {
    const values = leaf.isEnum ? [] : TEXTS.map(([, text]) => (leaf.isList ? [text] : text));
    if (leaf.isList) values.push(Array(40_000).fill(leaf.example), Array(400).fill(leaf.example));
    const document = documentOf(place, field);
    for (const value of values) {
      const answer = await ask(document, leaf.argumentsWith(value));
      const codes = answer.errors.map(({ extensions }) => extensions?.['code']);
      expect(codes, JSON.stringify(answer).slice(0, 500)).not.toContain('INTERNAL');
      expect(codes).not.toContain('UNAVAILABLE');
    }
    expect(socket.closeCode()).toBeNull();
    expect(logged).toEqual([]);
  });
});

const JOBS = 'query ($filter: JobFilter) { jobs(filter: $filter) { nodes { id } } }';
const CHANGES = 'subscription ($filter: JobChangesFilter) { jobChanges(filter: $filter) { __typename } }';
const many = (count: number, value: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => value(i));

describe('a filter', () => {
  it.each([
    ['filter.correlationId', 'NUL', { correlationId: '\0' }, 'text without U+0000'],
    ['filter.correlationId', 'its length', { correlationId: 'x'.repeat(256) }, 'at most 255 characters'],
    ['filter.createdBy', 'NUL', { createdBy: 'user:\0' }, 'text without U+0000'],
    ['filter.createdBy', 'half a pair', { createdBy: '\udfff' }, 'well-formed Unicode'],
    ['filter.definitions[0]', 'NUL', { definitions: ['\0'] }, 'text without U+0000'],
    ['filter.definitions', 'its length', { definitions: many(70_000, String) }, 'at most 100'],
    ['filter.statuses', 'its length', { statuses: many(40_000, () => 'QUEUED') }, 'at most 100'],
    ['filter.subject.type', 'NUL', { subject: { type: '\0', key: 'x' } }, 'text without U+0000'],
    ['filter.subject.key', 'NUL', { subject: { type: 'x', key: '\0' } }, 'text without U+0000'],
  ])('that is refused names %s for %s, and what is allowed', async (field, _why, filter, allowed) => {
    for (const document of [JOBS, CHANGES]) {
      const { errors } = await ask(document, { filter });
      expect(errors[0]?.extensions).toEqual({ code: 'INVALID_ARGUMENT', field, allowed });
    }
  });

  it('may say the same thing many times, up to its limit', async () => {
    const filter = { statuses: many(100, () => 'QUEUED'), definitions: many(100, () => 'echo') };
    for (const document of [JOBS, CHANGES]) expect((await ask(document, { filter })).errors).toEqual([]);
  });
});

describe('a search of links', () => {
  const SEARCH =
    'query ($query: String!, $filter: LinkSearchFilter) { searchLinks(query: $query, filter: $filter) { mode } }';

  it.each([
    ['query', { query: 'a\0b' }, 'text without U+0000'],
    ['query', { query: 'x'.repeat(501) }, 'at most 500 characters'],
    ['query', { query: ' ' }, '1 to 500 characters'],
    ['filter.site', { query: 'a', filter: { site: 'a\0b' } }, 'text without U+0000'],
    ['filter.language', { query: 'a', filter: { language: 'x'.repeat(36) } }, 'at most 35 characters'],
  ])('that is refused names %s', async (field, variables, allowed) => {
    const { errors } = await ask(SEARCH, variables);
    expect(errors[0]?.extensions).toEqual({ code: 'INVALID_ARGUMENT', field, allowed });
  });
});

describe('nodes', () => {
  const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const ids = (count: number) =>
    many(count, (index) => `Job:01900000-0000-7000-8000-${String(index).padStart(12, '0')}`);

  it('takes 1,000 ids and refuses more, naming the limit', async () => {
    expect((await ask(NODES, { ids: ids(1_000) })).data).toEqual({ nodes: Array(1_000).fill(null) });
    for (const count of [1_001, 9_000]) {
      const { errors } = await ask(NODES, { ids: ids(count) });
      expect(errors[0]?.extensions).toEqual({
        code: 'INVALID_ARGUMENT',
        field: 'ids',
        allowed: 'at most 1000',
      });
    }
  });
});

describe('a subscription without a root field', () => {
  it.each([
    'subscription { jobChanges @skip(if: true) { __typename } }',
    'subscription { jobChanges @include(if: false) { __typename } }',
    'subscription { ... @skip(if: true) { jobChanges { __typename } } }',
    'subscription { ...Root } fragment Root on Subscription { jobChanges @skip(if: true) { __typename } }',
    'subscription { ...Root @include(if: false) } fragment Root on Subscription { jobChanges { __typename } }',
  ])('is refused and the socket stays open: %s', async (document) => {
    const { errors } = await ask(document, {});
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/takes no @skip and no @include/),
      extensions: { code: 'CONDITIONAL_SUBSCRIPTION' },
    });
    expect(socket.closeCode()).toBeNull();
  });

  it('is distinguished from conditions below the root, which are allowed', async () => {
    const document =
      'subscription { jobChanges { __typename ... on JobUpdated @skip(if: true) { cursor } } }';
    expect((await ask(document, {})).errors).toEqual([]);
  });
});

describe('a payload with the key __proto__', () => {
  const ENQUEUE = `mutation ($payload: JSON) { enqueueJob(input: { definition: "echo", payload: $payload }) {
    __typename ... on DomainFailure { field } } }`;

  it('is refused with its path over the socket, as a variable and as a literal', async () => {
    const payload = JSON.parse('{ "message": "x", "deep": { "__proto__": { "polluted": true } } }');
    const asVariable = socket.subscribe(ENQUEUE, { payload });
    const asLiteral = socket.subscribe(
      ENQUEUE.replace('($payload: JSON)', '').replace('$payload', '{ message: "x", deep: { __proto__: 1 } }'),
    );
    for (const sent of [asVariable, asLiteral]) {
      const { data } = await sent.next(() => true, 'an answer');
      expect(data.enqueueJob).toEqual({
        __typename: 'InvalidPayloadError',
        field: 'input.payload.deep.__proto__',
      });
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
