import type { Job } from '../../src/core/job.ts';
import type { JobLogLimits } from '../../src/core/job-log.ts';
import type { ClaimedJob, WorkerQueue } from '../../src/core/queue.ts';
import type { TickResult } from '../../src/core/tick.ts';
import type { Listener } from '../../src/db/listener.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import type { SecretBox } from '../../src/payloads/secret-box.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { WorkerMetrics } from '../../src/telemetry/worker-metrics.ts';
import type { ArtifactLookup } from '../handler.ts';
import type { ProvidedRun } from '../provide.ts';
import type { Registry } from '../registry.ts';
import type { ServedDefinitions } from '../served/served-definitions.ts';
import type { RunTools } from './context.ts';
import type { HeartbeatSetup, HeartbeatThread } from './heartbeat-messages.ts';
import type { LogFiles } from './log-files.ts';

export interface WorkerDeps {
  readonly queue: WorkerQueue;
  /** Listens on the work and the cancel channel; the code that made it starts and stops it. */
  readonly listener: Listener;
  readonly notifier: Notifier;
  readonly registry: Registry;
  /** What to claim for, and the settings that are in force. */
  readonly served: ServedDefinitions;
  /** Opens the encrypted fields of payloads; by default no key is known. */
  readonly secrets?: SecretBox;
  readonly toolsFor: (claimed: ClaimedJob) => RunTools;
  readonly artifactsOf: (job: Job) => ArtifactLookup;
  /** Called for each run that is settled; the code that made it closes it after the worker has stopped. */
  readonly logFiles?: LogFiles;
  /** See `createOwnOf`. */
  readonly ownOf: (definitionKey: string, run: ProvidedRun) => unknown;
  /** The heartbeat thread, which has connections and a logger of its own. */
  readonly heartbeatThread: HeartbeatThread;
  readonly threadLog: HeartbeatSetup['log'];
  /** Absent where nobody reads the figures. */
  readonly metrics?: WorkerMetrics | undefined;
  readonly log: Logger;
}

export interface WorkerOptions {
  /** Jobs at a time. */
  readonly concurrency: number;
  /** How long a stop lets running jobs go on. */
  readonly shutdownSeconds: number;
  readonly version?: string;
  /** The guard ends the process when a handler blocks the event loop beyond its deadline. True by default. */
  readonly exitWhenBlocked?: boolean;
  /** 10,000 by default. */
  readonly blockedAfterMs?: number;
  /** How long a handler that was asked to stop may take before it is abandoned; 10,000 by default. */
  readonly abandonGraceMs?: number;
  /** How long an idle worker waits for a notification before it looks by itself; 500 by default. */
  readonly pollMs?: number;
  /**
   * The same while it is connected to hear notifications: longer where a leader makes delayed jobs ready and
   * notifies. As `pollMs` by default.
   */
  readonly listeningPollMs?: number;
  readonly random?: () => number;
  /** How long suspects wait for others and are alone; see `Isolation`. */
  readonly isolation?: { readonly waitMs?: number; readonly aloneMs?: number };
  /** `onTick`: claims nothing by itself, only when `tick` is called. `always` by default. */
  readonly claiming?: 'always' | 'onTick';
  /** What of the handlers' log lines is stored; what is omitted is as `DEFAULT_JOB_LOG_LIMITS`. */
  readonly jobLog?: Partial<JobLogLimits>;
}

export interface RunningWorker {
  readonly workerId: string;
  /** Runs that are not settled. */
  readonly runningCount: number;
  /**
   * Claims at most `max` runnable jobs of all tenants and runs them as the worker runs all others, as many at
   * a time as it has free slots; resolves when they are settled. With all slots taken by other runs it claims
   * nothing.
   * @throws whatever the database throws while it is away, before anything was claimed
   */
  tick(max: number): Promise<TickResult>;
  /** There may be work that no notification has announced. */
  lookForWork(): void;
  /**
   * No more claims; what has not begun is handed back at once; running jobs go on for `graceSeconds` (the
   * options' `shutdownSeconds` by default), are then asked to stop, and are handed back with their attempt
   * unspent. Called again, a shorter grace takes effect. Resolves when all is settled and the worker's row is
   * gone.
   */
  stop(graceSeconds?: number): Promise<void>;
  /**
   * The same without any grace: what does not end within half a second is handed back while it still runs.
   */
  stopNow(): Promise<void>;
}
