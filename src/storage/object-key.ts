import { DomainError } from '../core/errors.ts';

/** S3's own limit; our charset is ASCII, so bytes and characters are the same. */
export const MAX_KEY_BYTES = 1024;
/** One path component on every file system we know of. */
export const MAX_SEGMENT_BYTES = 255;

/**
 * Characters of one path segment. A segment may not begin with a dot: that forbids `.` and `..`, and keeps
 * such names free for a driver's own files (the local driver's `.incoming` and `.meta`).
 */
const SEGMENT_PATTERN = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

const ALLOWED =
  `1 to ${MAX_KEY_BYTES} bytes of "/"-separated segments, each 1 to ${MAX_SEGMENT_BYTES} of A-Z a-z 0-9 . _ - ` +
  'and not beginning with a dot';

/** Why `key` is no object key, or null when it is one. */
export function objectKeyProblem(key: string): string | null {
  if (key.length === 0) return 'is empty';
  if (key.length > MAX_KEY_BYTES) return `is ${key.length} characters long`;
  if (key.includes('\0')) return 'contains a NUL character';
  if (key.includes('\\')) return 'contains a backslash';
  if (key.startsWith('/')) return 'is absolute';
  for (const segment of key.split('/')) {
    if (segment === '') return 'has an empty segment';
    if (segment === '.' || segment === '..') return `has a segment "${segment}"`;
    if (segment.length > MAX_SEGMENT_BYTES) return `has a segment of ${segment.length} characters`;
    if (!SEGMENT_PATTERN.test(segment)) return 'has a segment with a character that is not allowed';
  }
  return null;
}

/**
 * Returns `key` if it is a valid object key.
 * @throws DomainError `InvalidKey` with what is wrong and what is allowed
 */
export function checkObjectKey(key: string): string {
  const problem = objectKeyProblem(key);
  if (problem === null) return key;
  throw invalidKey(key, problem, 'key');
}

/**
 * Returns `prefix` if it can begin keys: empty (everything) or a valid key followed by one `/`. Prefixes end
 * at a slash so that a grant for `videos/proxy/1/` never covers `videos/proxy/10/`.
 * @throws DomainError `InvalidKey`
 */
export function checkKeyPrefix(prefix: string): string {
  if (prefix === '') return prefix;
  const problem = prefix.endsWith('/') ? objectKeyProblem(prefix.slice(0, -1)) : 'does not end with "/"';
  if (problem === null) return prefix;
  throw invalidKey(prefix, problem, 'prefix');
}

function invalidKey(key: string, problem: string, field: string): DomainError {
  // JSON makes control characters visible; a hostile key must not break a log line or fill it.
  const shown = JSON.stringify(key.length > 120 ? `${key.slice(0, 120)}…` : key);
  return new DomainError('InvalidKey', `Object ${field} ${shown} ${problem}; allowed: ${ALLOWED}`, {
    field,
    allowed: ALLOWED,
  });
}
