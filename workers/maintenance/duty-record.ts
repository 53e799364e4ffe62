import type { Duty } from '../../src/core/duty.ts';
import type { Database } from '../../src/db/database.ts';
import { storeDuty } from '../../src/db/sql/maintenance/store-duty.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';

/** A duty that has a turn each second is noted this often; a slower one at each of its turns. */
const NOTE_EVERY_MS = 30_000;

/** What became of a turn. */
export interface DutyTurn {
  readonly workedMs: number;
  /** In a row, this one included. */
  readonly failures: number;
  readonly error: string | null;
}

/** Notes the turns of duties, for `doctor` and the metrics of the process that leads. */
export class DutyRecord {
  readonly #database: Pick<Database, 'asWorker'>;
  readonly #gauges: Gauges;
  readonly #notedMs = new Map<string, number>();
  readonly #lags = new Map<string, number>();
  readonly #endedMs = new Map<string, number>();

  constructor(database: Pick<Database, 'asWorker'>, gauges: Gauges) {
    this.#database = database;
    this.#gauges = gauges;
  }

  /** How far behind a duty is, as it finds it at its turn. */
  lag(name: string, seconds: number): void {
    this.#lags.set(name, seconds);
    this.#gauges.set(
      `millrace_duty_${inSnakeCase(name)}_lag_seconds`,
      `How far behind the duty "${name}" is.`,
      seconds,
    );
  }

  /** Never throws: a record that is not written is written at the next turn. */
  async note({ name, everyMs }: Duty, { workedMs, failures, error }: DutyTurn): Promise<void> {
    const nowMs = performance.now();
    const beforeMs = this.#endedMs.get(name);
    this.#endedMs.set(name, nowMs);
    if (beforeMs !== undefined)
      this.#gauges.set(
        `millrace_duty_${inSnakeCase(name)}_turn_seconds`,
        `From the end of the last turn but one of the duty "${name}" to the end of the last.`,
        (nowMs - beforeMs) / 1_000,
      );
    if (failures === 0 && nowMs - (this.#notedMs.get(name) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS)
      return;
    this.#notedMs.set(name, nowMs);
    const values = [
      name,
      everyMs / 1_000,
      Math.round(workedMs),
      failures,
      error,
      this.#lags.get(name) ?? null,
    ];
    await this.#database.asWorker(storeDuty, values).catch(() => undefined);
  }

  /** This process leads no longer: its figures would be taken for those of now. */
  forget(): void {
    for (const name of this.#endedMs.keys())
      for (const what of ['lag', 'turn'])
        this.#gauges.forget(`millrace_duty_${inSnakeCase(name)}_${what}_seconds`);
    this.#endedMs.clear();
    this.#notedMs.clear();
    this.#lags.clear();
  }
}

function inSnakeCase(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
