import type { ClaimRequest, LaneCursor } from '../core/queue.ts';
import type { ClaimEnd } from '../db/sql/queue/claim-jobs.ts';
import type { SingleLaneEnd } from '../db/sql/queue/claim-single-lane.ts';

/** A claim in one lane. */
export interface SingleLaneRequest {
  readonly lane: LaneCursor;
  /** Jobs, at most. */
  readonly most: number;
  /** They start later. */
  readonly isAhead: boolean;
  /** Jobs that a turn of the lane has for each point of its tenant's weight. */
  readonly quantum: number;
}

/**
 * What a request asks of the lane that it begins with, by the rules of `claim_jobs`; undefined when that is
 * nothing.
 */
export function singleLaneRequest(request: ClaimRequest, maxLanes: number): SingleLaneRequest | undefined {
  const { definitionIds, limit, ahead, after: lane } = request;
  if (lane === null || !definitionIds.includes(lane.definitionId)) return undefined;
  const aheadCount = ahead !== undefined && ahead.definitionIds.length > 0 ? ahead.count : 0;
  const isAhead = aheadCount > 0 && ahead?.definitionIds.includes(lane.definitionId) === true;
  const most = isAhead ? limit + aheadCount : limit;
  if (most <= 0) return undefined;
  return { lane, most, isAhead, quantum: Math.ceil((limit + aheadCount) / maxLanes) };
}

/** How such a claim ended, as `claim_jobs` says it: what the lane has left of its turn stays its own. */
export function singleLaneEnd(
  { lane, most, quantum }: SingleLaneRequest,
  { token, claimedUs, weight }: SingleLaneEnd,
  count: number,
): ClaimEnd {
  const turn = weight * quantum;
  const carried = lane.credit ?? 0;
  const over = (most - carried) % turn;
  const rest = most <= carried ? carried - most : over === 0 ? 0 : turn - over;
  const credit = count < most ? 0 : rest;
  const { tenantId, definitionId } = lane;
  return { token, claimedUs, tenantId, definitionId, credit, isAlone: true, isContended: false };
}
