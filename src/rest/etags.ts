import { DomainError } from '../core/errors.ts';
import type { RestContext } from './context.ts';

/** A row's version as its entity tag. */
export function etagOf(version: string | bigint): string {
  return `"${version}"`;
}

/**
 * Checks `If-Match` where there is one; without one anything goes.
 * @param versionNow reads the version of what is about to be changed
 * @throws DomainError `PreconditionFailed`, and what the reader throws
 */
export async function requireMatch(
  { headers }: Pick<RestContext, 'headers'>,
  versionNow: () => Promise<string | bigint>,
): Promise<void> {
  const given = headers['if-match'];
  if (typeof given !== 'string') return;
  const now = etagOf(await versionNow());
  if (given.trim() === '*' || given.split(',').some((tag) => tag.trim() === now)) return;
  const shown = JSON.stringify(given.slice(0, 100));
  throw new DomainError('PreconditionFailed', `If-Match is ${shown}; allowed: ${now}, as it is now.`, {
    field: 'if-match',
    allowed: now,
  });
}
