import { loadConfig } from '../src/config/config.ts';
import { DomainError, toError } from '../src/core/errors.ts';
import { waitForSchema } from '../src/db/migrate/wait-for-schema.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { openWorker } from './open-worker.ts';
import { allRegistrations } from './registrations.ts';
import { giveBackWhenIdle } from './runtime/give-back.ts';
import { boundYoungGeneration } from './runtime/young-generation.ts';
import { stopOnSignals } from './stop-on-signals.ts';

// A worker process: configuration, database, definitions, runtime and maintenance, until a signal stops it.

boundYoungGeneration();
const stopping = new AbortController();
try {
  const config = loadConfig();
  const log = createLogger(config, 'worker');
  const { databaseUrl } = config;
  if (databaseUrl === null) {
    throw new DomainError(
      'ConfigInvalid',
      'DATABASE_URL is not set: a worker process needs the database that the server uses',
      {
        field: 'DATABASE_URL',
        allowed: 'a postgres:// URL',
      },
    );
  }
  // Before the wait for the database: what is wrong with a user's own jobs is said at once.
  const registrations = await allRegistrations(config);
  const signals = stopOnSignals(log);
  signals.onFirst(() => stopping.abort());
  await waitForSchema({ connectionString: databaseUrl, log, signal: stopping.signal });
  const worker = await openWorker({ config, databaseUrl, registrations, awaits: stopping.signal });
  giveBackWhenIdle(worker);
  signals.onSecond(() => void worker.stopNow());
  await signals.first;
  await worker.stop();
  signals.close();
} catch (thrown) {
  const error = toError(thrown);
  if (!stopping.signal.aborted) {
    process.stderr.write(
      `${error instanceof DomainError ? error.message : (error.stack ?? error.message)}\n`,
    );
    process.exitCode = 1;
  }
}
// A handler that ignores its signal would keep the process for ever; all that counts is settled by now.
process.exit();
