import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config/config.ts';
import { ownEnvironment } from '../src/config/own-environment.ts';
import { failureJobsOf, type JobDefinition, loggedKeysOf } from '../src/core/definition.ts';
import { setSecretNames } from '../src/core/redaction/secret-name.ts';
import { settingsForPooler } from '../src/db/detect-pooler.ts';
import type { Listener } from '../src/db/listener.ts';
import { retryUntilAvailable } from '../src/db/retry-until-available.ts';
import { type Domain, type DutyDeps, dutiesOf } from '../src/domains/domain.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import { setProcessingDefaults } from '../src/domains/videos/index.ts';
import { SecretBox } from '../src/payloads/secret-box.ts';
import { pipelinesOf } from '../src/queue/pipelines.ts';
import { createPostgresQueue } from '../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../src/queue/sync-definitions.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import type { Gauges } from '../src/telemetry/gauges.ts';
import { createLogger, type Logger } from '../src/telemetry/log.ts';
import type { Metrics } from '../src/telemetry/metrics.ts';
import { openConnections } from './connections.ts';
import type { Registration } from './handler.ts';
import { commandRegistrations } from './handlers/commands/registration.ts';
import { deadLettersDuty } from './maintenance/dead-letters.ts';
import { pipelineLogsDuty } from './maintenance/pipeline-logs.ts';
import { type Maintenance, startMaintenance } from './maintenance/round.ts';
import { openMetrics, type WorkerTelemetry } from './metrics.ts';
import { postgresHeartbeat } from './postgres-heartbeat.ts';
import { createOwnOf } from './provide.ts';
import { createRegistry, type Registry } from './registry.ts';
import { LogFiles, type LogFilesDeps } from './runtime/log-files.ts';
import { createToolsFor } from './runtime/run-tools.ts';
import type { RunningWorker, WorkerOptions } from './runtime/running-worker.ts';
import { startWorker } from './runtime/worker.ts';
import { ServedDefinitions } from './served/served-definitions.ts';
import { servedKeys } from './served/served-keys.ts';
import { watchDefinitions } from './served/watch-definitions.ts';
import { createArtifactLookup } from './stores/artifact-lookup.ts';
import { limitChildMemory } from './tools/child-guard.ts';
import { mediaTools, ocrTools } from './tools/find-tools.ts';
import { sweepJobDirectories } from './tools/job-directory.ts';

/**
 * What no notification announces is found so late at most: a notification that was lost, and a worker that
 * died on its way to the job.
 */
const LISTENING_POLL_MS = 5_000;

export interface OpenWorkerOptions extends Partial<WorkerOptions> {
  readonly config: Config;
  /** The database, which may be an embedded one that the configuration does not know. */
  readonly databaseUrl: string;
  /** The domains whose pipelines and duties it looks after; those that Millrace ships by default. */
  readonly domains?: readonly Domain[];
  /** Environment variables that commands may be given by name; the process's own by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What this worker can run, with the definitions it declares. */
  readonly registrations: readonly Registration[];
  /**
   * A database that goes away while the worker opens is waited for until this fires: a process that ended for
   * it would need somebody to start it again, in the middle of an outage. Absent: the error is thrown.
   */
  readonly awaits?: AbortSignal;
  /** The process's figures, where something beside the worker shows them; see `openMetrics`. */
  readonly figures?: Metrics;
}

/**
 * A whole worker: its connections, tools, maintenance and runtime. The schema must be up to date.
 * @throws DomainError `RegistryInvalid`; whatever the database throws while it is away
 */
