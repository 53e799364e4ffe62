import type { Config } from './config/config.ts';
import { listenUrlOf } from './config/listen-url.ts';
import { repairJsonParse } from './core/repair-json-parse.ts';
import { IDENTITY_CHANNEL, LOG_CHANNEL, WATCH_CHANNEL, WORK_CHANNEL } from './db/channels.ts';
import { apiShares } from './db/connection-shares.ts';
import { Database } from './db/database.ts';
import type { FeedTable } from './db/feed-table.ts';
import { createListener, type Listener } from './db/listener.ts';
import { createNotifier, type Notifier } from './db/notifier.ts';
import { ReadDatabase } from './db/prisma.ts';
import { ServerGeneration } from './db/server-generation.ts';
import { createFeed, type Feed } from './events/feed.ts';
import type { FeedMetrics } from './telemetry/feed-metrics.ts';
import type { Logger } from './telemetry/log.ts';

/** Everything of a server that holds connections to the database. */
export interface ServerConnections {
  readonly database: Database;
  readonly reads: ReadDatabase;
  readonly notifier: Notifier;
  readonly listener: Listener;
  readonly feed: Feed;
}

/**
 * Opens nothing yet: each connects when it is first needed, the listener and the feed when they are started.
 */
export function openConnections(
  config: Config,
  databaseUrl: string,
  log: Logger,
  metrics: FeedMetrics,
  tables: readonly FeedTable[],
): ServerConnections {
  const onError = (error: Error): void =>
    log.debug({ reason: error.message }, 'database: an idle connection broke');
  const { preparedStatements, pooler } = config;
  const origin = { connectionString: databaseUrl, pooler, server: new ServerGeneration() };
  const base = { ...origin, rolePrefix: config.rolePrefix, onError };
  const shares = apiShares(config.maxConnections);
  const database = new Database({
    ...base,
    maxConnections: shares.transactions,
    maxStatementConnections: shares.statements,
    applicationName: 'millrace server',
    preparedStatements,
  });
  repairJsonParse();
  const reads = new ReadDatabase({
    ...base,
    maxConnections: shares.reads,
    applicationName: 'millrace reads',
  });
  const notifier = createNotifier({ ...origin, log, preparedStatements });
  const listener = createListener({
    connectionString: listenUrlOf(config, databaseUrl),
    channels: [WATCH_CHANNEL, IDENTITY_CHANNEL, LOG_CHANNEL, WORK_CHANNEL],
    applicationName: 'millrace server listener',
    server: origin.server,
    log,
  });
  return {
    database,
    reads,
    notifier,
    listener,
    feed: createFeed({ database, listener, log, metrics, tables }),
  };
}

/** In an order that leaves nobody asking what is closed already. */
export async function closeConnections({
  database,
  reads,
  notifier,
  listener,
  feed,
}: ServerConnections): Promise<void> {
  await feed.stop();
  await listener.stop();
  await notifier.close();
  await Promise.all([reads.close(), database.close()]);
}
