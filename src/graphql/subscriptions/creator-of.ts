import type { Actor } from '../../core/actor.ts';
import { DomainError } from '../../core/errors.ts';
import { reachedCreator } from '../../core/reach.ts';

/**
 * Whose things a filter asks for.
 * @throws DomainError `InvalidArgument` when both are given: one of them would be a mistake; `Forbidden` for jobs that an access
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
  if (createdByMe !== true) return createdBy ?? mine;
  if (createdBy == null) return actor.name;
  const allowed = 'createdBy or createdByMe: true, not both';
  const message = `filter.createdBy is ${JSON.stringify(createdBy.slice(0, 80))} beside createdByMe; allowed: ${allowed}.`;
  throw new DomainError('InvalidArgument', message, { field: 'filter.createdBy', allowed });
}
