import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a Postgres that misbehaves on command. */
export type LossyProxy = {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /**
   * `freeze`: bytes go nowhere and no one is notified. `deafen`: notifications are swallowed, as behind a
   * pooler.
   */
  set(mode: 'pass' | 'freeze' | 'deafen'): void;
  /** Ends of connections that are open now. */
  readonly openCount: number;
  close(): Promise<void>;
};

const NOTIFICATION = 'A'.charCodeAt(0);

/** Puts a proxy before the server; what it passes on from the server it cuts into protocol messages. */
export async function startLossyProxy(serverUrl: string): Promise<LossyProxy> {
  const target = new URL(serverUrl);
  let mode = 'pass';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let rest: Buffer = Buffer.alloc(0);
    client.on('data', (chunk) => mode !== 'freeze' && upstream.write(chunk));
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
        rest = rest.subarray(message.length);
        if (mode === 'freeze' || (mode === 'deafen' && message[0] === NOTIFICATION)) continue;
        client.write(message);
      }
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = Object.assign(new URL(serverUrl), { port: String((server.address() as AddressInfo).port) });
  return {
    url: url.href,
    get openCount() {
      return sockets.size;
    },
    set: (next) => {
      mode = next;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
