import type { Lease } from '../../../core/queue.ts';
import { Type } from '../../../rest/schema.ts';

export const TAG = 'Remote workers';
export const RUN_PARAMS = Type.Object({ job_id: Type.Uuid({ description: 'The claimed job’s id.' }) });
export const RUN_EXAMPLE = { run_no: 1, token: '{lease_token}' };

/** The lease of a route about one run. */
export function leaseOf(
  { job_id: jobId }: { readonly job_id: string },
  { run_no: runNo, token }: { readonly run_no: number; readonly token: string },
): Lease {
  return { jobId, runNo, token };
}
