import type { Job } from '../core/job.ts';
import type { Settlement } from '../core/outcome.ts';
import { onFinal } from '../core/pipelines/next.ts';
import type {
  ClaimedJob,
  ClaimRequest,
  ClaimResult,
  Finish,
  FinishResult,
  HeartbeatResult,
  Lease,
  RunMeasure,
  WorkerQueue,
} from '../core/queue.ts';
import type { Bell } from '../db/bell.ts';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import { findLeaseStates, type LeaseStateRow } from '../db/sql/queue/find-lease-states.ts';
import { rescueJobs } from '../db/sql/queue/rescue-jobs.ts';
import { type SettledRow, settleJobs } from '../db/sql/queue/settle-jobs.ts';
import { startJob } from '../db/sql/queue/start-job.ts';
import { JobClaims } from './claim.ts';
import { DoomedEnder } from './doomed.ts';
import { applyEffects, finishedJob, recordArtifacts } from './effects.ts';
import { leaseColumns, renewHeld } from './renew.ts';
import { SettleBatch } from './settle-batch.ts';
import { type SettleItem, settleItem, settleParameters } from './settle-items.ts';
import type { SyncedDefinition } from './sync-definitions.ts';

/** The worker's side of the queue on Postgres. */
export class PostgresWorkerQueue implements WorkerQueue {
  readonly #db: Database;
  readonly #bell: Bell;
  readonly #claims: JobClaims;
  readonly #batch: SettleBatch;
  readonly #ender: DoomedEnder;

  /** @param definitions the definitions this process can run, by id */
  constructor(db: Database, bell: Bell, definitions: ReadonlyMap<string, SyncedDefinition>) {
    this.#ender = new DoomedEnder(db, bell);
    this.#db = db;
    this.#bell = bell;
    this.#claims = new JobClaims(db, definitions);
    this.#batch = new SettleBatch(db, (rows) => this.#settled(rows));
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const result = await this.#claims.claim(request);
    if (result.jobs.length > 0) this.#bell.ring(WATCH_CHANNEL);
    return result;
  }

  async start(lease: Lease): Promise<boolean> {
    const { rowCount } = await this.#db.asWorker(startJob, [lease.jobId, lease.runNo, lease.token]);
    return rowCount === 1;
  }

  heartbeat(leases: readonly Lease[], leaseSeconds: readonly number[]): Promise<HeartbeatResult> {
    return renewHeld(this.#db, leases, leaseSeconds);
  }

  async finish(claimed: ClaimedJob, finish: Finish, measure: RunMeasure): Promise<FinishResult> {
    const item = settleItem(claimed.lease, finish, measure);
    const { job } = claimed;
    const settlement = finish.kind === 'final' ? finish.settlement : null;
    const effects = settlement === null ? null : onFinal(finishedJob(job, claimed.definitionKey), settlement);
    const artifacts = artifactsOf(settlement);
    const alone =
      artifacts.length > 0 || (effects !== null && effects.changes.length + effects.next.length > 0);
    const moved =
      alone && effects !== null
        ? await this.#settleWith(item, job, artifacts, effects)
        : await this.#batch.settle(item);
    if (!moved) return this.#whyNotMoved(claimed.lease);
    // A job that waits for its time needs no bell: workers look again by themselves.
    if (item.status === 'queued' && (item.delaySeconds ?? 0) === 0) this.#bell.ring(WORK_CHANNEL);
    return 'settled';
  }

  async holds(lease: Lease): Promise<boolean> {
    return (await this.#leaseState(lease)) !== undefined;
  }

  async rescue(limit: number, upSeconds = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const { rows } = await this.#db.asWorker<{ id: string }>(rescueJobs, [limit, upSeconds]);
    if (rows.length > 0) {
      this.#bell.ring(WORK_CHANNEL);
      this.#bell.ring(WATCH_CHANNEL);
    }
    return rows.map((row) => row.id);
  }

  /** Settles one run with its domain rows, artifacts and next jobs: all of it or, for a lost lease, nothing. */
  async #settleWith(
    item: SettleItem,
    job: Job,
    artifacts: ReturnType<typeof artifactsOf>,
    effects: ReturnType<typeof onFinal>,
  ): Promise<boolean> {
    const settled = await this.#db.transaction({ role: 'worker', tenantId: job.tenantId }, async (tx) => {
      const { rows } = await tx.query<SettledRow>(settleJobs, settleParameters([item]));
      if (rows.length === 0) return rows;
      await recordArtifacts(tx, job, artifacts);
      await applyEffects(tx, job, effects);
      return rows;
    });
    this.#settled(settled);
    if (settled.length > 0 && effects.next.length > 0) this.#bell.ring(WORK_CHANNEL);
    return settled.length > 0;
  }

  /** After the commit of a settling statement. */
  #settled(rows: readonly SettledRow[]): void {
    if (rows.length === 0) return;
    this.#bell.ring(WATCH_CHANNEL);
    if (rows[0]?.released !== null) this.#bell.ring(WORK_CHANNEL);
    // Not awaited: the run is settled, whatever becomes of those that waited for it.
    if (rows[0]?.released === 'doomed') void this.#ender.end();
  }

  async #whyNotMoved(lease: Lease): Promise<FinishResult> {
    const state = await this.#leaseState(lease);
    return state?.cancel_requested === true ? 'cancelRequested' : 'notOwner';
  }

  async #leaseState(lease: Lease): Promise<LeaseStateRow | undefined> {
    const { rows } = await this.#db.asWorker<LeaseStateRow>(findLeaseStates, leaseColumns([lease]));
    return rows[0];
  }
}

function artifactsOf(
  settlement: Settlement | null,
): Extract<Settlement, { status: 'succeeded' }>['artifacts'] {
  return settlement?.status === 'succeeded' ? settlement.artifacts : [];
}
