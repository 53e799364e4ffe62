import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A server that behaves as badly as those of strangers do. */
export interface StrangeServer {
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly asked: { path: string; headers: IncomingMessage['headers'] }[];
  /** Answers a path from now on. */
  serve(path: string, route: Route): void;
  close(): Promise<void>;
}

type Route = (request: IncomingMessage, response: ServerResponse) => void;

const redirectTo =
  (location: string): Route =>
  (_request, response) => {
    response.writeHead(302, { location }).end('moved');
  };

/** Listens on all addresses of this machine. */
export async function startStrangeServer(more: Readonly<Record<string, Route>> = {}): Promise<StrangeServer> {
  const asked: StrangeServer['asked'] = [];
  const routes: Record<string, Route> = {
    '/page': (_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>here</p>'),
    '/huge': (_request, response) => {
      response.setHeader('content-type', 'text/html');
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(64 * 1024, 'a')));
      };
      response.on('drain', more);
      more();
    },
    '/bomb': (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(BOMB),
    '/announced': (_request, response) =>
      response.writeHead(200, { 'content-length': '999999999' }).write('start'),
    '/slow': (_request, response) => void response.writeHead(200).write('.'),
    '/silent': () => undefined,
    '/broken': (request) => void request.socket.destroy(),
    '/loop': redirectTo('/loop'),
    '/to-private': redirectTo('http://127.0.0.1/secret'),
    '/to-mapped': redirectTo('http://[::ffff:7f00:1]/secret'),
    '/to-file': redirectTo('file:///etc/passwd'),
    '/to-page': redirectTo('/page'),
    '/binary': (_request, response) =>
      response.setHeader('content-type', 'application/octet-stream').end('x'),
    '/error': (_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('later'),
    '/cookie': (_request, response) => response.setHeader('set-cookie', 'a=1; Path=/').end('ok'),
    ...more,
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push({ path, headers: request.headers });
    const route = routes[path];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    serve: (path, route) => {
      routes[path] = route;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
