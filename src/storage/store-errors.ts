import { DomainError } from '../core/errors.ts';
import type { ByteRange } from './byte-range.ts';
import type { ObjectStat } from './object-store.ts';

export function objectNotFound(key: string): DomainError {
  return new DomainError('ObjectNotFound', `No object ${JSON.stringify(key)} in the store`, { key });
}

export function objectTooLarge(key: string, maxSizeBytes: number): DomainError {
  const allowed = `at most ${maxSizeBytes} bytes`;
  return new DomainError(
    'ObjectTooLarge',
    `Object ${JSON.stringify(key)} is larger than ${maxSizeBytes} bytes`,
    {
      field: 'body',
      allowed,
      maxSizeBytes,
    },
  );
}

/** @throws DomainError `InvalidArgument` for a range that is not within the object */
export function checkRange({ firstByte, lastByte }: ByteRange, { key, sizeBytes }: ObjectStat): void {
  if (0 <= firstByte && firstByte <= lastByte && lastByte < sizeBytes) return;
  const allowed = `0 to ${sizeBytes - 1}`;
  throw new DomainError(
    'InvalidArgument',
    `Range ${firstByte}-${lastByte} of ${JSON.stringify(key)}; allowed: ${allowed}`,
    {
      field: 'range',
      allowed,
    },
  );
}
