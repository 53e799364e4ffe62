import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isCompositeType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestApi, type TestApi } from '../support/api.ts';
import { inputLeaves } from '../support/input-leaves.ts';
import { leastLoopDelayMs } from '../support/loop-delay.ts';
import { rootFields } from '../support/selection.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const LENGTH = 500_000;
/**
 * Far above what the longest piece takes, and far below what a pattern that takes time by the square of the
 * text would.
 */
const MAX_DELAY_MS = 250;
/** What an error says, its extensions and its place. */
const MAX_ANSWER_LENGTH = 64 * 1024;

/** One of each kind that a pattern or a parser may stumble over. */
const KINDS: readonly (readonly [string, string])[] = [
  ['blanks', ' '],
  ['line ends', '\n'],
  ['tabs and blanks', '\t '],
  ['letters', 'a'],
  ['digits', '9'],
  ['points', '.'],
  ['colons', ':'],
  ['slashes', '/'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['opening braces', '{'],
  ['opening brackets', '['],
  ['opening parentheses', '('],
  ['hyphens', '-'],
  ['signs of entities', '@#'],
  ['NUL', '\0'],
  ['halves of surrogate pairs', '\ud800'],
  ['letters of two bytes', 'é'],
  ['emoji', '😀'],
  ['what errors say', ' Did you mean ?'],
];

const fill = (part: string, length = LENGTH): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const isStorable = (part: string): boolean => part.isWellFormed() && !part.includes('\0');
/**
 * A run of each of them, one behind the other: of 16,000 characters, at which a pattern that takes time by
 * the square takes 400 ms.
 */
const runsOf = (parts: readonly string[]): string => parts.map((part) => fill(part, 16_000)).join('');
const STORABLE = KINDS.map(([, part]) => part).filter(isStorable);

/** For the places of which there are many. */
const MIXTURES: readonly (readonly [string, string])[] = [
  ['a run of each kind that can be stored', runsOf(STORABLE)],
  ['NUL and halves of surrogate pairs behind all others', runsOf([...STORABLE, '\0', '\ud800'])],
];

/** Places in a request that are no argument. */
const PLACES: readonly (readonly [string, (text: string) => object])[] = [
  ['a document', (text) => ({ query: text })],
  ['a comment', (text) => ({ query: `{ viewer { name } } # ${text}` })],
  [
    'a string in place of a number',
    (text) => ({ query: `{ jobs(first: ${JSON.stringify(text)}) { nodes { id } } }` }),
  ],
  ['a block string', (text) => ({ query: `{ job(id: """${text}""") { id } }` })],
  ['a name of a field', (text) => ({ query: `{ viewer { ${text} } }` })],
  ['an alias', (text) => ({ query: `{ ${text}: viewer { name } }` })],
  ['a name of an argument', (text) => ({ query: `{ job(${text}: "x") { id } }` })],
  ['a name of a type', (text) => ({ query: `query ($x: ${text}) { viewer { name } }` })],
  ['a directive', (text) => ({ query: `{ viewer @${text} { name } }` })],
  ['a word of an enum', (text) => ({ query: `{ jobs(filter: { statuses: [${text}] }) { nodes { id } } }` })],
  ['operationName', (text) => ({ query: '{ viewer { name } }', operationName: text })],
  ['documentId', (text) => ({ documentId: text })],
  ['a hash', (text) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: text } } })],
  ['an unknown variable', (text) => ({ query: '{ viewer { name } }', variables: { [text]: text } })],
  [
    'a variable for a number',
    (text) => ({ query: 'query ($n: Int) { jobs(first: $n) { nodes { id } } }', variables: { n: text } }),
  ],
  [
    'a variable for an enum',
    (text) => ({
      query: 'query ($s: [JobStatus!]) { jobs(filter: { statuses: $s }) { nodes { id } } }',
      variables: { s: [text] },
    }),
  ],
  [
    'a key of an input',
    (text) => ({
      query: 'query ($f: JobFilter) { jobs(filter: $f) { nodes { id } } }',
      variables: { f: { [text]: 1 } },
    }),
  ],
  ['a text of a payload', (text) => ({ query: ENQUEUE, variables: { p: { message: text } } })],
  ['a key of a payload', (text) => ({ query: ENQUEUE, variables: { p: { [text]: 1 } } })],
];
const ENQUEUE =
  'mutation ($p: JSON) { enqueueJob(input: { definition: "echo", payload: $p }) { __typename ... on DomainFailure { message field } } }';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const LEAVES = rootFields(schema)
  .filter(([place]) => !place.startsWith('Subscription'))
  .flatMap(([place, field]) => inputLeaves(field.args).map((leaf) => [place, field, leaf] as const));

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({
    env: {
      NODE_ENV: 'production',
      MILLRACE_CALLER_COST_PER_SECOND: '0',
      MILLRACE_TENANT_COST_PER_SECOND: '0',
    },
  });
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

