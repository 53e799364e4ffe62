import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config/config.ts';
import { listenUrlOf } from '../src/config/listen-url.ts';
import type { JobDefinition } from '../src/core/definition.ts';
import { scanOriginals } from '../src/core/definitions/scan-originals.ts';
import { toError } from '../src/core/errors.ts';
import { createBell } from '../src/db/bell.ts';
import { CANCEL_CHANNEL, WORK_CHANNEL } from '../src/db/channels.ts';
import { Database } from '../src/db/database.ts';
import { createListener } from '../src/db/listener.ts';
import { createPostgresQueue } from '../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../src/queue/sync-definitions.ts';
import { openStorage } from '../src/storage/open-storage.ts';
import { createLogger, type Logger } from '../src/telemetry/log.ts';
import { createMetrics, type Metrics } from '../src/telemetry/metrics.ts';
import { openMetricsListener } from '../src/telemetry/metrics-listener.ts';
import { createWorkerMetrics } from '../src/telemetry/worker-metrics.ts';
import type { MediaTools, OcrTools, Registration } from './handler.ts';
import { clipsDuty } from './maintenance/clips.ts';
import { janitorDuty } from './maintenance/janitor.ts';
import { pipelineLogsDuty } from './maintenance/pipeline-logs.ts';
import { startMaintenance } from './maintenance/round.ts';
import { scanDuty } from './maintenance/scan.ts';
import { uploadsDuty } from './maintenance/uploads.ts';
import { createRegistry } from './registry.ts';
import { LogFiles } from './runtime/log-files.ts';
import { createToolsFor } from './runtime/run-tools.ts';
import type { RunningWorker, WorkerOptions } from './runtime/running-worker.ts';
import { startWorker } from './runtime/worker.ts';
import { createArtifactLookup } from './stores/artifact-lookup.ts';
import { openStores } from './stores/open-stores.ts';
import { sweepJobDirectories } from './tools/job-directory.ts';
import { findMediaTools } from './tools/media-tools.ts';
import { findOcrTools } from './tools/ocr-tools.ts';

export interface OpenWorkerOptions extends Partial<WorkerOptions> {
  readonly config: Config;
  /** The database, which may be an embedded one that the configuration does not know. */
  readonly databaseUrl: string;
  /** What this worker can run, with the definitions it declares. */
  readonly registrations: readonly Registration[];
  /** The process's figures, where something beside the worker shows them; made and shown here by default. */
  readonly figures?: Metrics;
}

/**
 * A whole worker: its connections, tools, maintenance and runtime. The schema must be up to date.
 * @throws DomainError `RegistryInvalid`; whatever the database throws while it is away
 */
