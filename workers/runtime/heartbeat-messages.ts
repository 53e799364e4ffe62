import type { Config } from '../../src/config/config.ts';
import type { WorkerPresence } from '../../src/core/worker-records.ts';
import type { LeaseBatch } from './lease-batch.ts';

/** From the main thread. */
export type HeartbeatOrder =
  | { readonly kind: 'hold'; readonly batches: readonly LeaseBatch[] }
  /** No more claims; shown in the worker's row. */
  | { readonly kind: 'stopping' }
  /** Removes the worker's row and ends the thread. */
  | { readonly kind: 'close' };

/** To the main thread. */
export type HeartbeatNews =
  /** The first round is over: leases that are held from now on are renewed in time. */
  | { readonly kind: 'ready' }
  /** N leases were renewed. */
  | { readonly kind: 'renewed'; readonly count: number }
  /** Keys of runs. */
  | { readonly kind: 'runs'; readonly lost: readonly string[]; readonly cancelRequested: readonly string[] };

/** What the thread is started with. */
export interface HeartbeatSetup extends Omit<WorkerPresence, 'runningCount' | 'isStopping'> {
  /** What the thread's entry opens its engine with. */
  readonly engine: unknown;
  readonly log: Pick<Config, 'logLevel' | 'logFormat'>;
  /** One counter that the main thread's loop moves on twice a second; one that stands still is blocked. */
  readonly pulse: Int32Array<SharedArrayBuffer>;
  /** The places of the shared table (see `SharedLeaseTable`). */
  readonly places: Float64Array<SharedArrayBuffer>;
  /** How long past a job's deadline the main loop may be silent before the guard acts. */
  readonly blockedAfterMs: number;
  /** The guard ends the process; otherwise it only gives the leases up. */
  readonly exitWhenBlocked: boolean;
}

/** A thread of heartbeats on an engine. */
export interface HeartbeatThread {
  /** Its module: opens the engine and calls `runHeartbeat`. */
  readonly entry: URL;
  /** What it needs for that; is copied into the thread. */
  readonly engine: unknown;
}
