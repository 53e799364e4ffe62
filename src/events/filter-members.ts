import type { JobStatus } from '../core/job.ts';
import type { JobChange } from './change.ts';
import type { CheckedFilter } from './filter.ts';

/** More than this are not remembered one by one. */
const MAX_MEMBERS = 10_000;

/** Decides what a change means to a subscriber that asked for some statuses or tags only: in, out, or never been there. */
export class FilterMembers {
  readonly #statuses: ReadonlySet<JobStatus> | null;
  readonly #tags: readonly string[] | null;
  readonly #members = new Set<string>();
  /** Jobs created since this time (ms since 1970) are known from their start; +Infinity: none is. */
  #knownSinceMs = Number.POSITIVE_INFINITY;

  constructor({ statuses, tags }: Pick<CheckedFilter, 'statuses' | 'tags'>) {
    this.#statuses = statuses === null ? null : new Set(statuses);
    this.#tags = tags;
  }

  /** A fresh state was read whole: whatever was created after `sinceMs` and is not in it is not in the filter. */
  startFrom(sinceMs: number): void {
    this.#members.clear();
    this.#knownSinceMs = sinceMs;
  }

  /** Forgets everybody: from now on any job may have been in the filter. */
  forget(): void {
    this.startFrom(Number.POSITIVE_INFINITY);
  }

  /**
   * What to tell of the change, without noting it. Where it is unknown whether the subscriber has the job, it is told that the
   * job left: that does no harm, the opposite would leave a job standing for ever.
   */
  judge(change: JobChange): 'in' | 'left' | 'outside' {
    if (this.#isIn(change)) return 'in';
    if (this.#members.has(change.jobId)) return 'left';
    return creationMs(change.jobId) >= this.#knownSinceMs ? 'outside' : 'left';
  }

  #isIn({ status, tags }: JobChange): boolean {
    if (this.#statuses?.has(status) === false) return false;
    return this.#tags === null || (tags?.some((tag) => this.#tags?.includes(tag)) ?? false);
  }

  /** Knows from now on what `other` knows too: for subscribers that go on together, who may then be told of a leave they need not hear of. */
  adopt(other: FilterMembers): void {
    this.#knownSinceMs = Math.max(this.#knownSinceMs, other.#knownSinceMs);
    for (const jobId of other.#members) this.told(jobId, 'in');
  }

  /** Notes what the subscriber has been told. */
  told(jobId: string, verdict: 'in' | 'left'): void {
    if (verdict === 'left') this.#members.delete(jobId);
    else if (this.#members.size < MAX_MEMBERS) this.#members.add(jobId);
    else this.#knownSinceMs = Number.POSITIVE_INFINITY;
  }
}

/** When a job was made, from its UUIDv7; an id of another kind tells nothing, which counts as long ago. */
function creationMs(jobId: string): number {
  if (jobId[14] !== '7') return Number.NEGATIVE_INFINITY;
  return Number.parseInt(jobId.slice(0, 8) + jobId.slice(9, 13), 16);
}
