import type { VersionMatch } from '../core/version-match.ts';
import type { RestContext } from './context.ts';

/** A row's version as its entity tag. */
export function etagOf(version: string | bigint): string {
  return `"${version}"`;
}

/**
 * What `If-Match` asks of a change, for the use-case that makes it; null without one, and for `*`: what is
 * changed has to be there anyway.
 */
export function versionMatchOf({ headers }: Pick<RestContext, 'headers'>): VersionMatch | null {
  const given = headers['if-match'];
  if (typeof given !== 'string' || given.trim() === '*') return null;
  const tags = given.split(',').map((tag) => tag.trim());
  // A weak tag never matches (RFC 9110, 13.1.1).
  return { given, versions: tags.flatMap((tag) => /^"(.*)"$/.exec(tag)?.[1] ?? []) };
}
