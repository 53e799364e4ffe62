import { DomainError } from './errors.ts';

/** Which versions of a row a change may be made to: what `If-Match` says. */
export interface VersionMatch {
  /** As it was given, for the error. */
  readonly given: string;
  /** Entity tags without their quotes. */
  readonly versions: readonly string[];
}

/**
 * Refuses a change to a version that the caller has not seen. To be called within the transaction that
 * changes the row and has it locked: of two changes to one version the second is refused.
 * @param match null: any version will do
 * @throws DomainError `PreconditionFailed`
 */
export function checkVersion(match: VersionMatch | null | undefined, version: string | bigint): void {
  if (match == null || match.versions.includes(String(version))) return;
  const now = `"${version}"`;
  const shown = JSON.stringify(match.given.slice(0, 100));
  throw new DomainError('PreconditionFailed', `If-Match is ${shown}; allowed: ${now}, as it is now.`, {
    field: 'if-match',
    allowed: now,
  });
}

/** The version of a row that has only the time of its last change. */
export function versionOfTime(updatedAt: Date): string {
  return updatedAt.getTime().toString(36);
}
