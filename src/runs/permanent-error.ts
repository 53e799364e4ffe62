import { DomainError, type DomainErrorCode, PermanentError, RetryAfter } from '../core/errors.ts';
import { sqlStates } from '../db/retryable.ts';

/**
 * The video system's non-retryable kinds by our codes: an object that is gone, a payload that cannot be, a
 * caller that may not.
 */
const PERMANENT_CODES: Readonly<Partial<Record<DomainErrorCode, string>>> = {
  ObjectNotFound: 'S3ObjectNotFound',
  ObjectTooLarge: 'ObjectTooLarge',
  InvalidKey: 'InvalidKey',
  InvalidPayload: 'InvalidPayload',
  PayloadTooLarge: 'PayloadTooLarge',
  Forbidden: 'Forbidden',
  Unauthenticated: 'Unauthenticated',
};

/**
 * What a handler threw as an error that no retry fixes, or null where one may: the video system's contract
 * lists an invalid payload, a missing object, a constraint of the database and a refused login or permission.
 * A handler that asks for a retry by `RetryAfter` gets it, whatever its cause. The error keeps its words;
 * what Postgres adds to them (the values of the row) is left out.
 */
export function permanentError(error: Error): PermanentError | null {
  if (error instanceof PermanentError) return error;
  if (error instanceof RetryAfter) return null;
  if (error instanceof DomainError) {
    const type = PERMANENT_CODES[error.code];
    return type === undefined ? null : new PermanentError(type, error.message, error);
  }
  for (const state of sqlStates(error)) {
    const type = typeOfState(state);
    if (type !== null) return new PermanentError(type, `${error.message} (SQLSTATE ${state})`, error);
  }
  return null;
}

function typeOfState(state: string): string | null {
  // integrity_constraint_violation: not null, unique, foreign key, check, exclusion.
  if (state.startsWith('23')) return 'ConstraintViolation';
  // invalid_authorization_specification and insufficient_privilege; row security refuses by the latter too.
  if (state.startsWith('28') || state === '42501') return 'DatabaseDenied';
  return null;
}
