/** What happened longer ago counts less, by half for each such time; at least one step back always counts. */
const HALF_LIFE_MS = 10_000;

/**
 * How long a run still needs, from how fast its percent has grown. The rate is (percent gained) / (time
 * taken), both summed over the updates with weights that halve every ten seconds, so a pause slows it down
 * and a burst does not make it jump:
 *
 *     gained = gained · ½^(Δt / 10 s) + Δpercent      spent = spent · ½^(Δt / 10 s) + Δt
 *     eta    = (100 − percent) / (gained / spent) − (time since the last update), at least 0
 *
 * Null before the percent has grown, and when it is unknown. A percent that goes back begins again.
 */
export class Eta {
  #percent: number | null = null;
  #atMs = 0;
  #gained = 0;
  #spentMs = 0;

  /** The handler has said how far it is. */
  note(percent: number | null, nowMs: number): void {
    const before = this.#percent;
    if (percent === null || before === null || percent < before) {
      this.#gained = 0;
      this.#spentMs = 0;
    } else {
      const tookMs = Math.max(0, nowMs - this.#atMs);
      const kept = 0.5 ** (tookMs / HALF_LIFE_MS);
      this.#gained = this.#gained * kept + percent - before;
      this.#spentMs = this.#spentMs * kept + tookMs;
    }
    this.#percent = percent;
    this.#atMs = nowMs;
  }

  /** Seconds from now, to a tenth; null while there is nothing to compute from. */
  seconds(nowMs: number): number | null {
    if (this.#percent === null) return null;
    if (this.#percent >= 100) return 0;
    if (this.#gained <= 0 || this.#spentMs <= 0) return null;
    const leftMs = ((100 - this.#percent) * this.#spentMs) / this.#gained - (nowMs - this.#atMs);
    return Math.max(0, Math.round(leftMs / 100) / 10);
  }
}
