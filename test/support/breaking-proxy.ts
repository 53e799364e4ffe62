import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** When a connection breaks: the server has not seen the request, or its answer is lost, or half of it. */
export type Break = 'before' | 'after' | 'halfway';

/**
 * A network between clients and an HTTP server that breaks chosen requests.
 * @param breaks by the end of a path, what happens to its requests, one after the other; what comes then
 *   passes
 */
export async function startBreakingProxy(
  serverUrl: string,
  breaks: Readonly<Record<string, Break[]>>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', method = 'GET', headers } = request;
    const next = Object.entries(breaks).find(([end]) => path.endsWith(end));
    const kind = next?.[1].shift();
    if (kind === 'before') throw new Error('broken');
    // A client that is gone must not be given a job.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(serverUrl + path, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': 'application/json',
        // The server may be restarted: nothing goes to a connection of before.
        connection: 'close',
      },
      body: Buffer.concat(await request.toArray()),
      signal: gone.signal,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (kind === 'after') throw new Error('broken');
    const type = { 'content-type': 'application/json', 'content-length': bytes.length };
    response.writeHead(answer.status, answer.status === 204 ? {} : type);
    if (kind !== 'halfway') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
  };
  const proxy = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      proxy.closeAllConnections();
      await closed;
    },
  };
}