export async function openWorker(options: OpenWorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, awaits } = options;
  const log = createLogger(options.config, 'worker');
  const config = await whenThere(awaits, log, () => settingsForPooler(options.config, databaseUrl, log));
  const domains = options.domains ?? registeredDomains(config);
  setSecretNames(config.secretKeys);
  setProcessingDefaults(config);
  const { definitions, registrations, registry, keys } = await whatItRuns(options, config);
  // By user: the folder belongs to the user that makes it, and a second user's worker could not write there.
  const temporaryDirectory = join(tmpdir(), `millrace-${userInfo().uid}`);
  await sweepJobDirectories(temporaryDirectory);
  limitChildMemory(config.childMemoryMb === 0 ? null : config.childMemoryMb * 2 ** 20);
  // Asking the programs for their versions takes as long as all the rest together: beside it.
  const programs = Promise.all([mediaTools(config, log), ocrTools(config, log)]);
  const { store: storage, partials } = await openStorage(config);

  const connections = openConnections(config, databaseUrl, log);
  const { database, notifier, listener } = connections;
  let logFiles: LogFiles | undefined;
  let figures: WorkerTelemetry | undefined;
  const close = async (): Promise<void> => {
    await figures?.close();
    await logFiles?.close();
    storage.close?.();
    partials.close?.();
    await connections.close();
  };
  try {
    figures = await openMetrics(config, log, options.figures);
    const synced = await whenThere(awaits, log, () => syncDefinitions(database, definitions));
    const served = new ServedDefinitions(synced.values(), {
      declared: definitions,
      keys,
      concurrency: config.jobTypes.concurrency,
    });
    const queue = createPostgresQueue(database, notifier, served.byId, {
      ...sizesOf(config),
      pipelines: pipelinesOf(domains),
      failureJobs: failureJobsOf(definitions),
    });
    logFiles = logFilesOf(config, definitions, { queue, storage, log });
    const parts = { config, database, queue, storage, log };
    const [media, ocr] = await programs;
    await connections.listen();
    const worker = await startWorker(
      {
        queue,
        listener,
        notifier,
        registry,
        served,
        secrets: new SecretBox(config.encryptionKeys),
        toolsFor: createToolsFor({ storage, temporaryDirectory }),
        artifactsOf: (job) => createArtifactLookup(queue, job),
        ...(logFiles && { logFiles }),
        ownOf: createOwnOf(registrations, { ...parts, media, ocr }),
        heartbeatThread: postgresHeartbeat({
          ...connections.way,
          queryTimeoutMs: heartbeatTimeoutMs(definitions),
        }),
        threadLog: { logLevel: config.logLevel, logFormat: config.logFormat },
        metrics: figures.metrics,
        log,
      },
      {
        concurrency: config.concurrency,
        shutdownSeconds: config.shutdownSeconds,
        listeningPollMs: LISTENING_POLL_MS,
        jobLog: {
          level: config.jobLogLevel,
          maxLines: config.jobLogMaxLines,
          maxBytes: config.jobLogMaxBytes,
        },
        ...options,
      },
    );
    const maintenance = maintainedBy({
      config,
      domains,
      registry,
      storage,
      partials,
      queue,
      ...connections,
      log,
      gauges: figures.gauges,
    });
    const watch = watchDefinitions(served, { queue, log, onChanged: () => worker.lookForWork() });
    return closingAfter(worker, async () => {
      await watch.stop();
      await maintenance.stop();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function sizesOf({ maxResultBytes, maxPayloadBytes }: Config) {
  return { maxResultBytes, maxPayloadBytes };
}

/** What writes the log files of jobs, where the configuration wants them. */
function logFilesOf(
  { pipelineLogs }: Config,
  definitions: readonly JobDefinition[],
  deps: Omit<LogFilesDeps, 'loggedKeys'>,
): LogFiles | undefined {
  return pipelineLogs ? new LogFiles({ ...deps, loggedKeys: loggedKeysOf(definitions) }) : undefined;
}

/** The answer of the database; one that is away is waited for until the signal fires, where there is one. */
function whenThere<T>(signal: AbortSignal | undefined, log: Logger, ask: () => Promise<T>): Promise<T> {
  return signal === undefined ? ask() : retryUntilAvailable('start', ask, { log, signal });
}

/** What this worker can run: what it was given, and the commands of the configuration. */
async function whatItRuns(options: OpenWorkerOptions, config: Config) {
  const given = options.registrations.map(({ definition }) => definition.key);
  const commands = await commandRegistrations(
    config.commands,
    given,
    options.environment ?? ownEnvironment(),
  );
  const registrations = [...options.registrations, ...commands.declared];
  const definitions = registrations.map(({ definition }) => definition);
  const registry = createRegistry(definitions, registrations, commands.runtime);
  const all = [...definitions, ...commands.runtime].map(({ key }) => key);
  return { definitions, registrations, registry, keys: servedKeys(config.jobTypes, all) };
}

interface Maintained extends Omit<DutyDeps, 'runs'> {
  readonly domains: readonly Domain[];
  readonly registry: Registry;
  readonly listener: Listener;
  readonly gauges: Gauges;
}

/** What looks after the queue and the domains while this process leads. */
function maintainedBy({ domains, registry, listener, gauges, ...deps }: Maintained): Maintenance {
  const { config, database, queue, storage, log } = deps;
  const ofDomains = dutiesOf(domains, { ...deps, runs: (key) => registry.definition(key) !== undefined });
  return startMaintenance(
    { database, queue, log, listener },
    {
      retentionDays: config.retentionDays,
      usageRetentionDays: config.usageRetentionDays,
      auditRetentionDays: config.auditRetentionDays,
      gauges,
      duties: [
        ...ofDomains,
        pipelineLogsDuty({ queue, storage, log }),
        ...(config.deadLetterRetentionDays === 0
          ? []
          : [
              deadLettersDuty({
                queue,
                retentionSeconds: config.deadLetterRetentionDays * 86_400,
              }),
            ]),
      ],
    },
  );
}

/**
 * A sixth of the shortest lease, so that a dead connection leaves time for two more tries; at most 3 s. At
 * least one second: a busy machine would answer later than a sixth of 2 s, and every lease, the long ones
 * too, would be lost for the sake of the short one.
 */
function heartbeatTimeoutMs(definitions: readonly JobDefinition[]): number {
  const shortestSeconds = Math.min(...definitions.map(({ leaseSeconds }) => leaseSeconds));
  return Math.min(3_000, Math.max(1_000, (shortestSeconds * 1000) / 6));
}

/** The worker with its surroundings closed after its stop, once. */
function closingAfter(worker: RunningWorker, close: () => Promise<void>): RunningWorker {
  let closed: Promise<void> | undefined;
  const after = (stopped: Promise<void>): Promise<void> => (closed ??= stopped.then(close));
  return {
    workerId: worker.workerId,
    get runningCount() {
      return worker.runningCount;
    },
    tick: (max) => worker.tick(max),
    lookForWork: () => worker.lookForWork(),
    stop: (graceSeconds) => after(worker.stop(graceSeconds)),
    stopNow: () => {
      void worker.stopNow();
      return after(worker.stop(0));
    },
  };
}
