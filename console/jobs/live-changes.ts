import type { Job } from '../../src/client/index.ts';
import type { JobRow } from '../api/operations.gen.ts';
import type { ListedJob } from './listed-job.ts';

type Row = Job | JobRow;

/**
 * What is known of one job, and as of when: a number of `nextMoment`, taken when a stream's event came, or
 * before a request for it was sent. Of two that differ the later one holds, in whichever order they arrive.
 */
export type Change = ({ readonly job: Row } | { readonly goneId: string }) & { readonly asOf: number };

/** One answer of the list, with the moment before it was asked for. */
export interface ReadPage {
  readonly asOf: number;
  readonly nodes: readonly (JobRow & { readonly source?: string; readonly worker?: string | null })[];
}

/**
 * Changes of jobs that are in no row yet: enough for those of a page that is on its way, and for a count of
 * new ones. A tab that is open for days keeps no more.
 */
const MAX_UNSHOWN = 2_000;

let lastMoment = 0;

/** @returns a number greater than all before it in this tab */
export function nextMoment(): number {
  return ++lastMoment;
}

interface Known {
  readonly job: Row;
  readonly asOf: number;
}

/** What rows have last been shown as: most of a long list are so again after a few have changed. */
const drawn = new WeakMap<
  ReadPage['nodes'][number],
  { readonly known: Known | undefined; readonly asOf: number; readonly listed: ListedJob }
>();

/** What is known of jobs since their pages were read. Never changed in place. */
export class LiveChanges {
  readonly #jobs: ReadonlyMap<string, Known>;
  /** By the moments as of which they had left. */
  readonly #gone: ReadonlyMap<string, number>;
  /** The latest moment of a change that is not kept. */
  readonly forgottenAsOf: number;

  constructor(
    jobs: ReadonlyMap<string, Known> = new Map(),
    gone: ReadonlyMap<string, number> = new Map(),
    forgottenAsOf = 0,
  ) {
    this.#jobs = jobs;
    this.#gone = gone;
    this.forgottenAsOf = forgottenAsOf;
  }

  /** @param shown ids of the rows: what is known about them is kept in any case */
  with(changes: readonly Change[], shown: ReadonlySet<string>): LiveChanges {
    const [jobs, gone] = [new Map(this.#jobs), new Map(this.#gone)];
    for (const change of changes) {
      const { asOf } = change;
      if ('goneId' in change) {
        if ((jobs.get(change.goneId)?.asOf ?? 0) < asOf) gone.set(change.goneId, asOf);
        continue;
      }
      const { job } = change;
      const known = jobs.get(job.id);
      // A progress alone keeps the version.
      if (known !== undefined && !isNewer(job, asOf, known.job, known.asOf)) continue;
      if ((gone.get(job.id) ?? 0) < asOf) gone.delete(job.id);
      // The latest change last: what is forgotten is the oldest.
      jobs.delete(job.id);
      jobs.set(job.id, { job, asOf });
    }
    const forgotten = [
      ...forgetOldest(jobs, shown).map(({ asOf }) => asOf),
      ...forgetOldest(gone, shown),
      this.forgottenAsOf,
    ];
    return new LiveChanges(jobs, gone, Math.max(...forgotten));
  }

  /** The rows of pages as they are now, in their places. */
  over(pages: readonly ReadPage[]): ListedJob[] {
    const shown = new Set<string>();
    return pages.flatMap(({ asOf, nodes }) =>
      nodes.flatMap((row) => {
        if (shown.has(row.id)) return [];
        shown.add(row.id);
        const known = this.#jobs.get(row.id);
        // One that had left before its page was read has come back since: it would not be on the page.
        const isGone = (this.#gone.get(row.id) ?? 0) > asOf;
        const before = drawn.get(row);
        if (before?.known === known && before?.asOf === asOf && before.listed.isGone === isGone)
          return [before.listed];
        const change =
          known !== undefined && isNewer(known.job, known.asOf, row, asOf) ? known.job : undefined;
        const listed = { ...row, ...change, isGone };
        drawn.set(row, { known, asOf, listed });
        return [listed];
      }),
    );
  }

  /**
   * How many jobs match and are in none of these rows; what is older than all of them comes with its page,
   * and what was known when the first page was asked for is on it, if it matched.
   */
  newAmong(rows: readonly ListedJob[], hasMore: boolean, firstPageAsOf: number): number {
    const shown = new Set(rows.map(({ id }) => id));
    const oldest = hasMore ? (rows.at(-1)?.uuid ?? '') : '';
    let count = 0;
    for (const [id, { job, asOf }] of this.#jobs)
      if (asOf > firstPageAsOf && !shown.has(id) && !this.#gone.has(id) && job.uuid > oldest) count++;
    return count;
  }
}

function isNewer(job: Row, asOf: number, than: Row, thanAsOf: number): boolean {
  const [version, other] = [BigInt(job.version), BigInt(than.version)];
  return version > other || (version === other && asOf > thanAsOf);
}

/** @returns what is not known any more */
function forgetOldest<Value>(known: Map<string, Value>, shown: ReadonlySet<string>): readonly Value[] {
  if (known.size <= MAX_UNSHOWN) return [];
  const unshown = [...known].filter(([id]) => !shown.has(id));
  const oldest = unshown.slice(0, Math.max(0, unshown.length - MAX_UNSHOWN));
  for (const [id] of oldest) known.delete(id);
  return oldest.map(([, value]) => value);
}