/** Stands for a long text in a request that is sent with many of them. */
const PLACEHOLDER = 'the long text';

const send = (body: object): Promise<number> => sendBytes(Buffer.from(JSON.stringify(body)));

/** The length of the answer. */
async function sendBytes(body: Uint8Array<ArrayBuffer>): Promise<number> {
  const response = await fetch(api.server.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${token}` },
    body,
  });
  expect(response.status).toBeLessThan(500);
  return (await response.text()).length;
}

function documentOf(place: string, field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const inner = isCompositeType(getNamedType(field.type))
    ? '{ __typename ... on DomainFailure { message } }'
    : '';
  const safe = inner !== '' && !place.startsWith('Mutation') ? '{ __typename }' : inner;
  return `${place.split('.')[0]?.toLowerCase()} (${declared}) { ${field.name}(${given}) ${safe} }`;
}

describe(`hundreds of thousands of characters hold nobody up for ${MAX_DELAY_MS} ms, and are not repeated in the answer`, () => {
  it.each(KINDS)('of the kind: %s, in each place of a request', async (_kind, part) => {
    const text = fill(part);
    for (const [place, request] of PLACES) {
      const body = request(text);
      let length = 0;
      const delayMs = await leastLoopDelayMs(MAX_DELAY_MS, async () => {
        length = await send(body);
      });
      expect(delayMs, place).toBeLessThan(MAX_DELAY_MS);
      expect(length, place).toBeLessThan(MAX_ANSWER_LENGTH);
    }
  });

  it.each(MIXTURES)('of the kind: %s, in each argument of the schema', async (_kind, text) => {
    const written = Buffer.from(JSON.stringify(text));
    for (const [place, field, leaf] of LEAVES) {
      const variables = leaf.argumentsWith(leaf.isList ? [PLACEHOLDER] : PLACEHOLDER);
      const [head = '', tail] = JSON.stringify({ query: documentOf(place, field), variables }).split(
        JSON.stringify(PLACEHOLDER),
      );
      if (tail === undefined) throw new Error(`the text is not in the request of ${place}(${leaf.path})`);
      const body = Buffer.concat([Buffer.from(head), written, Buffer.from(tail)]);
      let length = 0;
      const delayMs = await leastLoopDelayMs(MAX_DELAY_MS, async () => {
        length = await sendBytes(body);
      });
      expect(delayMs, `${place}(${leaf.path})`).toBeLessThan(MAX_DELAY_MS);
      expect(length, `${place}(${leaf.path})`).toBeLessThan(MAX_ANSWER_LENGTH);
    }
  });

  it.each(MIXTURES)('of the kind: %s, over a socket', async (_kind, text) => {
    const socket = openSocket(api.server.graphqlUrl, { token });
    try {
      const query = `{ jobs(first: ${JSON.stringify(text)}) { nodes { id } } }`;
      const delayMs = await leastLoopDelayMs(MAX_DELAY_MS, async () => {
        const sent = socket.subscribe(query);
        await waitFor(() => sent.ended(), { describe: 'an answer' });
        expect(JSON.stringify(sent.ended()).length).toBeLessThan(MAX_ANSWER_LENGTH);
      });
      expect(delayMs).toBeLessThan(MAX_DELAY_MS);
    } finally {
      await socket.close();
    }
  });

  it('over a socket of nobody that is known close it with 1009', async () => {
    const socket = new WebSocket(api.server.graphqlUrl.replace('http', 'ws'), 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token: fill('a') } }));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
  });
});
