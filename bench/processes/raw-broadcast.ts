import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { machineMs } from '../measuring/clock.ts';
import type { RawNews, RawOrder } from '../stage/raw-broadcast.ts';

// The least that reaches every socket: the same bytes to all in a loop, as the documentation of `ws` has it.

const say = (news: RawNews): void => void process.send?.(news);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, backlog: 4096 });

process.on('message', (order: RawOrder) => {
  if (order.kind === 'broadcast') {
    const bytes = Buffer.from(order.text);
    const startedMs = machineMs();
    for (const client of server.clients) {
      if (client.readyState === client.OPEN) client.send(bytes, { binary: false });
    }
    say({ kind: 'sent', startedMs });
  } else {
    for (let round = 0; round < 3; round++) globalThis.gc?.();
    say({ kind: 'resident', bytes: process.memoryUsage.rss() });
  }
});
process.on('disconnect', () => process.exit());
server.on('listening', () =>
  say({ kind: 'listening', url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
);
