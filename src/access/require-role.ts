import { type Actor, hasRole, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { hasScope, type Scope } from '../core/scopes.ts';
import type { AccessNeed } from './need.ts';

/**
 * @param scope what an API key that is narrowed must name; `admin` unless said otherwise, so that what nobody
 *   thought of is closed to narrow keys
 * @throws DomainError `Forbidden` unless the actor has the role or a stronger one, and the scope
 */
export function requireRole(actor: Actor, needed: Role, toDo: string, scope: Scope = 'admin'): void {
  if (!hasRole(actor.role, needed)) {
    throw new DomainError('Forbidden', `Role ${actor.role} may not ${toDo}; it takes ${needed}.`, {
      allowed: needed,
      enumWords: [actor.role, needed],
    });
  }
  if (!hasScope(actor, scope)) throw outOfScope(actor, toDo, scope);
}

/**
 * What a use-case asks of its caller, for what shows the same rows by another way: a node by its global id.
 * @throws DomainError `Forbidden`
 */
export function requireNeed(actor: Actor, { role, toDo, scope }: AccessNeed): void {
  requireRole(actor, role, toDo, scope === 'any' ? actor.scopes?.[0] : scope);
}

/** What a narrowed key or an access token hears when its role would do. */
export function outOfScope(actor: Pick<Actor, 'scopes' | 'reach'>, toDo: string, scope: Scope): DomainError {
  const has = actor.scopes?.join(' ') || 'none';
  return new DomainError(
    'Forbidden',
    `This ${actor.reach === undefined ? 'API key' : 'access token'} may not ${toDo}: its scopes are ${has}; it takes ${scope}.`,
    { allowed: scope, enumWords: [scope, ...(actor.scopes ?? [])] },
  );
}
