import { loadConfig } from '../src/config/config.ts';
import { DomainError, toError } from '../src/core/errors.ts';
import { waitForSchema } from '../src/db/migrate/wait-for-schema.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { openWorker } from './open-worker.ts';
import { allRegistrations } from './registrations.ts';
import { trimHeapWhenIdle } from './runtime/trim-heap.ts';
import { boundYoungGeneration } from './runtime/young-generation.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { watchStrayErrors } from './stray-errors.ts';

// A worker process: configuration, database, definitions, runtime and maintenance, until a signal stops it.

/** After an error that nobody handles: handlers have half a second, then the others' jobs are handed back. */
const MAX_STRAY_STOP_MS = 10_000;

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
  const stray = watchStrayErrors(log, config.onStrayError);
  await waitForSchema({ connectionString: databaseUrl, log, signal: stopping.signal });
  const worker = await openWorker({ config, databaseUrl, registrations, awaits: stopping.signal });
  trimHeapWhenIdle(worker);
  signals.onSecond(() => void worker.stopNow());
  const isStray = await Promise.race([signals.first.then(() => false), stray.first.then(() => true)]);
  if (isStray) {
    process.exitCode = 1;
    // What the error has left in a state that nobody knows must not keep the process.
    setTimeout(() => process.exit(), MAX_STRAY_STOP_MS).unref();
    await worker.stopNow();
  } else await worker.stop();
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
// A handler that ignores its signal would keep the process forever; all that counts is settled by now.
process.exit();
