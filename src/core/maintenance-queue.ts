export interface Repair {
  /** Jobs that waited for nothing any more: always 0, unless somebody moved a parent by hand. */
  readonly repairedCount: number;
  /** Where the next call goes on; null when this one came to the end of the waiting jobs. */
  readonly next: string | null;
}

export interface LeaseCounts {
  /** Jobs that are claimed, in all tenants. */
  readonly runningCount: number;
  /** Those among them whose lease has ended, and which the rescue should have taken. */
  readonly overdueCount: number;
}

/** How the queue stands, as far as that can be counted cheaply. */
export interface QueueMeasure {
  readonly waitingCount: number;
  readonly pendingCancelCount: number;
  readonly workerCount: number;
}

/**
 * Finished jobs of one tenant that are kept equally long, and may be due for deletion. An engine adds how far
 * it has looked.
 */
export interface DueJobs {
  readonly tenantId: string;
  /** For how long the oldest one that may be due has been so. */
  readonly lagSeconds: number;
}

export interface Deletion {
  readonly deletedCount: number;
  /** The same jobs, with how far they have been looked through. */
  readonly rest: DueJobs;
  /** All of them have. */
  readonly isDone: boolean;
}

/** What the maintenance leader calls. Each verb may be called by two processes at once. */
export interface MaintenanceQueue {
  /**
   * Puts jobs whose lease ended back into the queue and writes their `lost` attempt. Knows no definitions.
   * @param upSeconds how long the database has been there without a break: leases longer than that are left
   *   alone, since it may have been an outage that kept their workers from renewing. Without limit by
   *   default.
   */
  rescue(limit: number, upSeconds?: number): Promise<readonly string[]>;
  /**
   * Counts running jobs, and those whose lease ended more than `graceSeconds` ago.
   * @param upSeconds as of `rescue`: leases that it leaves alone are not overdue
   */
  countLeases(graceSeconds: number, upSeconds?: number): Promise<LeaseCounts>;
  /**
   * Makes delayed jobs ready that are due, and notifies workers. A claim does the same for those that it
   * finds.
   * @param of `all`: the longest due first; `eachLane`: up to `limit` of each lane, so that in a backlog each
   *   has its share
   * @returns how many it made ready
   */
  promoteDue(limit: number, of: 'all' | 'eachLane'): Promise<number>;
  /**
   * Ends jobs that have not begun by their `expiresAt`, whether their definition is paused, unknown or busy.
   * @param limit jobs that this call looks at
   * @returns how many expired
   */
  expire(limit: number): Promise<number>;
  /**
   * Ends queued jobs whose cancel is pending: a parent ended badly, they expired, or the cancel was asked
   * before their worker was lost.
   * @param limit jobs that this call ends at most
   * @returns how many it ended; `limit` of them means that there may be more
   */
  finishPendingCancels(limit: number): Promise<number>;
  /**
   * Looks at waiting jobs and releases or cancels those whose parents have all ended: a net under the
   * settling transactions.
   * @param limit waiting jobs that this call looks at
   * @param after the `next` of the last call; null begins with the first
   */
  repairDependents(limit: number, after: string | null): Promise<Repair>;
  /**
   * Where finished jobs may have been kept long enough: as their definition says, else their tenant.
   * @param defaultSeconds where neither says; null: forever
   */
  dueForDeletion(defaultSeconds: number | null): Promise<readonly DueJobs[]>;
  /** Deletes up to `limit` of these that no unfinished job depends on. Dead letters are left. */
  deleteDue(due: DueJobs, limit: number): Promise<Deletion>;
  /** Remembers how far these were looked through, so that what is kept longer is not read again. */
  rememberLooked(due: DueJobs): Promise<void>;
  /**
   * Deletes up to `limit` dead letters that ended more than `retentionSeconds` ago and that no unfinished job
   * depends on.
   */
  deleteDeadLetters(retentionSeconds: number, limit: number): Promise<number>;
  /** Deletes up to `limit` log lines of jobs that are deleted. */
  pruneJobLogs(limit: number): Promise<{ readonly lineCount: number; readonly hasMore: boolean }>;
  /** Those of the ids that no job has any more. */
  findGone(jobIds: readonly string[]): Promise<readonly string[]>;
  /**
   * Removes workers that were not seen for `staleSeconds`, unless the engine itself was away. @returns their
   * ids
   */
  pruneWorkers(staleSeconds: number): Promise<readonly string[]>;
  /**
   * Counts what waits, up to `countedAtMost` of each, and the workers that were seen within `seenSeconds`.
   */
  measure(countedAtMost: number, seenSeconds: number): Promise<QueueMeasure>;
}
