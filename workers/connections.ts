import type { Config } from '../src/config/config.ts';
import { listenUrlOf } from '../src/config/listen-url.ts';
import { CANCEL_CHANNEL, EVENT_CHANNEL, WORK_CHANNEL } from '../src/db/channels.ts';
import { WORKER_CONNECTIONS, workerShares } from '../src/db/connection-shares.ts';
import { Database } from '../src/db/database.ts';
import { createListener } from '../src/db/listener.ts';
import { createNotifier } from '../src/db/notifier.ts';
import { ServerGeneration } from '../src/db/server-generation.ts';
import { warnOfConnections } from '../src/db/warn-of-connections.ts';
import type { Logger } from '../src/telemetry/log.ts';

/**
 * A worker's ways to the database. Those that wait for something connect when they are first used; the
 * listener is to be started.
 */
export function openConnections(config: Config, databaseUrl: string, log: Logger) {
  const way = {
    connectionString: databaseUrl,
    rolePrefix: config.rolePrefix,
    preparedStatements: config.preparedStatements,
    pooler: config.pooler,
  };
  const server = new ServerGeneration();
  const shares = workerShares(config.maxConnections);
  const database = new Database({
    ...way,
    server,
    maxConnections: shares.transactions,
    maxStatementConnections: shares.statements,
    applicationName: 'millrace worker',
    onError: (error) => log.debug({ reason: error.message }, 'database: an idle connection broke'),
  });
  const notifier = createNotifier({
    connectionString: databaseUrl,
    log,
    preparedStatements: config.preparedStatements,
    pooler: config.pooler,
    server,
    through: database,
  });
  const listener = createListener({
    connectionString: listenUrlOf(config, databaseUrl),
    channels: [WORK_CHANNEL, CANCEL_CHANNEL, EVENT_CHANNEL],
    applicationName: 'millrace worker listener',
    server,
    log,
  });
  return {
    /** How another thread gets a connection of its own. */
    way,
    database,
    notifier,
    /**
     * Listens; says first whether there may be fewer connections than this process and the others may open.
     */
    listen: async (): Promise<void> => {
      await warnOfConnections(database, config.maxConnections || WORKER_CONNECTIONS, log);
      await listener.start();
    },
    listener,
    close: async (): Promise<void> => {
      await listener.stop();
      await notifier.close();
      await database.close();
    },
  };
}
