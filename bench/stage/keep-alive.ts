import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sends GraphQL documents over connections that are kept. */
export interface KeepAliveClient extends Disposable {
  /** @throws Error with the answer when it is not `data` without errors */
  send(query: string, variables: object): Promise<Record<string, unknown>>;
}

/** @param token sent as a bearer token; null for a server that asks for none */
export function openKeepAliveClient(url: string, token: string | null, sockets: number): KeepAliveClient {
  // Idle connections go before the server closes them, which it does after 5 s: while the other side of a pair has its turn.
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, timeout: 2_000 });
  const headers = {
    'content-type': 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return {
    send: async (query, variables) => {
      const body = JSON.stringify({ query, variables });
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = request(url, {
          method: 'POST',
          agent,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        });
        sent.on('response', (response) => text(response).then(resolve, reject)).on('error', reject);
        sent.end(body);
      });
      const { data, errors } = JSON.parse(answer) as { data?: Record<string, unknown>; errors?: unknown };
      if (data == null || errors !== undefined)
        throw new Error(`The server answered ${answer.slice(0, 500)}`);
      return data;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
