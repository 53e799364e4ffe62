import { DomainError } from '../core/errors.ts';

/** Why nobody is recognised; `expired` is worth a fresh token, the others are not. */
export type UnauthenticatedReason =
  | 'missing'
  | 'invalid'
  | 'expired'
  | 'revoked'
  | 'unknownTenant'
  | 'notMember';

/** The one error of this folder. `allowed` says what would have been accepted, where that helps. */
export function unauthenticated(
  reason: UnauthenticatedReason,
  message: string,
  allowed?: string,
  cause?: unknown,
): DomainError {
  return new DomainError(
    'Unauthenticated',
    message,
    allowed === undefined ? { reason } : { reason, allowed },
    cause,
  );
}
