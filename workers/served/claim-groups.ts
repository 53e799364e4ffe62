import type { LaneCursor } from '../../src/core/queue.ts';
import type { Run } from '../runtime/run.ts';
import type { ServedDefinitions } from './served-definitions.ts';

/** Definitions that are claimed together, and where their next claim goes on. */
export interface ClaimGroup {
  readonly definitionIds: readonly string[];
  /** Jobs of the group that may run at a time in this process; null: as many as it has slots. */
  readonly limit: number | null;
  cursor: LaneCursor | null;
}

/**
 * What a process claims for: all definitions without a limit of the process's own in one claim, and each with
 * one by itself, since a claim takes as many jobs as it may of whatever is ready. Most processes have one
 * group, and ask as if there were none.
 */
export class ClaimGroups {
  readonly #served: ServedDefinitions;
  #groups: readonly ClaimGroup[] = [];
  #version = -1;
  #turn = 0;

  constructor(served: ServedDefinitions) {
    this.#served = served;
  }

  /** The groups, as the definitions are now. */
  get all(): readonly ClaimGroup[] {
    if (this.#version !== this.#served.version) this.#regroup();
    return this.#groups;
  }

  /**
   * The groups in the order of this claim: each is the first in its turn, so that none takes every free slot
   * forever.
   */
  inTurn(): readonly ClaimGroup[] {
    const groups = this.all;
    if (groups.length < 2) return groups;
    const first = this.#turn++ % groups.length;
    return [...groups.slice(first), ...groups.slice(0, first)];
  }

  #regroup(): void {
    this.#version = this.#served.version;
    const before = new Map(this.#groups.map((group) => [nameOf(group), group.cursor]));
    const { concurrency } = this.#served;
    const free: string[] = [];
    const limited: ClaimGroup[] = [];
    for (const { id, key } of this.#served.claimable) {
      const limit = concurrency.get(key);
      if (limit === undefined) free.push(id);
      else limited.push({ definitionIds: [id], limit, cursor: null });
    }
    const groups: ClaimGroup[] = limited;
    if (free.length > 0 || limited.length === 0)
      groups.push({ definitionIds: free, limit: null, cursor: null });
    for (const group of groups) group.cursor = before.get(nameOf(group)) ?? null;
    this.#groups = groups;
  }
}

/** Jobs of a group that its limit leaves room for, beside the runs that are open. */
export function roomOf({ limit, definitionIds }: ClaimGroup, open: () => Iterable<Run>): number {
  if (limit === null) return Number.POSITIVE_INFINITY;
  let running = 0;
  for (const run of open()) if (definitionIds[0] === run.claimed.job.definitionId && isAtWork(run)) running++;
  return limit - running;
}

/**
 * From its claim until its handler has ended: what is being written after that needs nothing of the process.
 */
function isAtWork({ phase, slot }: Run): boolean {
  return phase === 'claimed' || phase === 'running' || slot !== undefined;
}

function nameOf({ limit, definitionIds }: ClaimGroup): string {
  return limit === null ? '' : (definitionIds[0] ?? '');
}
