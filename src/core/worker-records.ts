import type { Lease } from './queue-values.ts';

export interface HeartbeatResult {
  /** Leases that are no longer ours: abort their handlers, write nothing. */
  readonly lost: readonly string[];
  /** Ours, but not renewed: somebody else holds the row this moment. Ask again soon. */
  readonly busy: readonly string[];
  /** Jobs that somebody asked to cancel. */
  readonly cancelRequested: readonly string[];
}

/** What a worker process shows of itself. */
export interface WorkerPresence {
  readonly workerId: string;
  readonly hostname: string;
  readonly pid: number;
  readonly version: string;
  readonly definitionKeys: readonly string[];
  /** Jobs of a key that it runs at a time, where that is less than its concurrency. */
  readonly typeConcurrency: Readonly<Record<string, number>>;
  readonly concurrency: number;
  readonly runningCount: number;
  readonly startedAt: Date;
  /** It claims no more. */
  readonly isStopping: boolean;
}

/** A live worker that serves the same definitions. */
export interface Peer {
  readonly workerId: string;
  /** All its slots were taken when it was last seen. */
  readonly isBusy: boolean;
}

/**
 * What a worker's heartbeat calls, from a thread of its own: an engine gives that thread a connection that
 * nothing else uses.
 */
export interface HeartbeatQueue {
  /**
   * Renews the leases in one statement. A lease that has ended is renewed too, as long as nobody claimed the
   * job.
   */
  heartbeat(leases: readonly Lease[], leaseSeconds: readonly number[]): Promise<HeartbeatResult>;
  /** Puts runs back unspent, without looking at what follows; a lease that is lost changes nothing. */
  handBack(leases: readonly Lease[]): Promise<void>;
  /** The worker lives: listed from the first time on, and again after it was removed as stale. */
  noteWorker(worker: WorkerPresence): Promise<void>;
  /** The worker has stopped in good order. */
  removeWorker(workerId: string): Promise<void>;
}

/** What workers know of each other. */
export interface WorkerRecords {
  /** The live workers that serve the same definitions, itself included; none while it is not listed yet. */
  peersOf(workerId: string): Promise<readonly Peer[]>;
}
