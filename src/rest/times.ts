import { DomainError } from '../core/errors.ts';
import { parseRfc3339 } from '../graphql/rfc-3339.ts';

const ALLOWED = 'a time as RFC 3339 text, 2026-11-27T23:14:41Z, of the years 1 to 9999';

/**
 * A time that a request gave; null and undefined as they are.
 * @throws DomainError `InvalidArgument` naming the field
 */
export function timeOf(field: string, text: string | null | undefined): Date | null | undefined {
  if (text == null) return text;
  const time = parseRfc3339(text);
  const year = time?.getUTCFullYear() ?? 0;
  if (time !== null && year >= 1 && year <= 9999) return time;
  throw new DomainError(
    'InvalidArgument',
    `${field} is ${JSON.stringify(text.slice(0, 80))}; allowed: ${ALLOWED}.`,
    { field, allowed: ALLOWED },
  );
}
