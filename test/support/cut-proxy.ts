import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a client and a server that breaks on command. */
export interface CutProxy {
  /** The server's URL, through the proxy. */
  readonly url: string;
  /** Connections that are open through it. */
  readonly connectionCount: number;
  /** Breaks one connection (the oldest but `index`), or all. */
  cut(index?: number): void;
  /**
   * `freeze`: bytes go nowhere, in old and new connections, and no one is notified. `refuse`: new connections
   * break at once.
   */
  set(mode: 'pass' | 'freeze' | 'refuse'): void;
  close(): Promise<void>;
}

/**
 * @param serverUrl of any TCP server; whatever is behind its host and port may be restarted meanwhile
 * @param refuses which connections break at once, by their number from 1
 */
export async function startCutProxy(
  serverUrl: string,
  refuses: (no: number) => boolean = () => false,
): Promise<CutProxy> {
  const target = new URL(serverUrl);
  let mode = 'pass';
  const clients = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    if (mode === 'refuse' || refuses(connections)) {
      client.destroy();
      return;
    }
    clients.add(client);
    const upstream = connect(Number(target.port), target.hostname);
    client.on('data', (chunk) => mode !== 'freeze' && upstream.write(chunk));
    upstream.on('data', (chunk) => mode !== 'freeze' && client.write(chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clients.delete(client);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (index?: number): void => {
    const all = [...clients];
    for (const client of index === undefined ? all : all.slice(index, index + 1)) client.resetAndDestroy();
  };
  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    get connectionCount() {
      return clients.size;
    },
    cut,
    set: (next) => {
      mode = next;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
