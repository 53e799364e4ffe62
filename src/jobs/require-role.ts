import { type Actor, hasRole, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';

/** @throws DomainError `Forbidden` unless the actor has the role or a stronger one */
export function requireRole(actor: Actor, needed: Exclude<Role, 'worker'>, toDo: string): void {
  if (hasRole(actor.role, needed)) return;
  throw new DomainError('Forbidden', `Role ${actor.role} may not ${toDo}; it takes ${needed}.`, {
    allowed: needed,
  });
}
