import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { frame, OPCODE, type Received, takeFrames } from './frames.ts';
import { fail } from './report.ts';

/** How long anything may take that nothing else is said about: the machine may be busy. */
const WAIT_MS = 15_000;

export interface Message {
  /** Of graphql-transport-ws, or `#pong` for a frame of that kind, `#notjson` for text that is none. */
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

export interface PeerOptions {
  /** Null offers none. */
  readonly protocol?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of the socket that can say anything, right or wrong. */
export class Peer {
  /** What has come and has not been taken by `next`. */
  readonly messages: Message[] = [];
  /** How it ended: a close code, the HTTP status of a refusal, 1006 for a connection that broke. */
  closeCode: number | null = null;
  status: number | null = null;
  protocol: string | null = null;
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #fragments: Buffer[] = [];
  #waiting: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Asks for the upgrade; resolves with the answer, whatever it is. */
  static async open(url: string, options: PeerOptions = {}): Promise<Peer> {
    const { protocol = 'graphql-transport-ws', headers = {} } = options;
    const { hostname, port, host, pathname } = new URL(url);
    const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
    const peer = new Peer(socket);
    const lines = [
      `GET ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...(protocol === null ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    // What it comes to is seen in 'close'.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      peer.closeCode ??= 1006;
      peer.#wake();
    });
    socket.on('data', (bytes) => peer.#take(bytes));
    await peer.until(() => peer.status !== null || peer.closeCode !== null, 'an answer to the upgrade');
    return peer;
  }

  send(message: object | string): void {
    this.raw(frame(OPCODE.text, typeof message === 'string' ? message : JSON.stringify(message)));
  }

  raw(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  subscribe(id: string, query: string, rest: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, ...rest } });
  }

  async init(payload: object): Promise<void> {
    this.send({ type: 'connection_init', payload });
    await this.next(({ type }) => type === 'connection_ack', 'connection_ack');
  }

  /** The first message that passes, which is taken away. */
  async next(passes: (message: Message) => boolean, what: string, waitMs = WAIT_MS): Promise<Message> {
    await this.until(() => this.messages.some(passes), what, waitMs);
    return this.messages.splice(this.messages.findIndex(passes), 1)[0] as Message;
  }

  nextOf(id: string): Promise<Message> {
    return this.next((message) => message.id === id, `a message of ${id}`);
  }

  /** The close code. */
  async closed(waitMs = WAIT_MS): Promise<number> {
    await this.until(() => this.closeCode !== null, 'the end of the connection', waitMs);
    return this.closeCode as number;
  }

  async until(holds: () => boolean, what: string, waitMs = WAIT_MS): Promise<void> {
    const deadline = performance.now() + waitMs;
    while (!holds()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        const last = JSON.stringify(this.messages.slice(-2));
        fail(`waited ${waitMs} ms for ${what}; close code ${this.closeCode}, last messages ${last}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  end(): void {
    this.socket.destroy();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    if (this.status === null && !this.#takeHead()) return;
    const { frames, rest } = takeFrames(this.#received);
    this.#received = rest;
    for (const received of frames) this.#frame(received);
    this.#wake();
  }

  /** True once the head is there and says that the connection is upgraded. */
  #takeHead(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#received.toString('latin1', 0, end);
    this.#received = this.#received.subarray(end + 4);
    this.status = Number(head.split(' ')[1]);
    this.protocol = /^sec-websocket-protocol:\s*(.*?)\s*$/im.exec(head)?.[1] ?? null;
    if (this.status !== 101) {
      this.closeCode = this.status;
      this.socket.destroy();
    }
    this.#wake();
    return this.status === 101;
  }

  #frame({ opcode, isFinal, payload }: Received): void {
    if (opcode === OPCODE.close) {
      this.closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      this.socket.end(frame(OPCODE.close, payload.subarray(0, 2)));
    } else if (opcode === OPCODE.ping) this.raw(frame(OPCODE.pong, payload));
    else if (opcode === OPCODE.pong) this.messages.push({ type: '#pong' });
    else {
      this.#fragments.push(payload);
      if (!isFinal) return;
      const text = Buffer.concat(this.#fragments.splice(0)).toString();
      try {
        this.messages.push(JSON.parse(text) as Message);
      } catch {
        this.messages.push({ type: '#notjson', payload: text });
      }
    }
  }
}
