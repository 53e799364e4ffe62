import { DomainError } from '../core/errors.ts';

/**
 * Somebody else's open transaction holds what was to be changed; waited for in vain, and nothing was done.
 */
export function busy(what: string): DomainError {
  return new DomainError('Busy', `Another transaction holds ${what}; try again.`, { field: 'id' });
}
