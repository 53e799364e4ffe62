import type { SyncedDefinition } from './definition-records.ts';
import type { JobLogLevel } from './job-log.ts';
import type { ClaimedJob, Finish, FinishResult } from './queue.ts';
import type { Lease } from './queue-values.ts';
import type { RunProgress, RunRecords } from './run-records.ts';
import type { HeartbeatQueue } from './worker-records.ts';

export interface RemoteClaimRequest {
  readonly workerId: string;
  /** The one tenant whose jobs it may have; null: of all tenants. */
  readonly tenantId: string | null;
  readonly definitions: readonly SyncedDefinition[];
  /** 1 to 500. */
  readonly limit: number;
  readonly waitMs: number;
  /** Its client has left. */
  readonly signal?: AbortSignal | undefined;
}

/** A run as its worker holds it, and what decides how it may end. */
export interface HeldRun extends ClaimedJob {
  readonly definition: SyncedDefinition;
  /** The engine's clock when it was read. */
  readonly nowMs: number;
  /** From the claim until now, by that clock. */
  readonly heldMs: number;
  /** From the start until now; null before it. */
  readonly ranMs: number | null;
}

/** What is known of a worker that reaches the server over the network; absent: as before. */
export interface RemoteWorkerPresence {
  readonly workerId: string;
  /** What it calls itself. */
  readonly name: string;
  /** The one tenant whose jobs it may have; null: of all tenants. */
  readonly tenantId: string | null;
  readonly version?: string | null | undefined;
  readonly definitionKeys?: readonly string[] | undefined;
  readonly concurrency?: number | null | undefined;
  readonly runningCount: number;
}

/** A line that a remote run logs; it gets its number and its time when it is stored. */
export interface RemoteLine {
  readonly level: JobLogLevel;
  readonly message: string;
  /** JSON text. */
  readonly data: string | null;
}

/**
 * The engine's side of workers that reach the server over the network. Their runs are known by their leases
 * alone.
 */
export interface RemoteWork extends Pick<HeartbeatQueue, 'heartbeat'>, Pick<RunRecords, 'findArtifacts'> {
  /**
   * Definitions by their keys, archived ones too, in the order of the keys; those that are not there are
   * missing.
   */
  findDefinitions(keys: readonly string[]): Promise<readonly SyncedDefinition[]>;
  /** One that was asked for before, or that a claimed job has. */
  definition(id: string): SyncedDefinition | undefined;
  /** Whether the ends of a definition's jobs lead to records of a domain. */
  isPipelined(definitionKey: string): boolean;
  /** Claims jobs, and waits for them where there are none; those that must not run end here. */
  claim(request: RemoteClaimRequest): Promise<readonly ClaimedJob[]>;
  /**
   * The runs that these leases hold, of this tenant where it is not null.
   * @returns by job id; those that are lost are missing
   */
  held(leases: readonly Lease[], tenantId: string | null): Promise<ReadonlyMap<string, HeldRun>>;
  /** @throws DomainError `LostLease` */
  holding(lease: Lease, tenantId: string | null): Promise<HeldRun>;
  /** Notes that the job begins now. @throws DomainError `LostLease` */
  start(lease: Lease): Promise<void>;
  /** Shows how far a run is. @throws DomainError `LostLease` */
  reportProgress(progress: RunProgress): Promise<void>;
  /**
   * Appends lines to a run's log, after those that it has.
   * @param maxLines that the run's log holds
   * @returns how many were stored
   * @throws DomainError `LostLease`
   */
  appendLines(
    run: Pick<HeldRun, 'job' | 'lease'>,
    lines: readonly RemoteLine[],
    maxLines: number,
  ): Promise<number>;
  finish(claimed: ClaimedJob, finish: Finish): Promise<FinishResult>;
  /** Whether a run has not ended. */
  isRunning(tenantId: string, jobId: string, runNo: number): Promise<boolean>;
  /** The worker lives: `workers` lists it from its first claim on. */
  noteRemoteWorker(worker: RemoteWorkerPresence): Promise<void>;
  /** There may be work: those that wait for it look. */
  signal(): void;
  /** Answers all that wait, with nothing. */
  close(): void;
}
