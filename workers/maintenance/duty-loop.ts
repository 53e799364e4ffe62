import { setTimeout as sleep } from 'node:timers/promises';
import type { Duty, Turn } from '../../src/core/duty.ts';
import { toError } from '../../src/core/errors.ts';
import { createOutageLog, type OutageLog } from '../../src/db/outage-log.ts';
import { classifyError } from '../../src/db/retryable.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { DutyRecord } from './duty-record.ts';
import type { Leadership } from './leadership.ts';

interface Entry {
  readonly duty: Duty;
  dueMs: number;
  failures: number;
}

/** A duty that fails again and again is logged the first time and once every N times. */
const LOG_EACH_FAILURES = 60;
/** A process that does not lead is woken when it does; this is the net under that. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Does its duties one after the other whenever they are due and this process leads. One that fails keeps no
 * other from its turn.
 */
export class DutyLoop {
  readonly #entries: readonly Entry[];
  readonly #leadership: Leadership;
  readonly #log: Logger;
  readonly #record: DutyRecord;
  readonly #outages: OutageLog;
  readonly #stopping = new AbortController();
  #wake: (() => void) | undefined;
  readonly #running: Promise<void>;

  constructor(duties: readonly Duty[], leadership: Leadership, record: DutyRecord, log: Logger) {
    this.#record = record;
    this.#entries = duties.map((duty) => ({ duty, dueMs: 0, failures: 0 }));
    this.#leadership = leadership;
    this.#log = log;
    this.#outages = createOutageLog(log, 'maintenance duties');
    this.#running = this.#run();
  }

  /** Looks at once what is due: this process has begun to lead. */
  wake(): void {
    this.#wake?.();
  }

  /** All its duties are due now. */
  dueNow(): void {
    for (const entry of this.#entries) entry.dueMs = 0;
    this.wake();
  }

  /** Resolves when no duty is under way; begins none afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      for (const entry of this.#entries) {
        if (!this.#goesOn()) break;
        if (entry.dueMs <= performance.now()) await this.#turn(entry);
      }
      await this.#untilDue();
    }
  }

  #goesOn(): boolean {
    return this.#leadership.leads && !this.#stopping.signal.aborted;
  }

  async #turn(entry: Entry): Promise<void> {
    const { duty } = entry;
    const startMs = performance.now();
    // What wakes it during its turn makes it due again: 0 is overwritten at the end only if nobody has set it
    // meanwhile.
    entry.dueMs = Number.POSITIVE_INFINITY;
    const turn: Turn = {
      goOn: () => this.#goesOn(),
      upSeconds: this.#leadership.upSeconds,
      pause: (ms) => sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined),
    };
    try {
      const counts = await duty.run(turn);
      entry.failures = 0;
      this.#outages.recovered();
      await this.#record.note(duty, { workedMs: performance.now() - startMs, failures: 0, error: null });
      const wallMs = Math.round(performance.now() - startMs);
      const level = Object.values(counts).some((count) => count > 0) ? 'info' : 'debug';
      this.#log[level]({ duty: duty.name, ...counts, wall_ms: wallMs }, `maintenance: ${duty.name}`);
    } catch (thrown) {
      const error = toError(thrown);
      if (classifyError(error) === 'reconnect') this.#outages.failed(error);
      else if (entry.failures++ % LOG_EACH_FAILURES === 0)
        this.#log.error(
          { err: error, duty: duty.name, failures: entry.failures },
          'maintenance: a duty failed',
        );
      const workedMs = performance.now() - startMs;
      await this.#record.note(duty, { workedMs, failures: entry.failures, error: error.message });
    }
    if (entry.dueMs !== 0) entry.dueMs = performance.now() + duty.everyMs;
  }

  async #untilDue(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    // Without the leadership nothing is due, and getting it back wakes us.
    const firstMs = Math.min(...this.#entries.map(({ dueMs }) => dueMs)) - performance.now();
    const timer = setTimeout(resolve, this.#leadership.leads ? Math.max(0, firstMs) : LOOK_AGAIN_MS);
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }
}
