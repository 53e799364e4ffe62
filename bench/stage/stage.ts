import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { createNotifier, type Notifier } from '../../src/db/notifier.ts';
import { definitionsOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import type { MeasureContext } from '../measuring/measure.ts';
import { makeBenchDirectory } from './directory.ts';
import { describeDurability } from './durability.ts';
import { noop } from './noop.ts';

/** A durable Postgres of a measure's own, migrated, with one tenant and everything that a producer needs. */
export interface Stage extends AsyncDisposable {
  readonly directory: string;
  readonly databaseUrl: string;
  readonly postgresPid: number;
  readonly postgres: EmbeddedPostgres;
  readonly client: pg.Client;
  readonly database: Database;
  readonly notifier: Notifier;
  readonly queue: PostgresProducerQueue;
  readonly tenantId: string;
  readonly definitionIdOf: (key: string) => string;
  /** Environment of processes that use this database. */
  readonly env: Readonly<Record<string, string>>;
}

export const SECRET = 'a-secret-for-measuring-that-is-long-enough';

/** Opens one and says how durable it is. */
export async function openStage({ say }: Pick<MeasureContext, 'say'>): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const directory = opening.use(await makeBenchDirectory());
  const postgres = await startEmbeddedPostgres({
    dataDir: directory.path,
    log: () => undefined,
    settings: { max_connections: '200' },
  });
  opening.defer(() => postgres.stop());
  const connectionString = postgres.url;
  const log = createLogger({ logLevel: 'warn', logFormat: 'json' }, 'bench');
  const { rolePrefix } = loadConfig({});
  await migrate({ connectionString, rolePrefix, log: () => undefined });

  const client = new pg.Client({ connectionString, application_name: 'bench' });
  await client.connect();
  opening.defer(() => client.end());
  say(await describeDurability(client));
  const database = new Database({
    connectionString,
    rolePrefix,
    maxConnections: 4,
    applicationName: 'bench producer',
    preparedStatements: true,
    onError: (error) => log.warn({ reason: error.message }, 'bench: an idle connection broke'),
  });
  opening.defer(() => database.close());
  const notifier = createNotifier({ connectionString, log });
  opening.defer(() => notifier.close());

  const definitions = await syncDefinitions(database, [
    noop,
    ...definitionsOf(registeredDomains({ echo: true })),
  ]);
  const { rows } = await client.query<{ id: string }>(
    `insert into millrace.tenants (slug, name) values ('bench', 'Bench') returning id`,
  );
  const idByKey = new Map([...definitions.values()].map(({ key, id }) => [key, id]));
  const opened = opening.move();
  return {
    directory: directory.path,
    databaseUrl: connectionString,
    postgresPid: postgres.pid,
    postgres,
    client,
    database,
    notifier,
    queue: new PostgresProducerQueue(database, notifier, {
      pipelines: pipelinesOf(registeredDomains({ echo: true })),
    }),
    tenantId: (rows[0] as { id: string }).id,
    definitionIdOf: (key) => idByKey.get(key) as string,
    env: {
      DATABASE_URL: connectionString,
      MILLRACE_DATA_DIR: `${directory.path}/own`,
      // As the scripts of package.json have it.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/millrace', import.meta.url)),
      MILLRACE_JWT_SECRET: SECRET,
      MILLRACE_SIGNING_SECRET: SECRET,
      PORT: '0',
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
