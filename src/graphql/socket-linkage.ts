import type { IncomingHttpHeaders } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Context, WebSocket } from 'graphql-ws';
import type { Sink } from '../fanout/frame.ts';
import type { WatchedIdentity } from '../identity/identity-watch.ts';
import type { PreparedOperation } from './prepare/preparer.ts';

/** What the protocol keeps of a connection. */
export type ProtocolContext = Context<Record<string, unknown>, Partial<SocketLinkage>>;
/** An operation as it goes on: what to execute, or why not. */
export type Prepared = PreparedOperation | readonly GraphQLError[];

/** One socket, as the protocol sees it. A holder of ten thousand of them keeps what is here and no more. */
export interface SocketLinkage extends WebSocket {
  /** The headers of the request that opened it; null once they have been read. */
  headers: IncomingHttpHeaders | null;
  /** Where the client is. */
  readonly address: string;
  readonly requestId: string;
  /** Who the client is by now: a lowered role holds for the next operation. Null before it is known. */
  watched: WatchedIdentity | null;
  /** Null before the client was acknowledged. */
  context: ProtocolContext | null;
  isClosed: boolean;
  /** The message that is being handed to the protocol, where its operation is prepared already. */
  prepared: Prepared | null;
  /** Where the events of an operation go, past the protocol; `onEnd` is called when nothing follows. */
  openSink(operationId: string, onEnd: () => void): Sink;
}
