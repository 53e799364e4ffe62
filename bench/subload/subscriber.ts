import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { FrameReader, maskedFrame, OPCODE } from './frames.ts';

const CONNECT_TIMEOUT_MS = 60_000;

/** Where subscribers connect. */
export interface Target {
  /** `ws://…` */
  readonly url: string;
  /** Sent as the socket opens; null for a bare socket that speaks no GraphQL. */
  readonly token: string | null;
}

export interface SubscriberEvents {
  /** A `next` of the operation, or any text of a bare socket. The bytes are good until it returns. */
  readonly next: (subscriber: Subscriber, message: Buffer) => void;
  /** An `error` or `complete` of the operation, or something that should not come. */
  readonly odd: (subscriber: Subscriber, what: string) => void;
  /** The connection is gone, and not because it was cut here. */
  readonly lost: (subscriber: Subscriber, code: number | null) => void;
}

/** Every connection reads into it: what comes is used up before the next one's bytes do. */
const received = Buffer.allocUnsafe(256 * 1024);

/**
 * A client of graphql-transport-ws with one operation. Written on a bare socket, since ten thousand of them
 * share one process and its core with what is measured: a library's client would take more time than the
 * server does.
 */
export class Subscriber {
  readonly index: number;
  readonly #events: SubscriberEvents;
  #socket: Socket | null = null;
  #onAck: (() => void) | null = null;
  #isAcknowledged = false;
  #closeCode: number | null = null;

  constructor(index: number, events: SubscriberEvents) {
    this.index = index;
    this.#events = events;
  }

  /** Connected and acknowledged. */
  get isOpen(): boolean {
    return this.#isAcknowledged;
  }

  /** Connects; resolves when the server has acknowledged it. @throws Error when it does not */
  open(target: Target): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const acknowledged = (): void => {
      this.#onAck = null;
      this.#isAcknowledged = true;
      resolve();
    };
    const { hostname, port, pathname, host } = new URL(target.url);
    const reader = new FrameReader((opcode, payload) => this.#message(opcode, payload));
    let head: Buffer | null = Buffer.alloc(0);
    const onBytes = (bytes: Buffer): void => {
      if (head === null) {
        reader.push(bytes);
        return;
      }
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!head.toString('latin1').startsWith('HTTP/1.1 101')) {
        reject(new Error(head.toString('latin1', 0, head.indexOf('\r\n'))));
        socket.destroy();
        return;
      }
      const rest = head.subarray(end + 4);
      head = null;
      if (target.token === null) this.#onAck?.();
      else this.send({ type: 'connection_init', payload: { authorization: `Bearer ${target.token}` } });
      reader.push(rest);
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: received,
        callback: (size, bytes) => {
          onBytes(Buffer.from(bytes.buffer, bytes.byteOffset, size));
          return true;
        },
      },
    });
    this.#socket = socket;
    this.#closeCode = null;
    this.#onAck = acknowledged;
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_TIMEOUT_MS);
    const protocol = target.token === null ? '' : 'Sec-WebSocket-Protocol: graphql-transport-ws\r\n';
    socket.on('connect', () =>
      socket.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${protocol}\r\n`,
      ),
    );
    // Its 'close' follows.
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error(`closed before it was acknowledged (${this.#closeCode})`));
      if (this.#socket !== socket) return;
      const wasOpen = this.#isAcknowledged;
      this.#forget();
      // Before that, the code that opened it gets the error.
      if (wasOpen) this.#events.lost(this, this.#closeCode);
    });
    return promise.finally(() => clearTimeout(timer));
  }

  send(message: object): void {
    this.#socket?.write(maskedFrame(OPCODE.text, Buffer.from(JSON.stringify(message))));
  }

  /** Begins its one operation. */
  subscribe(query: string, variables: object): void {
    this.send({ id: '1', type: 'subscribe', payload: { query, variables } });
  }

  /** Cuts the connection without a word. */
  cut(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.destroy();
  }

  #forget(): void {
    this.#socket = null;
    this.#isAcknowledged = false;
  }

  #message(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.ping) this.#socket?.write(maskedFrame(OPCODE.pong, payload));
    if (opcode === OPCODE.close) {
      this.#closeCode = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      this.#socket?.end();
    }
    if (opcode !== OPCODE.text) return;
    // Most messages by far; code that counts arrivals must not parse before all have come.
    if (this.#onAck === null && payload.includes('"next"')) {
      this.#events.next(this, payload);
      return;
    }
    const { type, payload: content } = JSON.parse(payload.toString()) as { type?: string; payload?: unknown };
    if (type === 'connection_ack') {
      this.#onAck?.();
    } else if (type === 'ping') this.send({ type: 'pong' });
    else if (type === 'next') this.#events.next(this, payload);
    else this.#events.odd(this, `${type}: ${JSON.stringify(content)}`);
  }
}
