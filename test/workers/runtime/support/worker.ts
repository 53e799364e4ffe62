import type { JobDefinition } from '../../../../src/core/definition.ts';
import { CANCEL_CHANNEL, WORK_CHANNEL } from '../../../../src/db/channels.ts';
import { createListener } from '../../../../src/db/listener.ts';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import type { WorkerMetrics } from '../../../../src/telemetry/worker-metrics.ts';
import type { Handler } from '../../../../workers/handler.ts';
import { postgresHeartbeat } from '../../../../workers/postgres-heartbeat.ts';
import { createRegistry, register } from '../../../../workers/registry.ts';
import { createToolsFor } from '../../../../workers/runtime/run-tools.ts';
import type { RunningWorker, WorkerOptions } from '../../../../workers/runtime/running-worker.ts';
import { startWorker } from '../../../../workers/runtime/worker.ts';
import {
  ServedDefinitions,
  type ServedDefinitionsOptions,
} from '../../../../workers/served/served-definitions.ts';
import { createArtifactLookup } from '../../../../workers/stores/artifact-lookup.ts';
import { silentLog, type TestQueue } from '../../../support/queue.ts';
import { definitions } from './definitions.ts';

export interface TestWorkerOptions extends Partial<WorkerOptions> {
  /** What it runs; the definitions of these tests by default. */
  readonly definitions?: readonly JobDefinition[];
  /** Handlers by key; a definition without one gets one that fails. */
  readonly handlers: Readonly<Record<string, Handler<never>>>;
  /** What handlers have as their `own`, by key. */
  readonly own?: Readonly<Record<string, unknown>>;
  /** Where LISTEN goes; by default to the database itself. */
  readonly listenUrl?: string;
  readonly temporaryDirectory?: string;
  readonly metrics?: WorkerMetrics;
  readonly served?: Pick<ServedDefinitionsOptions, 'keys' | 'concurrency'>;
}

const missing: Handler = async () => {
  throw new Error('this test wrote no handler for it');
};

/**
 * A worker in this process, on the test's database, as `openWorker` makes one; what it opens closes with its
 * stop.
 */
export async function startTestWorker(
  { url, notifier, queue, definitions: synced }: TestQueue,
  options: TestWorkerOptions,
): Promise<RunningWorker> {
  const listener = createListener({
    connectionString: options.listenUrl ?? url,
    channels: [WORK_CHANNEL, CANCEL_CHANNEL],
    log: silentLog,
  });
  await listener.start();
  const declared = options.definitions ?? definitions;
  const registry = createRegistry(
    declared,
    declared.map((definition: JobDefinition) =>
      register(definition, async () => (options.handlers[definition.key] as Handler | undefined) ?? missing),
    ),
  );
  const worker = await startWorker(
    {
      queue,
      notifier,
      listener,
      registry,
      served: new ServedDefinitions(synced.values(), { declared, ...options.served }),
      toolsFor: createToolsFor({
        storage: {} as ObjectStore,
        temporaryDirectory: options.temporaryDirectory ?? '/nonexistent',
      }),
      artifactsOf: (job) => createArtifactLookup(queue, job),
      ownOf: (key) => options.own?.[key],
      heartbeatThread: postgresHeartbeat({
        connectionString: url,
        rolePrefix: 'millrace',
        preparedStatements: true,
        queryTimeoutMs: 1_000,
      }),
      threadLog: { logLevel: 'silent', logFormat: 'json' },
      metrics: options.metrics,
      log: silentLog,
    },
    { concurrency: 4, shutdownSeconds: 10, exitWhenBlocked: false, abandonGraceMs: 500, ...options },
  );
  return {
    workerId: worker.workerId,
    get runningCount() {
      return worker.runningCount;
    },
    tick: (max) => worker.tick(max),
    lookForWork: () => worker.lookForWork(),
    stop: async (graceSeconds) => {
      await worker.stop(graceSeconds);
      await listener.stop();
    },
    stopNow: async () => {
      await worker.stopNow();
      await listener.stop();
    },
  };
}
