import type { Actor } from '../../core/actor.ts';
import { DomainError } from '../../core/errors.ts';
import { reachedCreator } from '../../core/reach.ts';
import { creatorOf as creatorOfFilter } from '../../jobs/creator-filter.ts';

/**
 * The creator whose things a stream's filter asks for; of an access token for its own jobs, always its own.
 * @throws DomainError `InvalidArgument` when both are given: one of them would be a mistake; `Forbidden` for
 *   jobs that an access
 * token does not reach
 */
export function creatorOf(
  createdBy: string | null | undefined,
  createdByMe: boolean | null | undefined,
  actor: Actor,
): string | null {
  const mine = reachedCreator(actor.reach);
  if (mine !== null && (createdBy ?? mine) !== mine) {
    const message = `This access token may watch ${JSON.stringify(mine)}’s jobs alone.`;
    throw new DomainError('Forbidden', message, { field: 'filter.createdBy', allowed: mine });
  }
  return creatorOfFilter(createdByMe === true ? createdBy : (createdBy ?? mine), createdByMe, actor);
}
