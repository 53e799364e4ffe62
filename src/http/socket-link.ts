import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { LARGE_MESSAGE_BYTES } from '../access/byte-cost.ts';
import { DomainError, toError } from '../core/errors.ts';
import type { PacedTurns } from '../core/paced-turns.ts';
import type { Sink } from '../fanout/frame.ts';
import type { SocketProtocol } from '../graphql/socket.ts';
import type { Prepared, ProtocolContext, SocketLinkage } from '../graphql/socket-linkage.ts';
import type { WatchedIdentity } from '../identity/identity-watch.ts';
import type { Logger } from '../telemetry/log.ts';
import { nextFrame } from './next-frame.ts';

/**
 * Bytes that may be unsent in a socket before what follows is dropped and read again later. The kernel holds
 * more beside.
 */
const MAX_UNSENT_BYTES = 256 * 1024;
const MAX_REASON_BYTES = 123;
/** Characters of what a client says before it is known who it is: a token, and whose tenant. */
const MAX_UNKNOWN_LENGTH = 64 * 1024;
/** Messages of one socket that are read at once after a rest; refused ones are work too. */
const MESSAGE_BURST = 5_000;
/** And then one in this time, in milliseconds. */
const MESSAGE_MS = 2;
const TOO_BIG = 1009;

/** A WebSocket with a place for what depends on it: listeners then are functions that all sockets share. */
export class LinkedSocket extends WebSocket {
  link: SocketLink | null = null;
}

/** What a socket is connected with. */
export interface LinkEnds {
  readonly protocol: SocketProtocol;
  /** In which large messages are read. */
  readonly turns: PacedTurns;
  readonly log: Logger;
}

/**
 * One socket between `ws` and the protocol. Events of shared subscriptions go past both: ten thousand
 * subscribers of one event are ten thousand writes of the same bytes and nothing else. What the protocol
 * itself sends goes through `ws`, which writes to the same stream in order (without compression it keeps
 * nothing back).
 */
export class SocketLink implements SocketLinkage {
  headers: IncomingHttpHeaders | null;
  readonly address: string;
  watched: WatchedIdentity | null = null;
  context: ProtocolContext | null = null;
  prepared: Prepared | null = null;
  isClosed = false;
  /** Pings since it was last seen, or last took anything of what was sent. */
  silentPings = 0;
  #takenBytes = 0;
  #isPaused = false;
  readonly #serial: string;
  readonly #socket: LinkedSocket;
  readonly #raw: Socket;
  readonly #ends: LinkEnds;
  #handle: ((text: string) => Promise<void>) | null = null;
  #onDrained: (() => void)[] | null = null;
  /** When the messages so far will be paid for, each with `MESSAGE_MS`. */
  #messagesPaidMs = 0;
  /** What came behind a message that waits for its turn; null while none does. */
  #held: string[] | null = null;

