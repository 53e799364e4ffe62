import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimRequest, ClaimResult } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { AT, type ClaimEndRow, type ClaimedRow, claimJobs } from '../db/sql/queue/claim-jobs.ts';
import { claimOf, toClaimedJob } from './claimed-job.ts';
import { LaneMarks } from './lane-marks.ts';
import type { SyncedDefinition } from './sync-definitions.ts';

/** Lanes that one stretch of a claim looks at. */
const MAX_LANES = 32;
/**
 * A claim that found nothing because others held the limits of what is ready looks again: they hold them for milliseconds, and
 * may leave room that nobody would take before the next poll.
 */
const CONTENDED_LOOKS = 3;
const CONTENDED_WAIT_MS = 10;

/** Claims for one process, with what it remembers from claim to claim. */
export class JobClaims {
  readonly #db: Database;
  readonly #definitions: ReadonlyMap<string, SyncedDefinition>;
  readonly #marks = new LaneMarks();
  /** As the last claim found it. */
  #isAlone = true;

  constructor(db: Database, definitions: ReadonlyMap<string, SyncedDefinition>) {
    this.#db = db;
    this.#definitions = definitions;
  }

  /** Asks for nothing. */
  async warmUp(): Promise<void> {
    await this.#claim({ workerId: '', definitionIds: [], limit: 0, after: null });
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    for (let looks = 1; ; looks++) {
      const { result, isContended } = await this.#claim(request);
      if (result.jobs.length > 0 || !isContended || looks > CONTENDED_LOOKS) return result;
      await sleep(CONTENDED_WAIT_MS * (0.5 + Math.random()));
    }
  }

  async #claim({ workerId, definitionIds, limit, ahead, after }: ClaimRequest): Promise<{
    readonly result: ClaimResult;
    readonly isContended: boolean;
  }> {
    const startMs = performance.now();
    const marks = this.#marks.columns(startMs);
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
    // Nothing asked for, or everything that was is paused or at its limit.
    if (last === undefined || last[AT.id] !== null)
      return { result: { jobs: [], cursor: after }, isContended: false };
    const claimed = (rows as ClaimedRow[]).sort(byTurn);
    const end = (last as ClaimEndRow)[AT.payload];
    this.#isAlone = end.isAlone;
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

  #definitionOf(row: ClaimedRow): SyncedDefinition {
    const definition = this.#definitions.get(row[AT.definitionId]);
    // The claim was asked for these ids only.
    if (definition === undefined)
      throw new Error(`Claimed job ${row[AT.id]} of an unknown definition ${row[AT.definitionId]}`);
    return definition;
  }
}

/** The order in which ready jobs run. Times are compared as they come: numbers of one length, which they all have. */
function byTurn(a: ClaimedRow, b: ClaimedRow): number {
  if (a[AT.priority] !== b[AT.priority]) return a[AT.priority] - b[AT.priority];
  const aUs = a[AT.scheduledUs];
  const bUs = b[AT.scheduledUs];
  return aUs.length - bUs.length || (aUs === bUs ? compare(a[AT.id], b[AT.id]) : compare(aUs, bUs));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
