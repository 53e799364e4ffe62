import type {
  Deletion,
  DueJobs,
  LeaseCounts,
  MaintenanceQueue,
  QueueMeasure,
  Repair,
} from '../core/maintenance-queue.ts';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { type NotifyQueueRow, readNotifyQueue } from '../db/sql/feed/read-notify-queue.ts';
import { countOverdueLeases, type OverdueLeasesRow } from '../db/sql/queue/count-overdue-leases.ts';
import { type DeletedDeadLettersRow, deleteDeadLetters } from '../db/sql/queue/delete-dead-letters.ts';
import { findJobsGone } from '../db/sql/queue/find-jobs-gone.ts';
import { measureQueue, type QueueMeasureRow } from '../db/sql/queue/measure-queue.ts';
import { type PromotedRow, promoteDueJobs } from '../db/sql/queue/promote-due-jobs.ts';
import { promoteDueLanes } from '../db/sql/queue/promote-due-lanes.ts';
import { type PrunedLogsRow, pruneJobLogs } from '../db/sql/queue/prune-job-logs.ts';
import { type PrunedWorkerRow, pruneWorkers } from '../db/sql/queue/prune-workers.ts';
import { type RescuedJobRow, rescueJobs } from '../db/sql/queue/rescue-jobs.ts';
import { repairDependents } from './dependencies-repair.ts';
import { expireJobs, finishPendingCancels } from './pending-cancel-finisher.ts';
import type { Pipelines } from './pipelines.ts';
import { Retention } from './retention.ts';

/** The maintenance leader's side of the queue on Postgres. */
export class PostgresMaintenanceQueue implements MaintenanceQueue {
  readonly #db: Database;
  readonly #notifier: Pick<Notifier, 'notify'>;
  readonly #pipelines: Pipelines;
  readonly #retention: Retention;

  constructor(db: Database, notifier: Pick<Notifier, 'notify'>, pipelines: Pipelines) {
    this.#db = db;
    this.#notifier = notifier;
    this.#pipelines = pipelines;
    this.#retention = new Retention(db);
  }

  async rescue(limit: number, upSeconds = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    const { rows } = await this.#db.asWorker<RescuedJobRow>(rescueJobs, [limit, upSeconds]);
    if (rows.length > 0) {
      this.#notifier.notify(WORK_CHANNEL);
      this.#notifier.notify(WATCH_CHANNEL);
    }
    return rows.map((row) => row.id);
  }

  async countLeases(graceSeconds: number, upSeconds = Number.POSITIVE_INFINITY): Promise<LeaseCounts> {
    const values = [graceSeconds, upSeconds - graceSeconds];
    const { rows } = await this.#db.asWorker<OverdueLeasesRow>(countOverdueLeases, values);
    return { runningCount: rows[0]?.running_count ?? 0, overdueCount: rows[0]?.overdue_count ?? 0 };
  }

  async promoteDue(limit: number, of: 'all' | 'eachLane'): Promise<number> {
    const statement = of === 'all' ? promoteDueJobs : promoteDueLanes;
    const { rows } = await this.#db.asWorker<PromotedRow>(statement, [limit]);
    const promoted = rows[0]?.promoted ?? 0;
    if (promoted > 0) this.#notifier.notify(WORK_CHANNEL, `/${promoted}`);
    return promoted;
  }

  expire(limit: number): Promise<number> {
    return expireJobs(this.#db, this.#notifier, this.#pipelines, limit);
  }

  finishPendingCancels(limit: number): Promise<number> {
    return finishPendingCancels(this.#db, this.#notifier, this.#pipelines, limit);
  }

  repairDependents(limit: number, after: string | null): Promise<Repair> {
    return repairDependents(this.#db, this.#notifier, this.#pipelines, limit, after);
  }

  dueForDeletion(defaultSeconds: number | null): Promise<readonly DueJobs[]> {
    return this.#retention.due(defaultSeconds);
  }

  async deleteDue(due: DueJobs, limit: number): Promise<Deletion> {
    const deletion = await this.#retention.delete(due, limit);
    if (deletion.deletedCount > 0) this.#notifier.notify(WATCH_CHANNEL);
    return deletion;
  }

  rememberLooked(due: DueJobs): Promise<void> {
    return this.#retention.remember(due);
  }

  async deleteDeadLetters(retentionSeconds: number, limit: number): Promise<number> {
    const values = [retentionSeconds, limit];
    const { rows } = await this.#db.asWorker<DeletedDeadLettersRow>(deleteDeadLetters, values);
    const deleted = rows[0]?.deleted ?? 0;
    if (deleted > 0) this.#notifier.notify(WATCH_CHANNEL);
    return deleted;
  }

  async pruneJobLogs(limit: number): Promise<{ readonly lineCount: number; readonly hasMore: boolean }> {
    const { rows } = await this.#db.asWorker<PrunedLogsRow>(pruneJobLogs, [limit]);
    return { lineCount: rows[0]?.lines ?? 0, hasMore: rows[0]?.more ?? false };
  }

  async findGone(jobIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.#db.asWorker<{ id: string }>(findJobsGone, [jobIds]);
    return rows.map(({ id }) => id);
  }

  async pruneWorkers(staleSeconds: number): Promise<readonly string[]> {
    const { rows } = await this.#db.asWorker<PrunedWorkerRow>(pruneWorkers, [staleSeconds]);
    return rows.map((row) => row.worker_id);
  }

  async measure(countedAtMost: number, seenSeconds: number): Promise<QueueMeasure> {
    const { rows } = await this.#db.asWorker<QueueMeasureRow>(measureQueue, [countedAtMost, seenSeconds]);
    // Frees the queue of notifications once nobody holds it up any more, where nobody else notifies or
    // measures.
    await this.#db.asWorker<NotifyQueueRow>(readNotifyQueue, []);
    return {
      waitingCount: rows[0]?.waiting_count ?? 0,
      pendingCancelCount: rows[0]?.doomed_count ?? 0,
      workerCount: rows[0]?.worker_count ?? 0,
    };
  }
}
