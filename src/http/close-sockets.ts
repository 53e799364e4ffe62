import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { retryAdviceMs, spreadMsFor, spreadOut } from './spread.ts';

/** A client that does not answer the close frame is not waited for any longer. */
const CLOSE_ANSWER_MS = 1_000;
const TURNS_TO_SEND = 5;

export interface CloseOptions {
  /** The closes are spread over at most this long. */
  readonly spreadMs: number;
  /** How long a socket's mutations may still take. */
  readonly patienceMs: number;
  /** Resolves when the socket's mutations have been executed. */
  readonly answersSent: (socket: WebSocket) => Promise<void>;
}

/**
 * Closes sockets with 1012, which clients answer by coming back; when, the reason advises: "Service restart;
 * retry in 840 ms". A socket whose mutation is under way is closed once its answer is out.
 */
export async function closeSockets(all: readonly WebSocket[], options: CloseOptions): Promise<void> {
  const spreadMs = spreadMsFor(all.length, options.spreadMs);
  const closed: Promise<void>[] = [];
  await spreadOut(all, spreadMs, (socket) => closed.push(closeOne(socket, spreadMs, options)));
  await Promise.all(closed);
}

async function closeOne(socket: WebSocket, spreadMs: number, options: CloseOptions): Promise<void> {
  if (socket.readyState === socket.CLOSED) return;
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await atMost(Promise.race([answered(socket, options), gone]), options.patienceMs);
  socket.close(1012, `Service restart; retry in ${retryAdviceMs(spreadMs)} ms`);
  await atMost(gone, CLOSE_ANSWER_MS);
  socket.terminate();
}

async function answered(socket: WebSocket, { answersSent }: CloseOptions): Promise<void> {
  await answersSent(socket);
  // The result is on its way through the protocol, `complete` behind it: a few turns, and nothing that waits.
  for (let turns = 0; turns < TURNS_TO_SEND; turns++) await turn();
}

async function atMost(work: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
