import { openWorker } from '../../workers/open-worker.ts';
import type { RunningWorker } from '../../workers/runtime/running-worker.ts';
import { checkUserJobs } from '../../workers/user-jobs.ts';
import { libraryConfig } from '../config/library-config.ts';
import { migrateUrlOf } from '../config/listen-url.ts';
import { DomainError } from '../core/errors.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { definitionsOf } from '../domains/domain.ts';
import { registeredDomains } from '../domains/registered.ts';
import { createLogger } from '../telemetry/log.ts';
import { checkWorkerOptions } from './check-worker-options.ts';
import type { WorkerOptions } from './options.ts';
import { requireSchema } from './schema-wait.ts';

/** Claims and runs jobs in this process, from `start` to `stop`. */
export interface Worker {
  /**
   * Waits for the database and its schema, makes the definitions known and begins to claim. A start that
   * failed may be tried again.
   * @throws DomainError `DatabaseUnsupported` · `WrongState` when it runs already
   */
  start(): Promise<void>;
  /**
   * Claims no more, lets running jobs go on for `graceSeconds` (the option `shutdownSeconds` by default),
   * then asks them to stop and hands them back unspent. Resolves when all is settled. May be called any
   * number of times.
   */
  stop(graceSeconds?: number): Promise<void>;
  /** Jobs that run right now. */
  readonly runningCount: number;
}

/**
 * A worker for a program's own jobs: the same runtime as `millrace worker`, with the same leases, retries and
 * maintenance.
 * @throws DomainError `InvalidArgument` naming the option at fault · `RegistryInvalid` naming the job at
 *   fault
 */
export function createWorker(options: WorkerOptions): Worker {
  checkWorkerOptions(options);
  const registrations = checkUserJobs(
    options.jobs.map((value, index) => ({ where: `createWorker: jobs[${index}]`, value })),
    definitionsOf(registeredDomains({ echo: true })),
  );
  const defaults = libraryConfig({});
  const config = libraryConfig({
    databaseUrl: options.databaseUrl,
    listenUrl: options.listenUrl ?? null,
    maxConnections: options.maxConnections ?? defaults.maxConnections,
    rolePrefix: options.rolePrefix ?? defaults.rolePrefix,
    pooler: options.pooler ?? defaults.pooler,
    preparedStatements: options.preparedStatements ?? defaults.preparedStatements,
    logLevel: options.logLevel ?? defaults.logLevel,
    logFormat: options.logFormat ?? defaults.logFormat,
    concurrency: options.concurrency ?? defaults.concurrency,
    shutdownSeconds: options.shutdownSeconds ?? defaults.shutdownSeconds,
    dataDir: options.dataDir ?? defaults.dataDir,
    storageDir: options.storageDir ?? null,
  });
  const { databaseUrl } = options;
  let running: Promise<RunningWorker> | undefined;
  let worker: RunningWorker | undefined;

  async function open(): Promise<RunningWorker> {
    const log = createLogger(config, 'worker');
    if (options.migrate === true) {
      await migrate({
        connectionString: migrateUrlOf({ ...config, migrateUrl: options.migrateUrl ?? null }, databaseUrl),
        rolePrefix: config.rolePrefix,
        log: (message) => log.info(message),
      });
    }
    await requireSchema(databaseUrl, options.schemaWaitSeconds ?? 30, log);
    return openWorker({
      config,
      databaseUrl,
      registrations,
      exitWhenBlocked: options.exitWhenBlocked ?? false,
    });
  }

  return {
    start: async () => {
      if (running !== undefined) throw new DomainError('WrongState', 'This worker has been started already.');
      running = open();
      try {
        worker = await running;
      } catch (error) {
        running = undefined;
        throw error;
      }
    },
    stop: async (graceSeconds) => {
      const opened = await running?.catch(() => undefined);
      await opened?.stop(graceSeconds);
    },
    get runningCount() {
      return worker?.runningCount ?? 0;
    },
  };
}
