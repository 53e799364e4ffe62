/** Runs of a definition that its pace is judged by: the newest ones. */
const SAMPLES = 64;
const MIN_SAMPLES = 8;
/**
 * Above this, claiming for each freed slot costs little beside the work, and claiming ahead would make others
 * wait.
 */
export const BRIEF_P95_MS = 50;
/** Work that may lie here claimed and not begun, in time; others could have it meanwhile. */
const AHEAD_MS = 200;
const MAX_AHEAD = 500;
/** How long a definition is not claimed ahead after a job of it came that has lost a lease. */
const DISTRUST_MS = 10_000;

interface Recent {
  readonly wallMs: Float64Array;
  count: number;
  /** Judged again every few runs: sorting for each would cost as much as a small job. */
  judgedAt: number;
  p95Ms: number;
  meanMs: number;
  distrustedUntilMs: number;
}

/**
 * How long runs of each definition have taken lately in this process, and so how many may be claimed ahead.
 */
export class Pace {
  readonly #recent = new Map<string, Recent>();

  /** @param wallMs how long the handler took */
  note(definitionId: string, wallMs: number): void {
    let recent = this.#recent.get(definitionId);
    if (recent === undefined) {
      recent = {
        wallMs: new Float64Array(SAMPLES),
        count: 0,
        judgedAt: 0,
        p95Ms: 0,
        meanMs: 0,
        distrustedUntilMs: 0,
      };
      this.#recent.set(definitionId, recent);
    }
    recent.wallMs[recent.count % SAMPLES] = wallMs;
    recent.count++;
  }

  /**
   * A job of it has lost a lease: it may be what kills workers, and whatever lay claimed beside it would lose
   * its lease too, again and again, until all of it counted as poison. For a while none is claimed ahead.
   */
  distrust(definitionId: string): void {
    const recent = this.#recent.get(definitionId);
    if (recent !== undefined) recent.distrustedUntilMs = performance.now() + DISTRUST_MS;
  }

  /** Definitions whose recent runs took less than 50 ms at the 95th percentile. */
  briefDefinitionIds(): readonly string[] {
    return [...this.#recent].filter(([, recent]) => isBrief(recent)).map(([id]) => id);
  }

  /**
   * How many jobs of the brief definitions may be claimed and not begun: what `slots` run in 200 ms, at
   * most 500.
   * @param slots that are free or soon will be
   */
  aheadCount(slots: number): number {
    let slowestMs: number | undefined;
    for (const recent of this.#recent.values())
      if (isBrief(recent)) slowestMs = Math.max(slowestMs ?? 0.01, recent.meanMs);
    return slowestMs === undefined ? 0 : Math.min(MAX_AHEAD, Math.floor((AHEAD_MS * slots) / slowestMs));
  }
}

function isBrief(recent: Recent): boolean {
  if (recent.count < MIN_SAMPLES || performance.now() < recent.distrustedUntilMs) return false;
  if (recent.judgedAt === 0 || recent.count - recent.judgedAt >= SAMPLES / 2) {
    const known = recent.wallMs.slice(0, Math.min(recent.count, SAMPLES)).sort();
    recent.p95Ms = known[Math.ceil(known.length * 0.95) - 1] ?? 0;
    recent.meanMs = known.reduce((sum, ms) => sum + ms, 0) / known.length;
    recent.judgedAt = recent.count;
  }
  return recent.p95Ms < BRIEF_P95_MS;
}
