import { AT, type ClaimedRow } from '../db/sql/queue/claim-jobs.ts';

/** A place in the ready order of one priority of a lane. */
interface Mark {
  /** Microseconds since 1970, exact. */
  readonly us: string;
  readonly id: string;
}

interface MarkedLane {
  readonly tenantId: string;
  readonly definitionId: string;
  /** By priority. */
  readonly marks: Map<number, Mark>;
  /** When the lane was last looked through from its beginning, and how long that claim took. */
  fullAtMs: number;
  fullTookMs: number;
  gaveAtMs: number;
}

/** The mark columns of `claim_jobs`: lane and priority in order, one place each. */
export type MarkColumns = readonly [
  tenantIds: string[],
  definitionIds: string[],
  priorities: number[],
  times: string[],
  ids: string[],
  full: boolean[],
];

/** Only what a lane gives in plenty leaves enough dead index entries behind to be worth a mark. */
const BUSY_ROWS = 32;
const MAX_LANES = 16;
const MAX_PRIORITIES = 4;
const FORGET_AFTER_MS = 60_000;
/** A full look may cost a twentieth of the time. */
const FULL_EVERY = 20;
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;

/**
 * Low-water marks: up to where busy lanes have been emptied, as far as this process saw. While some session
 * holds an old snapshot, the index entries of claimed jobs can't be removed, and a claim that began at the
 * head of its lane would wade through all of them. A hint only: jobs before a mark (committed late, given
 * back by a claim that failed) are found by the looks from the beginning, which come at least every second to
 * every minute, depending on what they cost.
 */
export class LaneMarks {
  readonly #lanes = new Map<string, MarkedLane>();

  /** The marks to claim with now; lanes whose full look is due are left out, which makes it one. */
  columns(nowMs: number): MarkColumns {
    const columns: MarkColumns = [[], [], [], [], [], []];
    const lanes = [...this.#lanes.values()]
      .filter((lane) => nowMs - lane.fullAtMs < intervalMs(lane))
      .sort((a, b) => compare(a.tenantId, b.tenantId) || compare(a.definitionId, b.definitionId));
    for (const lane of lanes) {
      const mayLookFully = nowMs - lane.fullAtMs >= lane.fullTookMs * FULL_EVERY;
      for (const [priority, mark] of [...lane.marks].sort(([a], [b]) => a - b)) {
        columns[0].push(lane.tenantId);
        columns[1].push(lane.definitionId);
        columns[2].push(priority);
        columns[3].push(mark.us);
        columns[4].push(mark.id);
        columns[5].push(mayLookFully);
      }
    }
    return columns;
  }

  /**
   * Moves the marks past what a claim returned.
   * @param rows in the order in which ready jobs run
   * @param used the marks it was made with
   * @param isShort it returned less than it was asked for, so it has been through all lanes
   */
  note(
    rows: readonly ClaimedRow[],
    used: MarkColumns,
    isShort: boolean,
    nowMs: number,
    tookMs: number,
  ): void {
    const byLane = groupByLane(rows);
    for (const [key, lane] of this.#lanes) {
      const index = used[0].findIndex((id, at) => id === lane.tenantId && used[1][at] === lane.definitionId);
      const wasFull = index < 0 ? isShort || byLane.has(key) : isShort && used[5][index] === true;
      if (wasFull) Object.assign(lane, { fullAtMs: nowMs, fullTookMs: tookMs });
      if (nowMs - lane.gaveAtMs > FORGET_AFTER_MS) this.#lanes.delete(key);
    }
    for (const [key, given] of byLane) {
      const first = given[0] as ClaimedRow;
      const known = this.#lanes.get(key);
      if (known === undefined && given.length < BUSY_ROWS) continue;
      const lane = known ?? {
        tenantId: first[AT.tenantId],
        definitionId: first[AT.definitionId],
        marks: new Map(),
        fullAtMs: nowMs,
        fullTookMs: tookMs,
        gaveAtMs: nowMs,
      };
      lane.gaveAtMs = nowMs;
      for (const row of lastOfPriorities(given)) {
        const mark = lane.marks.get(row[AT.priority]);
        if (mark === undefined || isBefore(mark, row))
          lane.marks.set(row[AT.priority], { us: row[AT.scheduledUs], id: row[AT.id] });
      }
      // The lanes used last stay.
      this.#lanes.delete(key);
      if (lane.marks.size <= MAX_PRIORITIES) this.#lanes.set(key, lane);
    }
    for (const key of this.#lanes.keys()) {
      if (this.#lanes.size <= MAX_LANES) break;
      this.#lanes.delete(key);
    }
  }
}

/**
 * A stretch of one lane, as a claim's rows mostly are, makes its key once: for each row it cost more than all
 * the rest here.
 */
function groupByLane(rows: readonly ClaimedRow[]): ReadonlyMap<string, readonly ClaimedRow[]> {
  const byLane = new Map<string, ClaimedRow[]>();
  let lane: ClaimedRow[] | undefined;
  let before: ClaimedRow | undefined;
  for (const row of rows) {
    if (
      lane === undefined ||
      row[AT.tenantId] !== before?.[AT.tenantId] ||
      row[AT.definitionId] !== before[AT.definitionId]
    ) {
      const key = `${row[AT.tenantId]} ${row[AT.definitionId]}`;
      lane = byLane.get(key) ?? [];
      byLane.set(key, lane);
    }
    lane.push(row);
    before = row;
  }
  return byLane;
}

function lastOfPriorities(rows: readonly ClaimedRow[]): readonly ClaimedRow[] {
  return rows.filter((row, at) => row[AT.priority] !== rows[at + 1]?.[AT.priority]);
}

function intervalMs(lane: MarkedLane): number {
  return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, lane.fullTookMs * FULL_EVERY));
}

function isBefore(mark: Mark, row: ClaimedRow): boolean {
  const [a, b] = [Number(mark.us), Number(row[AT.scheduledUs])];
  return a < b || (a === b && mark.id < row[AT.id]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
