import type { Config } from '../../src/config/config.ts';
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
export interface HeartbeatSetup {
  readonly workerId: string;
  readonly hostname: string;
  readonly pid: number;
  readonly version: string;
  readonly definitionKeys: readonly string[];
  /** Jobs of a key that it runs at a time, where that is less than its concurrency. */
  readonly typeConcurrency: Readonly<Record<string, number>>;
  readonly concurrency: number;
  readonly startedAt: Date;
  readonly database: ThreadDatabase;
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

/** How the thread reaches the database: over connections of its own. */
export interface ThreadDatabase {
  readonly connectionString: string;
  readonly rolePrefix: string;
  readonly preparedStatements: boolean;
  readonly pooler?: 'none' | 'transaction';
  /** A connection that gives no answer for this long is replaced, while there is still time to renew. */
  readonly queryTimeoutMs: number;
}
