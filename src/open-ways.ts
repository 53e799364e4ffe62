import type { Config } from './config/config.ts';
import { listenUrlOf } from './config/listen-url.ts';
import { type Bell, createBell } from './db/bell.ts';
import { IDENTITY_CHANNEL, LOG_CHANNEL, WATCH_CHANNEL } from './db/channels.ts';
import { Database } from './db/database.ts';
import { createListener, type Listener } from './db/listener.ts';
import { ReadDatabase } from './db/prisma.ts';
import { ServerGeneration } from './db/server-generation.ts';
import { createFeed, type Feed } from './events/feed.ts';
import type { FeedMetrics } from './telemetry/feed-metrics.ts';
import type { Logger } from './telemetry/log.ts';

/** Everything of a server that holds connections to the database. */
export interface Ways {
  readonly database: Database;
  readonly reads: ReadDatabase;
  readonly bell: Bell;
  readonly listener: Listener;
  readonly feed: Feed;
}

/** Opens nothing yet: each connects when it is first needed, the listener and the feed when they are started. */
export function openWays(config: Config, databaseUrl: string, log: Logger, metrics: FeedMetrics): Ways {
  const onError = (error: Error): void =>
    log.debug({ reason: error.message }, 'database: an idle connection broke');
  const { preparedStatements, pooler } = config;
  const way = { connectionString: databaseUrl, pooler, server: new ServerGeneration() };
  const base = { ...way, rolePrefix: config.rolePrefix, maxConnections: config.maxConnections, onError };
  const database = new Database({ ...base, applicationName: 'millrace server', preparedStatements });
  const reads = new ReadDatabase({ ...base, applicationName: 'millrace reads' });
  const bell = createBell({ ...way, log, preparedStatements });
  const listener = createListener({
    connectionString: listenUrlOf(config, databaseUrl),
    channels: [WATCH_CHANNEL, IDENTITY_CHANNEL, LOG_CHANNEL],
    applicationName: 'millrace server listener',
    server: way.server,
    log,
  });
  return { database, reads, bell, listener, feed: createFeed({ database, listener, log, metrics }) };
}

/** In an order that leaves nobody asking what is closed already. */
export async function closeWays({ database, reads, bell, listener, feed }: Ways): Promise<void> {
  await feed.stop();
  await listener.stop();
  await bell.close();
  await Promise.all([reads.close(), database.close()]);
}
