import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { RateLimit } from '../core/rate-limit.ts';
import { maxMessageBytes } from '../graphql/limits/limits.ts';
import type { RunningMutations } from '../graphql/running-mutations.ts';
import { createSocketProtocol } from '../graphql/socket.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import { closeSockets } from './close-sockets.ts';
import { isAllowedOrigin, originProblem, originsOf } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { Pings } from './pings.ts';
import { ownPath } from './public-path.ts';
import { type LinkEnds, LinkedSocket, SocketLink } from './socket-link.ts';

/** Distinguishes the sockets of one process from those of another in logs. */
const PROCESS = randomUUID().slice(0, 8);

export interface Sockets {
  /** Closes every socket with 1012: clients come back by themselves. */
  stop(): Promise<void>;
}

/** GraphQL over WebSocket on the same path and port. */
export function openSockets(
  server: Server,
  deps: HttpDeps,
  engine: GraphqlEngine,
  mutations: RunningMutations,
): Sockets {
  const { authenticator, config, graphql, log } = deps;
  const protocol = createSocketProtocol({
    engine,
    authenticator,
    graphql,
    maxQueries: config.maxSocketQueries,
  });
  const connects = connectLimit(config);
  const sockets = new WebSocketServer<typeof LinkedSocket>({
    WebSocket: LinkedSocket,
    noServer: true,
    handleProtocols,
    maxPayload: maxMessageBytes(deps.config),
    clientTracking: true,
  });

  const pings = new Pings(deps.config.slowConsumerSeconds);
  const ends: LinkEnds = { protocol, turns: deps.turns, log };
  let count = 0;

  const onUpgrade = (request: IncomingMessage, raw: Duplex, head: Buffer): void => {
    raw.on('error', destroyIt);
    if (
      URL.parse(ownPath(deps.config.publicUrl, request.url ?? ''), 'http://localhost')?.pathname !==
      GRAPHQL_PATH
    )
      refuse(raw, '404 Not Found');
    // Sockets know no CORS: a foreign page's script could open one with whatever the browser sends along.
    else if (!isAllowedOrigin(request.headers, originsOf(deps.config)))
      refuse(raw, '403 Forbidden', {}, originProblem(request.headers.origin ?? ''));
    else if (mayConnect(request, raw))
      sockets.handleUpgrade(request, raw, head, (socket) => attend(socket, raw, request));
  };

  /** Asked before anything is done for it: the caller is not known yet, and looking at a key costs a read. */
  const mayConnect = (request: IncomingMessage, raw: Duplex): boolean => {
    const address = deps.addresses.of(request);
    const refused = connects?.refusal(address, 1) ?? null;
    if (refused === null) connects?.take(address, 1);
    else refuse(raw, '429 Too Many Requests', { 'Retry-After': Math.ceil(refused.retryAfterMs / 1_000) });
    return refused === null;
  };

  const attend = (socket: LinkedSocket, raw: Duplex, request: IncomingMessage): void => {
    const serial = `${PROCESS}-${++count}`;
    const address = deps.addresses.of(request);
    const link = new SocketLink(socket, raw as Socket, request.headers, address, serial, ends);
    pings.add(socket);
    const closed = protocol.opened(link);
    socket.once('close', (code, reason) => void closed(code, String(reason)));
  };

  server.on('upgrade', onUpgrade);
  return {
    stop: async () => {
      pings.stop();
      server.off('upgrade', onUpgrade);
      server.on('upgrade', (_request, raw) => refuse(raw, '503 Service Unavailable'));
      await closeSockets([...sockets.clients], {
        spreadMs: deps.config.reconnectSpreadMs,
        patienceMs: deps.config.shutdownSeconds * 1_000,
        answersSent: (socket) => mutations.ended((socket as LinkedSocket).link?.requestId ?? ''),
      });
      sockets.close();
    },
  };
}

/** By address; null: there is no limit. */
function connectLimit({
  addressConnectsPerSecond: perSecond,
  rateBurstSeconds,
}: HttpDeps['config']): RateLimit | null {
  return perSecond === 0 ? null : new RateLimit({ perSecond, burst: perSecond * rateBurstSeconds });
}

function refuse(
  raw: Duplex,
  status: string,
  headers: Readonly<Record<string, number>> = {},
  message = '',
): void {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(message);
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}`;
  raw.end(`${head}\r\n${more.join('')}\r\n${message}`);
}

/** Not a function made for each: it would keep the whole request that opened the socket. */
function destroyIt(this: Duplex): void {
  this.destroy();
}
