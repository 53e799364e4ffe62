import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncedDefinition } from '../core/definition-records.ts';
import type { ClaimRequest, ClaimResult, LaneCursor } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import {
  AT,
  type ClaimEnd,
  type ClaimEndRow,
  type ClaimedRow,
  claimJobs,
} from '../db/sql/queue/claim-jobs.ts';
import { claimSingleLane, type SingleLaneEnd } from '../db/sql/queue/claim-single-lane.ts';
import { claimOf, toClaimedJob } from './claimed-job.ts';
import { LaneMarks, type MarkColumns } from './lane-marks.ts';
import { singleLaneEnd, singleLaneRequest } from './single-lane.ts';

/** Lanes that one stretch of a claim looks at. */
const MAX_LANES = 32;
/**
 * A claim that found nothing because others held the limits of what is ready looks again: they hold them for
 * milliseconds, and may leave room that nobody would take before the next poll.
 */
const CONTENDED_LOOKS = 3;
const CONTENDED_WAIT_MS = 10;

/** What a statement gave, and what it said of the claim as a whole. */
interface Answer {
  readonly rows: ClaimedRow[];
  readonly end: ClaimEnd;
}

/**
 * So long the lane is not asked alone again when it was not the only one. Lanes that nobody here may claim
 * from (unserved, paused) are others too, and may lie there for days: asked in vain each time, every claim
 * would be two statements.
 */
const MULTIPLE_LANES_MS = 10_000;

/** Claims for one process, with what it remembers from claim to claim. */
export class JobClaims {
  readonly #db: Pick<Database, 'asWorker'>;
  readonly #definitions: ReadonlyMap<string, SyncedDefinition>;
  readonly #marks = new LaneMarks();
  /** As the last claim found it. */
  #isAlone = true;
  /** The last two claims that had jobs had them from one lane without limits, and there was no other. */
  #isSingleLane = false;
  #multipleLanesUntilMs = Number.NEGATIVE_INFINITY;

  constructor(db: Pick<Database, 'asWorker'>, definitions: ReadonlyMap<string, SyncedDefinition>) {
    this.#db = db;
    this.#definitions = definitions;
  }

  /** Asks for nothing, by both statements: the first job that comes finds them planned. */
  async warmUp(): Promise<void> {
    await this.#db.asWorker(claimSingleLane, ['', null, null, 0, false]);
    const nothing = { workerId: '', definitionIds: [], limit: 0, after: null };
    await this.#ofAll(nothing, [[], [], [], [], [], []]);
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    for (let looks = 1; ; looks++) {
      const { result, isContended } = await this.#claim(request);
      if (result.jobs.length > 0 || !isContended || looks > CONTENDED_LOOKS) return result;
      await sleep(CONTENDED_WAIT_MS * (0.5 + Math.random()));
    }
  }

  async #claim(request: ClaimRequest): Promise<{
    readonly result: ClaimResult;
    readonly isContended: boolean;
  }> {
    const { workerId, limit, ahead, after } = request;
    const startMs = performance.now();
    const marks = this.#marks.columns(startMs);
    const answer = (await this.#claimSingle(request, marks, startMs)) ?? (await this.#ofAll(request, marks));
    // Nothing asked for, or everything that was is paused or at its limit.
    if (answer === undefined) return { result: { jobs: [], cursor: after }, isContended: false };
    const { end } = answer;
    const claimed = answer.rows.sort(byTurn);
    this.#isAlone = end.isAlone;
    this.#isSingleLane =
      end.isAlone && (this.#isSingleLane || (claimed.length > 0 && isSameLane(end, after)));
    const claim = claimOf(end, workerId);
    const nowMs = performance.now();
    this.#marks.note(claimed, marks, claimed.length < limit + (ahead?.count ?? 0), nowMs, nowMs - startMs);
    return {
      result: {
        jobs: claimed.map((row) => toClaimedJob(row, claim, this.#definitionOf(row))),
        cursor:
          end.tenantId === null || end.definitionId === null
            ? after
            : { tenantId: end.tenantId, definitionId: end.definitionId, credit: end.credit },
      },
      isContended: end.isContended,
    };
  }

  /** Claims from the single lane of the last claim. Undefined when there was none, or is none now. */
  async #claimSingle(request: ClaimRequest, marks: MarkColumns, nowMs: number): Promise<Answer | undefined> {
    const isAsked = this.#isSingleLane && nowMs >= this.#multipleLanesUntilMs && marks[0].length === 0;
    const ask = isAsked ? singleLaneRequest(request, MAX_LANES) : undefined;
    if (ask === undefined) return undefined;
    const { tenantId, definitionId } = ask.lane;
    const values = [request.workerId, tenantId, definitionId, ask.most, ask.isAhead];
    const { rows } = await this.#db.asWorker<ClaimedRow | ClaimEndRow>(claimSingleLane, values);
    const last = rows.pop();
    if (last === undefined) {
      this.#isSingleLane = false;
      this.#multipleLanesUntilMs = nowMs + MULTIPLE_LANES_MS;
      return undefined;
    }
    const end = last[AT.payload] as SingleLaneEnd;
    return { rows: rows as ClaimedRow[], end: singleLaneEnd(ask, end, rows.length) };
  }

  /** Claims from all lanes. */
  async #ofAll(
    { workerId, definitionIds, limit, ahead, after }: ClaimRequest,
    marks: MarkColumns,
  ): Promise<Answer | undefined> {
    const { rows } = await this.#db.asWorker<ClaimedRow | ClaimEndRow>(claimJobs, [
      workerId,
      definitionIds,
      limit,
      ahead?.count ?? 0,
      ahead?.definitionIds ?? [],
      after?.tenantId ?? null,
      after?.definitionId ?? null,
      after?.credit ?? 0,
      MAX_LANES,
      ...marks,
      this.#isAlone,
    ]);
    const last = rows.pop();
    if (last === undefined || last[AT.id] !== null) return undefined;
    return { rows: rows as ClaimedRow[], end: last[AT.payload] as ClaimEnd };
  }

  #definitionOf(row: ClaimedRow): SyncedDefinition {
    const definition = this.#definitions.get(row[AT.definitionId]);
    // The claim was asked for these ids only.
    if (definition === undefined)
      throw new Error(`Claimed job ${row[AT.id]} of an unknown definition ${row[AT.definitionId]}`);
    return definition;
  }
}

function isSameLane(end: ClaimEnd, lane: LaneCursor | null): boolean {
  return end.tenantId === lane?.tenantId && end.definitionId === lane.definitionId;
}

/**
 * The order in which ready jobs run. Times are compared as they come: numbers of one length, which they all
 * have.
 */
function byTurn(a: ClaimedRow, b: ClaimedRow): number {
  if (a[AT.priority] !== b[AT.priority]) return a[AT.priority] - b[AT.priority];
  const aUs = a[AT.scheduledUs];
  const bUs = b[AT.scheduledUs];
  return aUs.length - bUs.length || (aUs === bUs ? compare(a[AT.id], b[AT.id]) : compare(aUs, bUs));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
