import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DEFAULT_JOB_LOG_LIMITS, JOB_LOG_LEVELS, type JobLogLevel } from '../../../core/job-log.ts';
import type { Lease } from '../../../core/queue.ts';
import { LOG_CHANNEL } from '../../../db/channels.ts';
import { hold } from '../../../db/hold-lease.ts';
import { logNotification } from '../../../db/log-notification.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { appendJobLogLines } from '../../../db/sql/remote/append-job-log-lines.ts';
import { refused } from '../../../operations/ranges.ts';
import { logLine } from '../../../runs/log-line.ts';
import type { RemoteDeps } from './deps.ts';
import { checkLease, tenantServedBy } from './lease.ts';

const MAX_LINES = 1_000;

export interface RemoteLogLine {
  /** `info` by default. */
  readonly level?: JobLogLevel | null | undefined;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Appends lines to the job's log.
 * @returns how many were stored; fewer than given once the log of the run is full
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const appendLog = defineUseCase(
  {
    name: 'appendLog',
    role: 'worker',
    scope: 'jobs:write',
    toDo: 'write job logs',
    cost: (_lease, lines) => 2 + Math.ceil(lines.length / 50),
  },
  async (
    { db, remote }: RemoteDeps,
    actor: Caller,
    given: Lease,
    lines: readonly RemoteLogLine[],
  ): Promise<number> => {
    const lease = checkLease(given);
    if (lines.length === 0 || lines.length > MAX_LINES)
      throw refused('lines', `${lines.length} lines`, `1 to ${MAX_LINES}`);
    const wrong = lines.findIndex(({ level }) => level != null && !JOB_LOG_LEVELS.includes(level));
    if (wrong >= 0)
      throw refused(
        `lines[${wrong}].level`,
        String(lines[wrong]?.level).slice(0, 50),
        JOB_LOG_LEVELS.join(', '),
      );
    const { job } = await remote.holding(lease, tenantServedBy(actor));
    const now = new Date();
    const stored = lines.map(({ level, message, data }) =>
      logLine(
        0,
        level ?? 'info',
        message,
        data == null ? undefined : (data as Readonly<Record<string, unknown>>),
        now,
      ),
    );
    const count = await db.transaction({ role: 'worker', tenantId: job.tenantId }, async (tx) => {
      await hold(tx, job.tenantId, lease);
      const { rowCount } = await tx.query(appendJobLogLines, [
        lease.jobId,
        lease.runNo,
        job.tenantId,
        stored.map(({ level }) => level),
        stored.map(({ message }) => message),
        stored.map(({ data }) => data),
        stored.map(() => null),
        DEFAULT_JOB_LOG_LIMITS.maxLines,
      ]);
      await recordOutcome(tx, rowCount ?? 0);
      return rowCount ?? 0;
    });
    if (count > 0) remote.notify(LOG_CHANNEL, logNotification([lease.jobId]));
    return count;
  },
);
