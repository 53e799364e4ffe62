import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DEFAULT_JOB_LOG_LIMITS, JOB_LOG_LEVELS, type JobLogLevel } from '../../../core/job-log.ts';
import type { Lease } from '../../../core/queue.ts';
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
    { remote }: RemoteDeps,
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
    const run = await remote.holding(lease, tenantServedBy(actor));
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
    return remote.appendLines(run, stored, DEFAULT_JOB_LOG_LIMITS.maxLines);
  },
);
