import type { Facts, JobFact, Limit } from '../facts.ts';
import type { IndexedFacts, Judge } from './indexed.ts';

interface Interval {
  readonly fromUs: number;
  readonly untilUs: number;
}

export interface LimitUse {
  readonly name: string;
  /** The most that ran at any one time. */
  readonly most: number;
  readonly allowed: number;
}

/**
 * No limit is exceeded at any time: from the intervals in which runs held their places, by a sweep and not by
 * looking now and then.
 */
export const judgeLimits: Judge = (facts) =>
  limitUses(facts)
    .filter(({ most, allowed }) => most > allowed)
    .map(({ name, most, allowed }) => `${name}: ${most} ran at a time, ${allowed} are allowed`);

/** How far each limit was used; one that was never reached says little about whether it holds. */
export function limitUses(facts: IndexedFacts): readonly LimitUse[] {
  const runs = runIntervals(facts);
  return facts.limits.flatMap((limit) =>
    groupsOf(limit, facts).map(({ name, includes }) => ({
      name,
      most: mostAtOnce(runs.filter(({ job }) => includes(job))),
      allowed: limit.maxRunning,
    })),
  );
}

/** The most intervals that overlap at any one time. One that ends when another begins makes room for it. */
export function mostAtOnce(intervals: readonly Interval[]): number {
  const edges = intervals.flatMap(({ fromUs, untilUs }) => [
    { atUs: fromUs, change: 1 },
    { atUs: untilUs, change: -1 },
  ]);
  edges.sort((a, b) => a.atUs - b.atUs || a.change - b.change);
  let now = 0;
  let most = 0;
  for (const { change } of edges) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

function runIntervals({ movesOf, jobOf }: IndexedFacts): readonly (Interval & { readonly job: JobFact })[] {
  return [...movesOf].flatMap(([jobId, moves]) => {
    const job = jobOf.get(jobId);
    if (job === undefined) return [];
    return moves
      .filter(({ was, became }) => became === 'running' && was !== became)
      .map(({ runNo, atUs }) => ({
        job,
        fromUs: atUs,
        untilUs:
          moves.find((end) => end.was === 'running' && end.became !== 'running' && end.runNo === runNo)
            ?.atUs ?? Number.POSITIVE_INFINITY,
      }));
  });
}

/** A limit for each tenant by itself is as many limits as there are tenants. */
function groupsOf(
  limit: Limit,
  { jobs }: Facts,
): readonly { readonly name: string; readonly includes: (job: JobFact) => boolean }[] {
  const tenants = limit.perTenant ? [...new Set(jobs.map(({ tenantId }) => tenantId))] : [limit.tenantId];
  return tenants.map((tenantId) => ({
    name: [limit.definitionKey, tenantId === null ? null : `tenant ${tenantId}`]
      .filter((part) => part !== null)
      .join(' of '),
    includes: (job) =>
      (tenantId === null || job.tenantId === tenantId) &&
      (limit.definitionKey === null || job.definitionKey === limit.definitionKey),
  }));
}
