/**
 * This many notifications of a channel are delivered as they come; then one each `GAP_MS` on average, with
 * all that came meanwhile.
 */
const BURST = 20;
const GAP_MS = 10;
/**
 * Different payloads that are kept for one delivery; more of them become one empty payload, which stands for
 * any.
 */
const MAX_PAYLOADS = 100;
/** After more payloads than that, the next delivery is this far away: nobody of ours notifies so much. */
const FLOOD_GAP_MS = 250;

/**
 * Any login of the database may notify our channels, and nothing in Postgres forbids it. A notification is a
 * wake-up, so that equal ones are one, and a flood of them costs a few looks a second, whatever its payloads
 * are.
 */
export class DeliveryGate {
  readonly #deliver: (payload: string) => void;
  readonly #pending = new Set<string>();
  #isFlooded = false;
  #timer: NodeJS.Timeout | undefined;
  /**
   * When what was delivered so far would be through at one each gap: how far it lies ahead says how many came
   * lately.
   */
  #busyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deliver: (payload: string) => void) {
    this.#deliver = deliver;
  }

  take(payload: string): void {
    if (this.#timer === undefined) {
      const nowMs = performance.now();
      const busyUntilMs = Math.max(this.#busyUntilMs, nowMs) + GAP_MS;
      if (busyUntilMs <= nowMs + BURST * GAP_MS) {
        this.#busyUntilMs = busyUntilMs;
        this.#deliver(payload);
        return;
      }
      this.#timer = setTimeout(() => this.#flush(), GAP_MS);
    }
    if (this.#isFlooded) return;
    this.#pending.add(payload);
    if (this.#pending.size <= MAX_PAYLOADS) return;
    this.#isFlooded = true;
    this.#pending.clear();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), FLOOD_GAP_MS);
  }

  /** Delivers nothing more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    this.#busyUntilMs = Math.max(this.#busyUntilMs, performance.now()) + GAP_MS;
    const payloads = this.#isFlooded ? [''] : [...this.#pending];
    this.#pending.clear();
    this.#isFlooded = false;
    for (const payload of payloads) this.#deliver(payload);
  }
}
