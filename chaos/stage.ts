import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate/migrate.ts';
import { createNotifier } from '../src/db/notifier.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/cluster.ts';
import { pipelinesOf } from '../src/queue/pipelines.ts';
import { createPostgresQueue } from '../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../src/queue/sync-definitions.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { makeTenants } from './collect.ts';
import { definitions } from './definitions.ts';
import { makeTriggers } from './triggers.ts';
import { installWitness } from './witness.ts';

/**
 * A database of the suite's own with tenants, definitions and a witness; and the queue as a producer opens
 * it.
 */
export interface Stage {
  readonly directory: string;
  readonly recordPath: string;
  readonly cluster: EmbeddedPostgres;
  readonly queue: ReturnType<typeof createPostgresQueue>;
  /** For looking: survives restarts. */
  readonly pool: pg.Pool;
  readonly tenantIds: readonly string[];
  close(): Promise<void>;
}

/** Few enough that they can all be taken within moments. */
const MAX_CONNECTIONS = '80';

export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
  // Run by root, the server has a user of its own, who must get in.
  await chmod(directory, 0o755);
  const dataDir = join(directory, 'postgres');
  await mkdir(dataDir);
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    settings: { max_connections: MAX_CONNECTIONS },
  });
  await migrate({ connectionString: cluster.url });
  const log = createLogger({ logLevel: 'silent', logFormat: 'json' }, 'chaos');
  const db = new Database({
    connectionString: cluster.url,
    rolePrefix: 'millrace',
    maxConnections: 4,
    applicationName: 'millrace chaos producer',
    preparedStatements: true,
    onError: () => undefined,
  });
  const notifier = createNotifier({ connectionString: cluster.url, log });
  const pool = new pg.Pool({ connectionString: cluster.url, max: 2, application_name: 'chaos' });
  pool.on('error', () => undefined);
  const queue = createPostgresQueue(db, notifier, await syncDefinitions(db, definitions), {
    pipelines: pipelinesOf(registeredDomains({ echo: true })),
  });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await installWitness(client);
  const tenantIds = await makeTenants(client);
  await makeTriggers(client, tenantIds);
  await client.end();
  return {
    directory,
    recordPath: join(directory, 'record'),
    cluster,
    queue,
    pool,
    tenantIds,
    close: async () => {
      await pool.end();
      await notifier.close();
      await db.close();
      await cluster.stop();
      // The data may lie elsewhere than it was asked for: run by root, the server needs a place of its own.
      await rm(cluster.dataDir, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}
