import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';

/**
 * The creator that a filter names, by name or as its caller.
 * @throws DomainError `InvalidArgument` when both are given: one of them would be a mistake
 */
export function creatorOf(
  createdBy: string | null | undefined,
  createdByMe: boolean | null | undefined,
  actor: Actor,
): string | null {
  if (createdByMe !== true) return createdBy ?? null;
  if (createdBy == null) return actor.name;
  const allowed = 'createdBy or createdByMe: true, not both';
  const message = `filter.createdBy is ${JSON.stringify(createdBy.slice(0, 80))} beside createdByMe; allowed: ${allowed}.`;
  throw new DomainError('InvalidArgument', message, { field: 'filter.createdBy', allowed });
}
