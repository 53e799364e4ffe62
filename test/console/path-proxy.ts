import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A reverse proxy as people put before programs: it serves one path, and takes that away. */
export interface PathProxy {
  readonly origin: string;
  /** What it was asked for that is not below its path. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/** @param port of what stands behind it on this machine */
export async function startPathProxy(path: string, port: number): Promise<PathProxy> {
  const strays: string[] = [];
  const stripped = (url = ''): string | null => {
    if (url.startsWith(`${path}/`)) return url.slice(path.length);
    strays.push(url);
    return null;
  };
  const server = createServer((request, response) => {
    const url = stripped(request.url);
    if (url === null) {
      response.writeHead(404).end();
      return;
    }
    const options = {
      hostname: '127.0.0.1',
      port,
      path: url,
      method: request.method,
      headers: request.headers,
    };
    const upstream = ask(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.on('upgrade', (request, client, head) => {
    const url = stripped(request.url);
    if (url === null) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      const headers = Array.from({ length: request.rawHeaders.length / 2 }, (_, index) =>
        request.rawHeaders.slice(2 * index, 2 * index + 2).join(': '),
      );
      upstream.write([`GET ${url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strays,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
