import { isFinal } from '../../src/core/states.ts';
import type { JobFact } from '../facts.ts';
import type { Judge } from './indexed.ts';

/**
 * Every job that was planned is there and has ended, without a lease, for a reason that its own plan or its
 * losses give.
 */
export const judgeEndings: Judge = ({ planned, jobs }) => {
  const found = jobs.flatMap((job) => {
    if (!isFinal(job.status))
      return [`job ${job.id} (${job.definitionKey}) is ${job.status} in the end, ${waitingFor(job)}`];
    if (job.hasLease) return [`job ${job.id} is ${job.status} and holds a lease`];
    return isExplained(job)
      ? []
      : [`job ${job.id} is ${job.status} (${job.reason ?? 'no reason'}), which nothing explains`];
  });
  return jobs.length < planned
    ? [`${planned} jobs were enqueued, ${jobs.length} are there`, ...found]
    : found;
};

function waitingFor(job: JobFact): string {
  const pendingCancel = job.isCancelRequested ? ', although its cancel was asked for' : '';
  return `behind ${job.pendingDependencies} parents, due in ${job.dueInSeconds.toFixed(1)} s${pendingCancel}`;
}

/** More lost leases in a row than this, and a job is not run again. */
const MAX_LOST_LEASES = 3;

function isExplained(job: JobFact): boolean {
  switch (job.status) {
    case 'succeeded':
      return !job.isPermanent;
    case 'failed':
      return job.isPermanent;
    case 'dead_letter':
      return job.attemptCount >= job.maxAttempts || job.lostLeaseCount > MAX_LOST_LEASES;
    case 'canceled':
      return job.isCanceled || job.reason === 'parent_failed' || job.reason === 'skipped';
    default:
      return false;
  }
}
