import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.ts';
import { isAllowedOrigin, originProblem, originsOf, PREFLIGHT_FORCING_HEADERS } from './cors.ts';

/** Content types that forms can send, and pages without a preflight. */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** `requirePreflight`: the Authorization header does not count, as something on the way adds it by itself. */
export type ForgeryRules = Pick<Config, 'corsOrigins' | 'publicUrl' | 'requirePreflight'>;

/**
 * Whether a foreign page may have sent a request without its user's doing, with whatever the browser or a
 * proxy adds to it. Tokens travel in a header here, and no page can set it unasked; the browser's own words
 * come on top of that.
 * @returns why, in words; null for requests that no foreign page can send
 */
export function forgeryProblem(headers: IncomingHttpHeaders, rules: ForgeryRules): string | null {
  const site = headers['sec-fetch-site'];
  // Browsers set this one, pages cannot. It knows the truth where a proxy has changed `Host`.
  if (site === 'same-origin') return null;
  if (!isAllowedOrigin(headers, originsOf(rules))) return originProblem(headers.origin ?? '');
  if (headers.origin === undefined && (site === 'cross-site' || site === 'same-site'))
    return 'A page of another site may not call here without saying which it is';
  return forcesPreflight(headers, rules)
    ? null
    : `The request could come from any page; allowed: one with content-type application/json or a header ${PREFLIGHT_FORCING_HEADERS[0]}`;
}

function forcesPreflight(headers: IncomingHttpHeaders, { requirePreflight }: ForgeryRules): boolean {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && !SIMPLE_TYPES.includes(type)) return true;
  if (!requirePreflight && headers.authorization !== undefined) return true;
  return PREFLIGHT_FORCING_HEADERS.some((name) => headers[name] !== undefined);
}
