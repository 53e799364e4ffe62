import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

const ENQUEUE =
  'mutation ($p: JSON) { enqueueJob(input: { definition: "echo", payload: $p }) { __typename } }';

test.each(['9007199254740993', '-9007199254740993', '1e400', '12345678901234567890'])(
  'over a socket %s is refused with its place, and the socket goes on',
  async (number) => {
    const socket = new WebSocket(api.server.graphqlUrl.replace(/^http/, 'ws'), 'graphql-transport-ws');
    const messages: { type: string; id?: string; payload?: unknown }[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token } }));
    await waitFor(() => messages.length > 0, { describe: 'the acknowledgement' });
    const send = (id: string, p: string) =>
      socket.send(
        `{"id":"${id}","type":"subscribe","payload":{"query":${JSON.stringify(ENQUEUE)},"variables":{"p":{"message":"x","n":[1,${p}]}}}}`,
      );
    send('inexact', number);
    const error = await waitFor(() => messages.find(({ id, type }) => id === 'inexact' && type === 'error'), {
      describe: 'the refusal',
    });
    expect(error.payload).toMatchObject([
      { extensions: { code: 'INVALID_ARGUMENT', field: 'variables.p.n[1]' } },
    ]);
    send('exact', '9007199254740991');
    await waitFor(() => messages.find(({ id }) => id === 'exact'), { describe: 'the answer' });
    socket.close();
    await new Promise((resolve) => socket.on('close', resolve));
  },
);

test.each(['9007199254740993', '1e400'])(
  'by GET %s in the variables is refused with its place',
  async (number) => {
    const url = new URL(api.server.graphqlUrl);
    const get = async (variables: string) => {
      url.searchParams.set('query', 'query ($n: Int) { jobs(first: $n) { nodes { id } } }');
      url.searchParams.set('variables', variables);
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}`, connection: 'close', accept: 'application/json' },
      });
      return (await response.json()) as { readonly errors?: readonly object[] };
    };
    expect((await get(`{"n":${number}}`)).errors).toMatchObject([
      { extensions: { code: 'INVALID_ARGUMENT', field: 'variables.n' } },
    ]);
    expect((await get('{"n":5}')).errors).toBeUndefined();
  },
);
