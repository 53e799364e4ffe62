import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A way to a Postgres that loses the answer to one commit: the server has it, and the client never notices
 * it.
 */
export interface CommitProxy {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /** Commits whose answers were lost. */
  readonly lostCount: number;
  /**
   * Loses the answer to the next commit of a transaction that runs the statement, and with it the connection.
   * @param onLost called at that moment
   */
  loseCommitOf(statementName: string, onLost?: () => void): void;
  /** Loses nothing more. */
  disarm(): void;
  close(): Promise<void>;
}

const COMMAND_COMPLETE = 'C'.charCodeAt(0);

/** Puts a proxy before the server, which reads along. */
export async function startCommitProxy(serverUrl: string): Promise<CommitProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let wanted: { readonly name: string; readonly onLost: () => void } | null = null;
  let lostCount = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let rest: Buffer = Buffer.alloc(0);
    let isMarked = false;
    client.on('data', (chunk) => {
      if (wanted !== null && chunk.includes(wanted.name)) isMarked = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
        rest = rest.subarray(message.length);
        const isCommit = message[0] === COMMAND_COMPLETE && message.toString('latin1', 5) === 'COMMIT\0';
        if (isMarked && isCommit && wanted !== null) {
          const { onLost } = wanted;
          wanted = null;
          lostCount++;
          onLost();
          client.resetAndDestroy();
          return;
        }
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
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    get lostCount() {
      return lostCount;
    },
    loseCommitOf: (name, onLost = () => undefined) => {
      wanted = { name, onLost };
    },
    disarm: () => {
      wanted = null;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
