import { toError } from '../../src/core/errors.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import type { Database } from '../../src/db/database.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { classifyError } from '../../src/db/retryable.ts';
import { holdLeadership, type LeadershipRow } from '../../src/db/sql/maintenance/hold-leadership.ts';
import { releaseLeadership } from '../../src/db/sql/maintenance/release-leadership.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface LeadershipDeps {
  readonly database: Database;
  readonly log: Logger;
  /** This process's name among those that would lead; random per start. */
  readonly holder: string;
  /** How long the leadership holds without renewal. */
  readonly leaseMs: number;
  /** Called when this process begins to lead, and when it has noticed that it does no longer. */
  readonly onChange: (leads: boolean) => void;
}

const RENEWALS_PER_LEASE = 3;
/**
 * An answer that comes this late is a stall: it raises no error, but holds up everybody's heartbeats as well.
 */
const STALL_MS = 3_000;

/**
 * One process's part in the leadership: renews it a few times a lease, or looks again when the other's ends.
 * By its own clock it stops leading before the database would let another begin, whatever became of its
 * connection meanwhile.
 */
export class Leadership {
  readonly #deps: LeadershipDeps;
  readonly #outages: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #trying: Promise<void>;
  #stopped = false;
  #failures = 0;
  #term: number | null = null;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  /** This process knows of no time before its own start. */
  #backSinceMs = performance.now();
  #lastGoodMs = performance.now();
  /** When the server began, by our clock. */
  #serverSinceMs = performance.now();

  constructor(deps: LeadershipDeps) {
    this.#deps = deps;
    this.#outages = createOutageLog(deps.log, 'maintenance');
    this.#trying = this.#try();
  }

  get leads(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /** How long the database, and our way to it, has been there without a break. */
  get upSeconds(): number {
    return (performance.now() - Math.max(this.#backSinceMs, this.#serverSinceMs)) / 1000;
  }

  /** Gives the leadership back, if this process has it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#trying;
    if (this.#term === null) return;
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    // Without an answer it ends by itself.
    await this.#deps.database.asWorker(releaseLeadership, [this.#deps.holder]).catch(() => undefined);
  }

  async #try(): Promise<void> {
    const { database, holder, leaseMs, log } = this.#deps;
    let waitMs: number;
    try {
      // Computed from before it was sent: the database counts from later.
      const sentMs = performance.now();
      const { rows } = await database.asWorker<LeadershipRow>(holdLeadership, [
        holder,
        leaseMs / 1000,
        this.#isUnbroken(sentMs),
      ]);
      const row = rows[0];
      if (row === undefined) throw new Error('millrace.maintenance_leader has lost its row');
      this.#sawGood(row);
      this.#settle(row.term, row.term === null ? Number.NEGATIVE_INFINITY : sentMs + leaseMs);
      // A little after its end and not all at once: one takes it, the others see a new end.
      waitMs =
        row.term === null
          ? row.remaining_ms + (0.02 + Math.random() / 10) * leaseMs
          : leaseMs / RENEWALS_PER_LEASE;
    } catch (thrown) {
      const error = toError(thrown);
      this.#failures++;
      if (classifyError(error) === 'fatal') log.error({ err: error }, 'maintenance: could not ask who leads');
      else this.#outages.failed(error);
      if (!this.leads) this.#settle(null, Number.NEGATIVE_INFINITY);
      waitMs = backoffMs(this.#failures);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#trying = this.#try();
    }, waitMs);
  }

  /** As far as this process knows: it has led since its last renewal, and nothing has failed or stalled. */
  #isUnbroken(nowMs: number): boolean {
    return this.#term !== null && this.#failures === 0 && !this.#hasStalled(nowMs);
  }

  #hasStalled(nowMs: number): boolean {
    return nowMs - this.#lastGoodMs > Math.max(STALL_MS, 3 * this.#deps.leaseMs);
  }

  #sawGood(row: LeadershipRow): void {
    const nowMs = performance.now();
    if (this.#failures > 0 || this.#hasStalled(nowMs)) this.#backSinceMs = nowMs;
    this.#lastGoodMs = nowMs;
    this.#serverSinceMs = nowMs - row.server_up_seconds * 1000;
    this.#failures = 0;
    this.#outages.recovered();
  }

  #settle(term: number | null, heldUntilMs: number): void {
    const before = this.#term;
    const led = this.leads;
    this.#term = term;
    this.#heldUntilMs = heldUntilMs;
    if ((before === null) === (term === null)) {
      // Renewed too late: nothing was done meanwhile, and nobody else has led.
      if (!led && this.leads) this.#deps.onChange(true);
      return;
    }
    this.#deps.log.info(
      { term: term ?? before },
      `maintenance: ${term === null ? 'another process leads' : 'leading'}`,
    );
    this.#deps.onChange(term !== null);
  }
}
