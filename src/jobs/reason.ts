import { DomainError } from '../core/errors.ts';
import { checkFilterText } from '../core/filter-values.ts';

const MAX_REASON_LENGTH = 1000;

/**
 * Why somebody cancels or pauses, as it is stored. @throws DomainError `InvalidArgument` unless it has 1 to
 * 1,000 characters
 */
export function checkReason(reason: string | null): string | null {
  if (reason === null) return null;
  if (reason.length >= 1 && reason.length <= MAX_REASON_LENGTH) {
    checkFilterText('reason', reason, MAX_REASON_LENGTH);
    return reason;
  }
  const allowed = `1 to ${MAX_REASON_LENGTH} characters`;
  throw new DomainError('InvalidArgument', `Reason of ${reason.length} characters; allowed: ${allowed}.`, {
    field: 'reason',
    allowed,
  });
}
