import { ROLES, type Role } from '../core/actor.ts';
import { isUuid } from '../core/ids.ts';
import { unauthenticated } from './unauthenticated.ts';

/**
 * The claim at a path; dots go into objects, but a claim that itself has the dotted name comes first (Auth0
 * style).
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Sets the claim at a path, making the objects on the way. */
export function setClaim(claims: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let target = claims;
  for (const name of names) {
    target[name] ??= {};
    target = target[name] as Record<string, unknown>;
  }
  target[last] = value;
}

/** @throws DomainError `Unauthenticated` naming the claim and the roles there are */
export function roleOf(value: unknown, claim: string): Role {
  const found = ROLES.find((role) => role === value);
  if (found !== undefined) return found;
  const allowed = ROLES.join(', ');
  throw unauthenticated('invalid', `Token claim ${claim} is ${shown(value)}; allowed: ${allowed}`, allowed);
}

/** @throws DomainError `Unauthenticated` naming the claim; only a super admin may leave the tenant away */
export function tenantOf(value: unknown, claim: string, role: Role): string | null {
  if (value === undefined && role === 'super_admin') return null;
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw unauthenticated(
    'invalid',
    `Token claim ${claim} is ${shown(value)}; allowed: a tenant's UUID`,
    'a UUID',
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value)).slice(0, 100);
}
