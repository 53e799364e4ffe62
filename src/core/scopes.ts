/**
 * What an API key may be narrowed to, below what its role allows. `admin` is all that is about the tenant
 * itself and the installation: limits, pauses, definitions, members, keys, usage, the audit log.
 */
export const SCOPES = ['jobs:read', 'jobs:write', 'videos:read', 'videos:write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** True when the credential is not narrowed, or to this among others. The role is asked beside it. */
export function hasScope(actor: { readonly scopes: readonly Scope[] | null }, needed: Scope): boolean {
  return actor.scopes === null || actor.scopes.includes(needed);
}

/** The scopes among words: what is none grants nothing. @returns null for no words, which narrow nothing */
export function scopesAmong(words: readonly string[]): readonly Scope[] | null {
  return words.length === 0 ? null : SCOPES.filter((scope) => words.includes(scope));
}
