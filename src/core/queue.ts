import type { DefinitionRecords } from './definition-records.ts';
import type { AttemptOutput, Job, JobError } from './job.ts';
import type { MaintenanceQueue } from './maintenance-queue.ts';
import type { Settlement } from './outcome.ts';
import type { ProducerQueue } from './producer-queue.ts';
import type { Lease } from './queue-values.ts';
import type { RunRecords } from './run-records.ts';
import type { HeartbeatQueue, WorkerRecords } from './worker-records.ts';

export type { MaintenanceQueue } from './maintenance-queue.ts';
export type {
  CancelResult,
  Dependency,
  DependencyPolicy,
  EnqueueInput,
  EnqueueItemResult,
  EnqueueResult,
  Lease,
  RetryResult,
} from './queue-values.ts';
export type { HeartbeatResult } from './worker-records.ts';

/** A job as a worker gets it: the row, its lease, and the definition's settings. */
export interface ClaimedJob {
  readonly job: Job;
  readonly definitionKey: string;
  readonly lease: Lease;
  readonly leaseSeconds: number;
  readonly timeoutSeconds: number;
}

/** Where the next claim goes on among the lanes; kept by each worker for itself. */
export interface LaneCursor {
  readonly tenantId: string;
  readonly definitionId: string;
  /** Jobs that this lane has left of its turn: the next claim begins with them. None by default. */
  readonly credit?: number;
}

export interface ClaimRequest {
  readonly workerId: string;
  /** Ids of the definitions that this worker can run. */
  readonly definitionIds: readonly string[];
  /** Free slots: at most this many jobs of definitions that are not claimed ahead, 0 to 500. */
  readonly limit: number;
  /**
   * Jobs beyond the free slots, and of which definitions: those that run so briefly that a claim for each
   * freed slot would cost more than the work. Never of lanes under a limit. `limit` and this together are at
   * most 500.
   */
  readonly ahead?: { readonly count: number; readonly definitionIds: readonly string[] };
  /** Claim only in lanes after this one first; null starts at the beginning. */
  readonly after: LaneCursor | null;
}

export interface ClaimResult {
  readonly jobs: readonly ClaimedJob[];
  /** The last lane visited; null when none was. */
  readonly cursor: LaneCursor | null;
}

/** The largest result that is stored where no setting says otherwise, as JSON text. */
export const DEFAULT_MAX_RESULT_BYTES: number = 1024 * 1024;

/** What a run cost and when it began; written to its attempt row. */
export interface RunMeasure {
  /** Milliseconds since 1970 by the database's clock; null when it was settled without having been run. */
  readonly startedAtMs: number | null;
  readonly wallMs: number;
  readonly cpuMs: number | null;
  /** What the attempt keeps of a program that the run has run. */
  readonly output?: AttemptOutput;
}

/** How one claimed run ends. */
export type Finish =
  | { readonly kind: 'final'; readonly settlement: Settlement; readonly timedOut?: boolean }
  /** Try again later; spends one attempt and writes an attempt row. */
  | {
      readonly kind: 'retry';
      readonly delaySeconds: number;
      readonly error: JobError;
      readonly timedOut?: boolean;
    }
  /** Look again later; spends none and writes no attempt row. */
  | { readonly kind: 'snooze'; readonly delaySeconds: number; readonly reason: string }
  /** Interrupted by a shutdown: spends no attempt; its run is on record as interrupted. */
  | { readonly kind: 'handBack' };

/**
 * `settled`: it is written. `cancelRequested`: the job was to go back to the queue, but somebody asked to
 * cancel it; nothing changed, settle it as canceled. `notOwner`: the lease is somebody else's by now; nothing
 * changed.
 */
export type FinishResult = 'settled' | 'cancelRequested' | 'notOwner';

/** Called once with how a finish went. */
export interface FinishListener {
  finished(result: FinishResult): void;
  failed(error: unknown): void;
}

/** What workers call. Every verb but `claim` is fenced by leases. */
export interface WorkerQueue extends RunRecords, WorkerRecords, Pick<HeartbeatQueue, 'heartbeat'> {
  /** What can be got ready before the first job is there, so that it need not wait for that. */
  warmUp?(): Promise<void>;
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Notes that the handler starts now; false when the lease is not ours any more. */
  start(lease: Lease): Promise<boolean>;
  /** Notes that a claimed run waits with its start: a death of its worker before that is not its own. */
  putOffStart?(lease: Lease): Promise<void>;
  /** Settles one run together with its domain changes, artifacts and next jobs, in one transaction. */
  finish(claimed: ClaimedJob, finish: Finish, measure: RunMeasure): Promise<FinishResult>;
  /**
   * As `finish`, for an engine that ends hundreds of runs at a time: promises and closures for each of them
   * are a tenth of what a small job costs its worker. Does not throw.
   */
  finishWithCallback?(
    claimed: ClaimedJob,
    finish: Finish,
    measure: RunMeasure,
    listener: FinishListener,
  ): void;
  /** True while the lease is still the job's: the last look before a fixed name is published. */
  holds(lease: Lease): Promise<boolean>;
}

/** Every verb of the queue: nothing else writes a job's status. */
export interface JobQueue<Definition = unknown, Transaction = unknown>
  extends ProducerQueue<Definition, Transaction>,
    WorkerQueue,
    HeartbeatQueue,
    DefinitionRecords,
    MaintenanceQueue {}
