import type { Lease } from '../../../core/queue.ts';
import { builder } from '../../../graphql/builder.ts';
import { checkLease } from '../use-cases/lease.ts';

export const JobLeaseInput = builder.inputType('JobLeaseInput', {
  description: 'The lease of a claimed job, as `claimJobs` gave it: every write of its worker carries it.',
  fields: (t) => ({
    jobUuid: t.field({ type: 'UUID', required: true, description: 'The job.' }),
    runNo: t.int({ required: true, description: 'Number of the run.' }),
    token: t.field({ type: 'UUID', required: true, description: 'The secret of the lease.' }),
  }),
});

/**
 * The lease as use-cases take it.
 * @param at where the client wrote it
 * @throws DomainError `InvalidArgument` naming the field as the client wrote it
 */
export function leaseOfInput(
  input: { readonly jobUuid: string; readonly runNo: number; readonly token: string },
  at = 'lease.',
): Lease {
  return checkLease({ jobId: input.jobUuid, runNo: input.runNo, token: input.token }, at);
}
