import type { JobTypes } from '../../src/config/job-types.ts';
import { DomainError } from '../../src/core/errors.ts';

/**
 * The keys that a worker process serves, of those that it could.
 * @throws DomainError `ConfigInvalid` for a type that it does not know, naming those that it does
 */
export function servedKeys({ only, except }: JobTypes, known: readonly string[]): readonly string[] {
  const unknown = [...(only ?? []), ...except].filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const allowed = [...known].sort().join(', ');
    throw new DomainError(
      'ConfigInvalid',
      `MILLRACE_JOB_TYPES names ${unknown.join(', ')}, which this worker does not know; allowed: ${allowed}.`,
      { field: 'MILLRACE_JOB_TYPES', allowed },
    );
  }
  return known.filter((key) => (only?.includes(key) ?? true) && !except.includes(key));
}
