import type { RetryPolicy } from '../core/retry.ts';
import { checkNumber, refused } from './ranges.ts';

const MAX_DELAY_SECONDS = 31_622_400;
const MAX_DELAYS = 100;

type Range = readonly [min: number, max: number];

const RANGES: Readonly<Record<string, Range>> = {
  baseSeconds: [0, MAX_DELAY_SECONDS],
  factor: [1, 1000],
  capSeconds: [0, MAX_DELAY_SECONDS],
  jitter: [0, 1],
};
const FIELDS = ['delaysSeconds', 'exponentOffset', 'restOfLease', ...Object.keys(RANGES)];

/** @throws DomainError `InvalidArgument` naming the field at fault; null and absent are taken */
export function checkRetryPolicy(policy: RetryPolicy | null | undefined): void {
  if (policy == null) return;
  const unknown = Object.keys(policy).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw refused(`retryPolicy.${unknown.slice(0, 80)}`, 'no field', FIELDS.join(', '));
  const { delaysSeconds, exponentOffset } = policy;
  if (delaysSeconds != null) {
    if (delaysSeconds.length > MAX_DELAYS)
      throw refused('retryPolicy.delaysSeconds', `${delaysSeconds.length} delays`, `at most ${MAX_DELAYS}`);
    for (const [index, delay] of delaysSeconds.entries())
      checkReal(`retryPolicy.delaysSeconds[${index}]`, delay, [0, MAX_DELAY_SECONDS]);
  }
  for (const [field, range] of Object.entries(RANGES))
    checkReal(`retryPolicy.${field}`, policy[field as keyof RetryPolicy], range);
  checkNumber('retryPolicy.exponentOffset', exponentOffset, -100, 100);
}

function checkReal(field: string, value: unknown, [min, max]: Range): void {
  if (value == null || (typeof value === 'number' && value >= min && value <= max)) return;
  throw refused(field, String(value).slice(0, 80), `${min} to ${max}`);
}
