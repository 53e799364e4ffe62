import { ERROR_TABLE } from '../core/error-table.ts';
import type { DomainErrorCode } from '../core/errors.ts';

/** The HTTP status of an expected failure. */
export function statusOf(code: DomainErrorCode): number {
  return ERROR_TABLE[code].status;
}
