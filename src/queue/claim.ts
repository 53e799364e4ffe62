import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimRequest, ClaimResult } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { type ClaimEnd, type ClaimedRow, claimJobs } from '../db/sql/queue/claim-jobs.ts';
import { toClaimedJob } from './claimed-job.ts';
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

  constructor(db: Database, definitions: ReadonlyMap<string, SyncedDefinition>) {
    this.#db = db;
    this.#definitions = definitions;
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
    const { rows } = await this.#db.asWorker<ClaimedRow | ClaimEnd>(claimJobs, [
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
    ]);
    const end = rows.at(-1);
    // Nothing asked for, or everything that was is paused or at its limit.
    if (end === undefined || end.id !== null)
      return { result: { jobs: [], cursor: after }, isContended: false };
    const claimed = rows.slice(0, -1) as ClaimedRow[];
    const nowMs = performance.now();
    this.#marks.note(claimed, marks, claimed.length < limit + (ahead?.count ?? 0), nowMs, nowMs - startMs);
    return {
      result: {
        jobs: claimed.map((row) => toClaimedJob(row, this.#definitionOf(row), workerId, end.lease_token)),
        cursor:
          end.cursor_tenant_id === null || end.cursor_definition_id === null
            ? after
            : {
                tenantId: end.cursor_tenant_id,
                definitionId: end.cursor_definition_id,
                credit: end.cursor_credit,
              },
      },
      isContended: end.is_contended,
    };
  }

  #definitionOf(row: ClaimedRow): SyncedDefinition {
    const definition = this.#definitions.get(row.definition_id);
    // The claim was asked for these ids only.
    if (definition === undefined)
      throw new Error(`Claimed job ${row.id} of an unknown definition ${row.definition_id}`);
    return definition;
  }
}
