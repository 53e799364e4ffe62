import type { RateLimit } from '../core/definition.ts';
import { DomainError } from '../core/errors.ts';

export const MAX_RUNNING = 1_000_000;
export const MAX_RATE_COUNT = 1_000_000;
export const MAX_RATE_PERIOD_SECONDS = 86_400;
/** 68 years, the most that a GraphQL Int says. */
export const MAX_RETENTION_SECONDS = 2_147_483_647;
export const MAX_WEIGHT = 100;
export const MAX_TENANT_NAME_LENGTH = 200;

type Absent = null | undefined;

/** @throws DomainError `InvalidArgument` naming field and range; null and absent are taken */
export function checkNumber(field: string, value: number | Absent, min: number, max: number): void {
  if (value == null || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw refused(field, String(value), `${min} to ${max}`);
}

/** @throws DomainError `InvalidArgument` naming field and range; null and absent are taken */
export function checkRate(field: string, rate: RateLimit | Absent): void {
  checkNumber(`${field}.count`, rate?.count, 1, MAX_RATE_COUNT);
  checkNumber(`${field}.periodSeconds`, rate?.periodSeconds, 1, MAX_RATE_PERIOD_SECONDS);
}

/** @throws DomainError `InvalidArgument` for null where something must stand */
export function checkNotNull(field: string, value: unknown, allowed: string): void {
  if (value === null) throw refused(field, 'null', allowed);
}

export function refused(
  field: string,
  shown: string,
  allowed: string,
  enumWords: readonly string[] = [],
): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${shown}; allowed: ${allowed}.`, {
    field,
    allowed,
    enumWords,
  });
}

/** The two columns of a rate as one value. */
export function rateOf(count: number | null, periodSeconds: number | null): RateLimit | null {
  return count === null || periodSeconds === null ? null : { count, periodSeconds };
}
