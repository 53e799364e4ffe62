import { loadConfig } from './config/config.ts';
import { migrateUrlOf } from './config/listen-url.ts';
import { DomainError, toError } from './core/errors.ts';
import { migrate } from './db/migrate/migrate.ts';
import { retryUntilAvailable } from './db/retry-until-available.ts';
import { openServer } from './open-server.ts';
import { createLogger } from './telemetry/log.ts';

// The API as a process of its own: configuration, migrations, then serving until a signal stops it.

let isOpen = false;
/** A signal came before the server was open: an end as asked for, not a failure. */
let wasStopped = false;
try {
  const config = loadConfig();
  const log = createLogger(config, 'server');
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    throw new DomainError('ConfigInvalid', 'DATABASE_URL is not set: a server process needs a database', {
      field: 'DATABASE_URL',
      allowed: 'a postgres:// URL; `npm start` brings a database of its own',
    });
  }
  const stopping = Promise.withResolvers<NodeJS.Signals>();
  const starting = new AbortController();
  let count = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    count++;
    // The second ends the process as it is: what is under way has had its chance.
    if (count > 1) process.exit(1);
    stopping.resolve(signal);
    starting.abort();
    wasStopped = !isOpen;
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  const { signal: awaits } = starting;
  // Started before its database, or in the middle of an outage, it waits as the worker does.
  const migrated = () =>
    migrate({
      connectionString: migrateUrlOf(config, databaseUrl),
      rolePrefix: config.rolePrefix,
      log: (message) => log.info(message),
      signal: awaits,
    });
  await retryUntilAvailable('start', migrated, { log, signal: awaits });
  const server = await openServer({ config, databaseUrl, log, awaits });
  isOpen = true;
  const signal = await stopping.promise;
  log.info({ signal }, 'server: stopping; again stops at once');
  await server.stop();
} catch (thrown) {
  const error = toError(thrown);
  if (!wasStopped)
    process.stderr.write(
      `${error instanceof DomainError ? error.message : (error.stack ?? error.message)}\n`,
    );
  if (!wasStopped) process.exitCode = 1;
}
// A query that the database does not answer would keep the process beyond its grace period.
process.exit();
