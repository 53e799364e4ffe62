import { type Actor, hasRole } from '../core/actor.ts';
import { editDistance } from '../core/edit-distance.ts';
import { DomainError } from '../core/errors.ts';
import { type EnqueueableKeyRow, listEnqueueableKeys } from '../db/sql/queue/list-enqueueable-keys.ts';
import type { JobsDeps } from './deps.ts';

/** Keys that are looked at for a guess. */
export const MAX_GUESSED_KEYS = 200;
const MAX_LISTED = 20;
const MAX_KEY_LENGTH = 100;

/**
 * The keys of what a caller may enqueue, as many as are looked at. None where they cannot be read: other jobs
 * of the same call may be written by now, and their answer does not depend on a hint.
 */
export async function enqueueableKeys(deps: Pick<JobsDeps, 'db'>, actor: Actor): Promise<readonly string[]> {
  const roles = hasRole(actor.role, 'tenant_admin') ? ['member', 'tenant_admin'] : ['member'];
  try {
    const { rows } = await deps.db.asWorker<EnqueueableKeyRow>(listEnqueueableKeys, [
      roles,
      MAX_GUESSED_KEYS,
    ]);
    return rows.map(({ key }) => key);
  } catch {
    return [];
  }
}

/**
 * `UnknownDefinition` with what may have been meant, and the keys that there are for the caller; other errors
 * as they are.
 */
export function withGuess(error: DomainError, key: string, keys: readonly string[]): DomainError {
  if (error.code !== 'UnknownDefinition' || keys.length === 0) return error;
  const guess = guessOf(key, keys);
  const message = guess === null ? error.message : `${error.message} Did you mean ${JSON.stringify(guess)}?`;
  return new DomainError(error.code, message, { ...error.details, allowed: listed(keys) }, error.cause);
}

function guessOf(key: string, keys: readonly string[]): string | null {
  if (key === '' || key.length > MAX_KEY_LENGTH) return null;
  const asked = key.toLowerCase();
  const most = Math.max(1, Math.floor(asked.length * 0.4));
  let best: { readonly key: string; readonly distance: number } | null = null;
  for (const candidate of keys) {
    if (Math.abs(candidate.length - asked.length) > most) continue;
    const distance = editDistance(asked, candidate.toLowerCase());
    if (distance <= most && (best === null || distance < best.distance)) best = { key: candidate, distance };
  }
  return best?.key ?? null;
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_LISTED).join(', ');
  return keys.length > MAX_LISTED ? `${shown}, and others that \`jobDefinitions\` lists` : shown;
}
