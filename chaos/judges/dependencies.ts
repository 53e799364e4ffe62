import { isFinal } from '../../src/core/states.ts';
import type { Edge, JobFact } from '../facts.ts';
import { type IndexedFacts, type Judge, runKey } from './indexed.ts';

/**
 * Nobody runs before the parents have ended, and a parent that ended badly does to its children what their
 * edges say.
 */
export const judgeDependencies: Judge = (facts) =>
  facts.jobs.flatMap((job) => {
    const edges = facts.edgesOf.get(job.id) ?? [];
    return edges.length === 0
      ? []
      : problemsOf(job, edges, facts).map((problem) => `job ${job.id} ${problem}`);
  });

function problemsOf(
  job: JobFact,
  edges: readonly Edge[],
  { jobOf, movesOf, begun }: IndexedFacts,
): readonly string[] {
  const problems: string[] = [];
  // A job that is doomed may be claimed while other parents go on: by a worker that ends it without running
  // it.
  const firstRun = movesOf
    .get(job.id)
    ?.find(({ became, runNo }) => became === 'running' && begun.has(runKey(job.id, runNo)));
  const canceledBy = new Set<string>();
  for (const { parentId, policy } of edges) {
    const parent = jobOf.get(parentId);
    if (parent === undefined) {
      problems.push(`waits for ${parentId}, which is not there`);
      continue;
    }
    const endedUs = movesOf.get(parentId)?.find(({ became }) => isFinal(became))?.atUs;
    if (firstRun !== undefined && (endedUs === undefined || endedUs > firstRun.atUs))
      problems.push(`ran before its parent ${parentId} had ended`);
    if (endedBadly(parent)) canceledBy.add(policy);
  }
  const isCancelPending = job.reason === 'parent_failed' || job.reason === 'skipped';
  if (isCancelPending && !canceledBy.has(job.reason === 'skipped' ? 'skip' : 'cancel'))
    problems.push(`is ${job.status} as ${job.reason}, but no parent of it ended badly under that policy`);
  if (job.status !== 'canceled' && (canceledBy.has('cancel') || canceledBy.has('skip')))
    problems.push(`is ${job.status} although a parent ended badly under ${[...canceledBy].join(' and ')}`);
  return problems;
}

function endedBadly({ status, reason }: JobFact): boolean {
  return status === 'failed' || status === 'dead_letter' || (status === 'canceled' && reason !== 'skipped');
}
