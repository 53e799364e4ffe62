import { DomainError } from '../../../core/errors.ts';
import { isRunGoingOn } from '../../../db/sql/remote/is-run-going-on.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { JobFileRun } from './job-file-key.ts';

/**
 * A signed URL outlives the run that it was made for.
 * @throws DomainError `WrongState` when the run has ended
 */
export async function checkRunGoesOn(
  { db }: Pick<JobsDeps, 'db'>,
  { tenantId, jobId, runNo }: JobFileRun,
): Promise<void> {
  const { rowCount } = await db.asWorker(isRunGoingOn, [tenantId, jobId, runNo]);
  if (rowCount === 1) return;
  throw new DomainError(
    'WrongState',
    'The run that this URL was made for has ended; nothing more is stored for it.',
    {},
  );
}
