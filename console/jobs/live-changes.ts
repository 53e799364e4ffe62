import type { Job } from '../../src/client/index.ts';
import type { JobRow } from '../api/operations.gen.ts';
import type { ListedJob } from './listed-job.ts';

type Row = Job | JobRow;

export type Change = { readonly job: Row } | { readonly goneId: string };

/**
 * Changes of jobs that are in no row yet: enough for those of a page that is on its way, and for a count of
 * new ones. A tab that is open for days keeps no more.
 */
const MAX_UNSHOWN = 2_000;

/** What a stream has said about jobs since their page was read. Never changed in place. */
export class LiveChanges {
  readonly #jobs: ReadonlyMap<string, Row>;
  readonly #gone: ReadonlySet<string>;

  constructor(jobs: ReadonlyMap<string, Row> = new Map(), gone: ReadonlySet<string> = new Set()) {
    this.#jobs = jobs;
    this.#gone = gone;
  }

  /** @param shown ids of the rows: what is known about them is kept in any case */
  with(changes: readonly Change[], shown: ReadonlySet<string>): LiveChanges {
    const [jobs, gone] = [new Map(this.#jobs), new Set(this.#gone)];
    for (const change of changes) {
      if ('goneId' in change) {
        gone.add(change.goneId);
        continue;
      }
      const { job } = change;
      const known = jobs.get(job.id);
      // Only after a resume: what comes twice may come as it was.
      if (known !== undefined && BigInt(known.version) > BigInt(job.version)) continue;
      gone.delete(job.id);
      // The latest change last: what is forgotten is the oldest.
      jobs.delete(job.id);
      jobs.set(job.id, job);
    }
    forgetOldest(jobs, shown);
    forgetOldest(gone, shown);
    return new LiveChanges(jobs, gone);
  }

  /** After a page was read again: rows that left are not in it any more. */
  seen(): LiveChanges {
    return new LiveChanges(this.#jobs, new Set());
  }

  /** The rows of pages as they are now, in their places. */
  over(
    rows: readonly (JobRow & { readonly source?: string; readonly worker?: string | null })[],
  ): ListedJob[] {
    const shown = new Set<string>();
    return rows.flatMap((row) => {
      if (shown.has(row.id)) return [];
      shown.add(row.id);
      const change = this.#jobs.get(row.id);
      const isNewer = change !== undefined && BigInt(change.version) >= BigInt(row.version);
      return [{ ...row, ...(isNewer && change), isGone: this.#gone.has(row.id) }];
    });
  }

  /**
   * How many jobs match and are in none of these rows; what is older than all of them comes with its page.
   */
  newAmong(rows: readonly ListedJob[], hasMore: boolean): number {
    const shown = new Set(rows.map(({ id }) => id));
    const oldest = hasMore ? (rows.at(-1)?.uuid ?? '') : '';
    let count = 0;
    for (const [id, { uuid }] of this.#jobs)
      if (!shown.has(id) && !this.#gone.has(id) && uuid > oldest) count++;
    return count;
  }
}

function forgetOldest(known: Map<string, unknown> | Set<string>, shown: ReadonlySet<string>): void {
  if (known.size <= MAX_UNSHOWN) return;
  const unshown = [...known.keys()].filter((id) => !shown.has(id));
  for (const id of unshown.slice(0, Math.max(0, unshown.length - MAX_UNSHOWN))) known.delete(id);
}
