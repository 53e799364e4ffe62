import type { Lease } from '../core/queue.ts';
import type {
  HeartbeatQueue,
  HeartbeatResult,
  Peer,
  WorkerPresence,
  WorkerRecords,
} from '../core/worker-records.ts';
import type { Database } from '../db/database.ts';
import { settleRuns } from '../db/sql/queue/settle-runs.ts';
import { deleteWorker } from '../db/sql/worker/delete-worker.ts';
import { listPeers, type PeerRow } from '../db/sql/worker/list-peers.ts';
import { upsertWorker } from '../db/sql/worker/upsert-worker.ts';
import { renewHeld } from './renew.ts';
import { settleItem, settleParameters } from './settle-items.ts';

const NOT_RUN = { startedAtMs: null, wallMs: 0, cpuMs: null } as const;

/**
 * On Postgres. Apart from the queue's other verbs: the heartbeat thread has memory of its own for whatever it
 * imports.
 */
export class PostgresWorkerRecords implements HeartbeatQueue, WorkerRecords {
  readonly #db: Pick<Database, 'asWorker'>;

  constructor(db: Pick<Database, 'asWorker'>) {
    this.#db = db;
  }

  heartbeat(leases: readonly Lease[], leaseSeconds: readonly number[]): Promise<HeartbeatResult> {
    return renewHeld(this.#db, leases, leaseSeconds);
  }

  async handBack(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const items = leases.map((lease) => settleItem(lease, { kind: 'handBack' }, NOT_RUN));
    await this.#db.asWorker(settleRuns, settleParameters(items));
  }

  async noteWorker(worker: WorkerPresence): Promise<void> {
    await this.#db.asWorker(upsertWorker, [
      worker.workerId,
      worker.hostname,
      worker.pid,
      worker.version,
      worker.definitionKeys,
      worker.concurrency,
      worker.runningCount,
      worker.startedAt,
      worker.isStopping,
      JSON.stringify({ typeConcurrency: worker.typeConcurrency }),
    ]);
  }

  async removeWorker(workerId: string): Promise<void> {
    await this.#db.asWorker(deleteWorker, [workerId]);
  }

  async peersOf(workerId: string): Promise<readonly Peer[]> {
    const { rows } = await this.#db.asWorker<PeerRow>(listPeers, [workerId]);
    return rows.map((row) => ({ workerId: row.worker_id, isBusy: row.is_busy }));
  }
}
