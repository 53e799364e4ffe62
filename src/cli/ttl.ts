import { DomainError } from '../core/errors.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Seconds of `90s`, `30m`, `12h`, `7d`; null for `never`.
 * @throws DomainError `InvalidArgument`
 */
export function parseTtlSeconds(text: string): number | null {
  if (text === 'never') return null;
  const match = /^([1-9]\d{0,6})([smhd])$/.exec(text);
  if (match !== null) return Number(match[1]) * (UNIT_SECONDS[match[2] ?? ''] ?? 0);
  const allowed = '90s, 30m, 12h, 7d or never';
  throw new DomainError('InvalidArgument', `--ttl is ${JSON.stringify(text)}; allowed: ${allowed}`, {
    field: '--ttl',
    allowed,
  });
}
