import { DomainError } from '../../../core/errors.ts';

export function noUpload(): DomainError {
  return new DomainError('NotFound', 'There is no such upload, or its time is up; begin again.');
}

/** Recognised by its code: the transport has a status of its own for it. */
export function uploadLocked(): DomainError {
  return new DomainError('Busy', 'Another request adds to this upload just now; try again.', {
    allowed: 'one request at a time',
  });
}

export function tooLarge(field: string, maxSizeBytes: number): DomainError {
  const allowed = `at most ${maxSizeBytes} bytes`;
  return new DomainError('ObjectTooLarge', `The file is too large; allowed: ${allowed}.`, { field, allowed });
}