  constructor(
    socket: LinkedSocket,
    raw: Socket,
    headers: IncomingHttpHeaders,
    address: string,
    serial: string,
    ends: LinkEnds,
  ) {
    this.#socket = socket;
    this.#raw = raw;
    this.headers = headers;
    this.address = address;
    this.#serial = serial;
    this.#ends = ends;
    socket.link = this;
    socket.on('message', onMessage);
    socket.on('error', onError);
    socket.on('pong', onPong);
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get requestId(): string {
    return this.#serial;
  }

  // For the protocol ----------------------------------------------------------------------------------------

  send(data: string): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      // A failed send is a closing socket, and its 'close' says so to the protocol.
      socket.send(data, () => resolve());
    });
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code ?? 1000, shortened(reason ?? ''));
  }

  onMessage(handle: (text: string) => Promise<void>): void {
    this.#handle = handle;
  }

  openSink(operationId: string, onEnd: () => void): Sink {
    return new OperationSink(this, operationId, onEnd);
  }

  // For sinks -----------------------------------------------------------------------------------------------

  get isFull(): boolean {
    return this.#raw.writableLength > MAX_UNSENT_BYTES;
  }

  /** Sends a `next` message with the result that `text` is. */
  sendNext(operationId: string, text: string): void {
    // After a close frame nothing may follow.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#raw.write(nextFrame(operationId, text));
  }

  whenDrained(callback: () => void): void {
    if (this.#onDrained !== null) {
      this.#onDrained.push(callback);
      return;
    }
    this.#onDrained = [callback];
    this.#raw.once('drain', () => {
      const callbacks = this.#onDrained ?? [];
      this.#onDrained = null;
      for (const drained of callbacks) drained();
    });
  }

  // For the pings -------------------------------------------------------------------------------------------

  /** Something waits to be sent: a ping stands behind it. */
  get hasUnsent(): boolean {
    return this.#raw.writableLength > 0;
  }

  /** Pings, and counts it as silent until something comes from it or it takes more of what was sent. */
  ping(): void {
    const takenBytes = this.#raw.bytesWritten - this.#raw.writableLength;
    this.silentPings = takenBytes > this.#takenBytes && this.hasUnsent ? 0 : this.silentPings + 1;
    this.#takenBytes = takenBytes;
    this.#socket.ping();
  }

  // For the socket's listeners ------------------------------------------------------------------------------

  receive(text: string): void {
    // A client that does not answer the close frame is still read for a while: what they ask by then is not
    // done any more.
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#pauseWhileFull();
    if (this.#held !== null) this.#held.push(text);
    else if (this.watched === null && text.length > MAX_UNKNOWN_LENGTH)
      this.close(TOO_BIG, 'Message too big');
    else if (text.length <= LARGE_MESSAGE_BYTES && this.#waitMs(text) === 0) void this.#handOver(text);
    else void this.#inTurn(text);
  }

  /**
   * Large ones, and those beyond what their sender may ask: the socket waits for their turn, and its order
   * stays.
   */
  async #inTurn(text: string): Promise<void> {
    const { turns } = this.#ends;
    this.#held = [];
    this.#socket.pause();
    for (;;) {
      const waitMs = this.#waitMs(text);
      if (waitMs === 0 || this.isClosed) break;
      await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
    }
    const owner = this.watched?.current().actor.tenantId ?? '';
    await turns.run(owner, () => void this.#handOver(text));
    const held = this.#held;
    this.#held = null;
    if (!this.#isPaused) this.#socket.resume();
    for (const next of held) this.receive(next);
  }

  /** Milliseconds until a message may be read, 0: now. Its count and bytes are taken then. */
  #waitMs(text: string): number {
    const nowMs = performance.now();
    const spokenMs = Math.max(0, this.#messagesPaidMs - nowMs);
    if (spokenMs > MESSAGE_BURST * MESSAGE_MS) return Math.ceil(spokenMs - MESSAGE_BURST * MESSAGE_MS);
    this.#messagesPaidMs = nowMs + spokenMs + MESSAGE_MS;
    return this.#ends.protocol.takeBytes(this, text.length);
  }

  async #handOver(text: string): Promise<void> {
    const { protocol, log } = this.#ends;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    try {
      if (this.#handle !== null) await protocol.receive(this, text, this.#handle);
    } catch (error) {
      log.error({ err: toError(error) }, 'socket: message failed');
      this.close(4500, 'Internal server error');
    }
  }

  /**
   * A client that does not read answers is not read either: each question would leave another answer here.
   */
  #pauseWhileFull(): void {
    if (!this.isFull || this.#isPaused) return;
    this.#isPaused = true;
    this.#socket.pause();
    this.whenDrained(() => {
      this.#isPaused = false;
      if (this.#held === null) this.#socket.resume();
    });
  }

  /**
   * A frame that is too long, or no UTF-8: `ws` answers with 1009 or 1007 by itself, but throws without a
   * listener.
   */
  failed(error: Error): void {
    this.#ends.log.debug({ err: error }, 'socket: protocol error');
  }
}

/** Where the events of one operation of a socket go. */
class OperationSink implements Sink {
  readonly #link: SocketLink;
  readonly #operationId: string;
  readonly #onEnd: () => void;

  constructor(link: SocketLink, operationId: string, onEnd: () => void) {
    this.#link = link;
    this.#operationId = operationId;
    this.#onEnd = onEnd;
  }

  get isFull(): boolean {
    return this.#link.isFull;
  }

  send(text: string): void {
    this.#link.sendNext(this.#operationId, text);
  }

  whenDrained(callback: () => void): void {
    this.#link.whenDrained(callback);
  }

  end(why: Error | null): void {
    this.#onEnd();
    // It reads nothing: what it is sent stands behind what it has not read, and the memory is wanted back.
    // Clients retry 1013.
    if (why instanceof DomainError && why.code === 'SlowConsumer') this.#link.close(1013, 'Slow consumer');
  }
}

function onMessage(this: WebSocket, data: WebSocket.RawData, isBinary: boolean): void {
  const link = (this as LinkedSocket).link;
  if (isBinary) link?.close(4400, 'Text messages only');
  else link?.receive(String(data));
}

function onError(this: WebSocket, error: Error): void {
  (this as LinkedSocket).link?.failed(error);
}

function onPong(this: WebSocket): void {
  const { link } = this as LinkedSocket;
  if (link !== null) link.silentPings = 0;
}

/** A close frame holds 123 bytes of reason. */
function shortened(reason: string): string {
  return Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString().replaceAll('\uFFFD', '');
}
