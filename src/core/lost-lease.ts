import { DomainError } from './errors.ts';
import type { Lease } from './queue.ts';

/** Another run has the job, or had it: this one may write nothing more. */
export function lostLease({ jobId, runNo }: Lease): DomainError {
  const message = `Run ${runNo} of job ${jobId} does not hold its lease any more.`;
  return new DomainError('LostLease', message, { jobId, runNo });
}
