import { DomainError } from '../../../core/errors.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { JobFileRun } from './job-file-key.ts';

/**
 * A signed URL outlives the run that it was made for.
 * @throws DomainError `WrongState` when the run has ended
 */
export async function checkRunGoesOn(
  { remote }: Pick<JobsDeps, 'remote'>,
  { tenantId, jobId, runNo }: JobFileRun,
): Promise<void> {
  if (await remote.isRunning(tenantId, jobId, runNo)) return;
  throw new DomainError(
    'WrongState',
    'The run that this URL was made for has ended; nothing more is stored for it.',
    {},
  );
}
