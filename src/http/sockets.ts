import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { toError } from '../core/errors.ts';
import { MAX_MESSAGE_BYTES } from '../graphql/limits/limits.ts';
import { createSocketProtocol } from '../graphql/socket.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import { isAllowedOrigin } from './cors.ts';
import type { HttpDeps } from './deps.ts';

const PING_INTERVAL_MS = 12_000;
const MAX_REASON_BYTES = 123;

export interface Sockets {
  /** Closes every socket with 1012: clients come back by themselves. */
  stop(): Promise<void>;
}

/** GraphQL over WebSocket on the same path and port. */
export function openSockets(server: Server, deps: HttpDeps, engine: GraphqlEngine): Sockets {
  const { authenticator, graphql, log } = deps;
  const protocol = createSocketProtocol({ engine, authenticator, graphql });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: MAX_MESSAGE_BYTES,
    clientTracking: true,
  });

  const onUpgrade = (request: IncomingMessage, raw: Duplex, head: Buffer): void => {
    raw.on('error', () => raw.destroy());
    if (URL.parse(request.url ?? '', 'http://localhost')?.pathname !== GRAPHQL_PATH)
      refuse(raw, '404 Not Found');
    // Sockets know no CORS: a foreign page's script could open one with whatever the browser sends along.
    else if (!isAllowedOrigin(request.headers, deps.config.corsOrigins)) refuse(raw, '403 Forbidden');
    else sockets.handleUpgrade(request, raw, head, (socket) => attend(socket, request));
  };

  const attend = (socket: WebSocket, request: IncomingMessage): void => {
    const stopPinging = keepAlive(socket);
    const close = (code: number, reason: string): void => socket.close(code, shortened(reason));
    // A frame that is too long, or no UTF-8: `ws` answers with 1009 or 1007 by itself, but throws without a listener.
    socket.on('error', (error) => log.debug({ err: error }, 'socket: protocol error'));
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) => send(socket, data),
        close: (code, reason) => close(code ?? 1000, reason ?? ''),
        onMessage: (handle) =>
          socket.on('message', (data, isBinary) => {
            if (isBinary) return close(4400, 'Text messages only');
            handle(String(data)).catch((error: unknown) => {
              log.error({ err: toError(error) }, 'socket: message failed');
              close(4500, 'Internal server error');
            });
          }),
      },
      { request, requestId: randomUUID(), close },
    );
    socket.once('close', (code, reason) => {
      stopPinging();
      void closed(code, String(reason));
    });
  };

  server.on('upgrade', onUpgrade);
  return { stop: () => closeAll(server, sockets, onUpgrade) };
}

async function closeAll(
  server: Server,
  sockets: WebSocketServer,
  onUpgrade: (request: IncomingMessage, raw: Duplex, head: Buffer) => void,
): Promise<void> {
  server.off('upgrade', onUpgrade);
  server.on('upgrade', (_request, raw) => refuse(raw, '503 Service Unavailable'));
  const all = [...sockets.clients];
  const gone = all.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of all) socket.close(1012, 'Service restart');
  // A client that does not answer the close frame is not waited for.
  const timer = setTimeout(() => {
    for (const socket of all) socket.terminate();
  }, 1_000);
  await Promise.all(gone);
  clearTimeout(timer);
  sockets.close();
}

function send(socket: WebSocket, data: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve();
  return new Promise((resolve) => {
    // A failed send is a closing socket, and its 'close' says so to the protocol.
    socket.send(data, () => resolve());
  });
}

/** Ends sockets whose other side is gone without a word. */
function keepAlive(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}

function refuse(raw: Duplex, status: string): void {
  raw.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** A close frame holds 123 bytes of reason. */
function shortened(reason: string): string {
  return Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString().replaceAll('\uFFFD', '');
}
