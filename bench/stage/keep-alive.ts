import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sends JSON to one URL over connections that are kept. */
export interface KeepAlivePoster extends Disposable {
  readonly post: (body: object) => Promise<{ readonly status: number; readonly text: string }>;
}

/** The same with GraphQL documents. */
export interface KeepAliveClient extends Disposable {
  /** @throws Error with the answer when it is not `data` without errors */
  send(query: string, variables: object): Promise<Record<string, unknown>>;
}

/** @param token sent as a bearer token; null for a server that asks for none */
export function openKeepAlivePoster(url: string, token: string | null, sockets: number): KeepAlivePoster {
  // Idle connections go before the server closes them, which it does after 5 s: while the other side of a
  // pair has its turn.
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, timeout: 2_000 });
  const headers = {
    'content-type': 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return {
    post: (given) => {
      const body = JSON.stringify(given);
      return new Promise((resolve, reject) => {
        const sent = request(url, {
          method: 'POST',
          agent,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        });
        sent
          .on('response', (response) =>
            text(response).then((read) => resolve({ status: response.statusCode ?? 0, text: read }), reject),
          )
          .on('error', reject);
        sent.end(body);
      });
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** @param token as of `openKeepAlivePoster` */
export function openKeepAliveClient(url: string, token: string | null, sockets: number): KeepAliveClient {
  const poster = openKeepAlivePoster(url, token, sockets);
  return {
    send: async (query, variables) => {
      const { text: answer } = await poster.post({ query, variables });
      const { data, errors } = JSON.parse(answer) as { data?: Record<string, unknown>; errors?: unknown };
      if (data == null || errors !== undefined)
        throw new Error(`The server answered ${answer.slice(0, 500)}`);
      return data;
    },
    [Symbol.dispose]: () => poster[Symbol.dispose](),
  };
}
