import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { Database } from '../../src/db/database.ts';
import { createListener } from '../../src/db/listener.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { createNotifier } from '../../src/db/notifier.ts';
import { ReadDatabase } from '../../src/db/prisma.ts';
import { ServerGeneration } from '../../src/db/server-generation.ts';
import { readBackendPid } from '../../src/db/sql/feed/read-backend-pid.ts';
import { statement } from '../../src/db/statement.ts';
import { startTestCluster, type TestCluster } from '../support/postgres.ts';
import { silentLog } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

// Two real servers, a primary and one that was demoted to a standby, behind one address that leads to either.

let primary: TestCluster;
let demoted: TestCluster;
let address: { readonly url: string; leadTo(cluster: TestCluster): void; close(): Promise<void> };

async function startAddress(first: TestCluster): Promise<typeof address> {
  let target = new URL(first.url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: Object.assign(new URL(first.url), { port: String((server.address() as AddressInfo).port) }).href,
    // Connections that are open go on to where they lead, as with a name or a virtual address that moves.
    leadTo: (cluster) => {
      target = new URL(cluster.url);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

beforeAll(async () => {
  [primary, demoted] = await Promise.all([
    startTestCluster({ settings: { wal_level: 'replica', password_encryption: 'scram-sha-256' } }),
    startTestCluster({ settings: { wal_level: 'replica', wal_retrieve_retry_interval: '50ms' } }),
  ]);
  await Promise.all([primary, demoted].map((cluster) => migrate({ connectionString: cluster.url })));
});
afterAll(async () => {
  await address?.close();
  await primary?.remove();
  await demoted?.remove();
});

const options = (url: string, server: ServerGeneration) => ({
  connectionString: url,
  rolePrefix: 'millrace',
  maxConnections: 3,
  applicationName: 'millrace demoted test',
  preparedStatements: true,
  onError: () => undefined,
  server,
});

const write = statement('write_something', `update millrace.tenants set name = name where slug = 'none'`);
const NOBODY = '00000000-0000-0000-0000-000000000000';

describe('a server that was demoted', () => {
  it('is used by no pool, and once the address leads to the primary all of them use that at once', async () => {
    await writeFile(join(demoted.dataDir, 'cluster', 'standby.signal'), '');
    await demoted.restart('fast');
    // Both logins have passwords of their own: the address takes over whose server it leads to.
    const passwords = new Map([primary, demoted].map((cluster) => [cluster, new URL(cluster.url).password]));
    address = await startAddress(demoted);
    const server = new ServerGeneration();
    const urlOf = (cluster: TestCluster): string =>
      Object.assign(new URL(address.url), { password: passwords.get(cluster) ?? '' }).href;
    for (const [cluster, works] of [
      [demoted, false],
      [primary, true],
    ] as const) {
      address.leadTo(cluster);
      const db = new Database(options(urlOf(cluster), server));
      const reads = new ReadDatabase(options(urlOf(cluster), server));
      try {
        const read = async (): Promise<unknown> => {
          const transaction = reads.read({ role: 'api', tenantId: NOBODY });
          try {
            return await transaction.query(readBackendPid, []);
          } finally {
            await transaction.close();
          }
        };
        const results = await Promise.allSettled([
          db.asWorker(write, []),
          db.transaction({ role: 'worker' }, (tx) => tx.query(write, [])),
          db.transaction({ role: 'worker', readOnly: true }, (tx) => tx.query(readBackendPid, [])),
          read(),
          db.ping(),
        ]);
        expect(results.map(({ status }) => status)).toEqual(
          results.map(() => (works ? 'fulfilled' : 'rejected')),
        );
      } finally {
        await reads.close();
        await db.close();
      }
    }
  });

  it('found read-only by one connection makes every pool, the notifier and the listener of the process open new ones', async () => {
    const server = new ServerGeneration();
    const db = new Database(options(primary.url, server));
    const reads = new ReadDatabase(options(primary.url, server));
    const notifier = createNotifier({ connectionString: primary.url, log: silentLog, server });
    const listener = createListener({
      connectionString: primary.url,
      channels: [WATCH_CHANNEL],
      log: silentLog,
      server,
    });
    try {
      await listener.start();
      const pids = async (): Promise<readonly number[]> => {
        const transaction = reads.read({ role: 'api', tenantId: NOBODY });
        const [one] = await transaction.query<{ pid: number }>(readBackendPid, []);
        await transaction.close();
        const worker = await db.asWorker<{ pid: number }>({ ...readBackendPid, dedicatedTo: 'kept' }, []);
        const login = await db.asLogin<{ pid: number }>(readBackendPid, []);
        return [one?.pid ?? 0, worker.rows[0]?.pid ?? 0, login.rows[0]?.pid ?? 0];
      };
      const before = await pids();
      expect(await pids()).toEqual(before);
      await expect(
        db.transaction({ role: 'worker', readOnly: true }, (tx) => tx.query(write, [])),
      ).rejects.toMatchObject({ code: '25006' });
      const after = await pids();
      for (const [index, pid] of after.entries()) expect(pid).not.toBe(before[index]);
      expect(await pids()).toEqual(after);
      await waitFor(() => listener.reconnectCount > 0, { describe: 'the listener to connect again' });
    } finally {
      await listener.stop();
      await notifier.close();
      await reads.close();
      await db.close();
    }
  });
});