export async function openWorker(options: OpenWorkerOptions): Promise<RunningWorker> {
  const { config, databaseUrl, registrations } = options;
  const log = createLogger(config, 'worker');
  const definitions = registrations.map(({ definition }) => definition);
  const registry = createRegistry(definitions, registrations);
  // By user: the folder belongs to whoever makes it, and a second user's worker could not write there.
  const temporaryDirectory = join(tmpdir(), `millrace-${userInfo().uid}`);
  await sweepJobDirectories(temporaryDirectory);
  // Asking the programs for their versions takes as long as all the rest together: beside it.
  const media = mediaTools(config, log);
  const ocr = ocrTools(config, log);
  const { store: storage, partials } = await openStorage(config);

  const way = {
    connectionString: databaseUrl,
    rolePrefix: config.rolePrefix,
    preparedStatements: config.preparedStatements,
    pooler: config.pooler,
  };
  const database = new Database({
    ...way,
    maxConnections: config.maxConnections,
    applicationName: 'millrace worker',
    onError: (error) => log.debug({ reason: error.message }, 'database: an idle connection broke'),
  });
  const bell = createBell({ connectionString: databaseUrl, log });
  const listener = createListener({
    connectionString: listenUrlOf(config, databaseUrl),
    channels: [WORK_CHANNEL, CANCEL_CHANNEL],
    applicationName: 'millrace worker listener',
    log,
  });
  const figures = options.figures ?? createMetrics();
  const logFiles = config.pipelineLogs ? new LogFiles({ database, storage, log }) : undefined;
  let metricsListener: Awaited<ReturnType<typeof openMetricsListener>> = null;
  const close = async (): Promise<void> => {
    await metricsListener?.close();
    await logFiles?.close();
    storage.close?.();
    partials.close?.();
    await listener.stop();
    await bell.close();
    await database.close();
  };
  try {
    if (options.figures === undefined)
      metricsListener = await openMetricsListener({ config, metrics: figures, log });
    const synced = await syncDefinitions(database, definitions);
    const queue = createPostgresQueue(database, bell, synced);
    await listener.start();
    const worker = await startWorker(
      {
        database,
        queue,
        listener,
        bell,
        registry,
        definitionIds: [...synced.keys()],
        toolsFor: createToolsFor({ storage, media: await media, ocr: await ocr, temporaryDirectory }),
        artifactsOf: (job) => createArtifactLookup(database, job),
        ...(logFiles && { logFiles }),
        storesOf: (job, lease) => openStores(database, job, lease, { bell, tenantSlug: config.scanTenant }),
        threadDatabase: { ...way, queryTimeoutMs: heartbeatTimeoutMs(definitions) },
        threadLog: { logLevel: config.logLevel, logFormat: config.logFormat },
        metrics: createWorkerMetrics(figures),
        log,
      },
      {
        concurrency: config.concurrency,
        shutdownSeconds: config.shutdownSeconds,
        jobLog: {
          level: config.jobLogLevel,
          maxLines: config.jobLogMaxLines,
          maxBytes: config.jobLogMaxBytes,
        },
        ...options,
      },
    );
    const scans = config.scanSeconds > 0 && registry.definition(scanOriginals.key) !== undefined;
    const maintenance = startMaintenance(
      { database, queue, bell, log },
      {
        retentionDays: config.retentionDays,
        usageRetentionDays: config.usageRetentionDays,
        gauges: figures.gauges,
        duties: [
          clipsDuty({ database, bell, storage, log }),
          pipelineLogsDuty({ database, storage, log }),
          uploadsDuty({ database, partials, log }),
          ...(scans ? [scanDuty(queue, config.scanSeconds * 1_000)] : []),
          ...(config.janitorHours === 0
            ? []
            : [janitorDuty({ database, storage, log, graceMs: config.janitorHours * 3_600_000 })]),
        ],
      },
    );
    return closingAfter(worker, async () => {
      await maintenance.stop();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A sixth of the shortest lease, so that a dead connection leaves time for two more tries; at most 3 s. At least one second: a busy
 * machine would answer later than a sixth of 2 s, and every lease, the long ones too, would be lost for the sake of the short one.
 */
function heartbeatTimeoutMs(definitions: readonly JobDefinition[]): number {
  const shortestSeconds = Math.min(...definitions.map(({ leaseSeconds }) => leaseSeconds));
  return Math.min(3_000, Math.max(1_000, (shortestSeconds * 1000) / 6));
}

/** Media jobs fail with a clear error on a machine without ffmpeg; everything else runs. */
async function mediaTools(config: Config, log: Logger): Promise<MediaTools | null> {
  try {
    const found = await findMediaTools({
      ffmpegPath: config.ffmpegPath,
      ffprobePath: config.ffprobePath,
      searchPath: config.searchPath,
      cacheDir: join(config.dataDir, 'tools'),
    });
    log.info({ ffmpeg: found.ffmpegPath, source: found.ffmpeg.source }, 'worker: media tools found');
    return found;
  } catch (error) {
    log.warn({ reason: toError(error).message }, 'worker: no media tools; media jobs will fail');
    return null;
  }
}

/** Without any, `ocr` fails with a clear error, and everything else runs. */
async function ocrTools(config: Config, log: Logger): Promise<OcrTools | null> {
  try {
    const found = await findOcrTools({ tesseractPath: config.tesseractPath, searchPath: config.searchPath });
    log.info({ engine: found.engine, version: found.version }, 'worker: reader of texts found');
    return found;
  } catch (error) {
    log.warn({ reason: toError(error).message }, 'worker: no reader of texts; ocr jobs will fail');
    return null;
  }
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
    stop: (graceSeconds) => after(worker.stop(graceSeconds)),
    stopNow: () => {
      void worker.stopNow();
      return after(worker.stop(0));
    },
  };
}
