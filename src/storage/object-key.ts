import { DomainError } from '../core/errors.ts';

/** S3's own limit. */
export const MAX_KEY_BYTES = 1024;
/** One path component on every file system we know of. */
export const MAX_SEGMENT_BYTES = 255;

/**
 * Control characters, halves of surrogate pairs, and what turns the direction of the text around it: no name
 * is read as it is then.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

const ALLOWED =
  `1 to ${MAX_KEY_BYTES} bytes of "/"-separated segments, each 1 to ${MAX_SEGMENT_BYTES} bytes of text without backslashes and control ` +
  'characters, and not beginning with a dot';

/**
 * Why `key` is no object key, or null when it is one. A segment may not begin with a dot: that forbids `.`
 * and `..`, and keeps such names free for a driver's own files (the local driver's `.incoming` and `.meta`).
 */
export function objectKeyProblem(key: string): string | null {
  if (key.length === 0) return 'is empty';
  if (key.length > MAX_KEY_BYTES) return `is ${key.length} characters long`;
  if (key.includes('\0')) return 'contains a NUL character';
  if (key.includes('\\')) return 'contains a backslash';
  if (key.startsWith('/')) return 'is absolute';
  if (FORBIDDEN.test(key))
    return 'contains a character that is not allowed (a control character, or no whole one)';
  // What a name that is no UTF-8 is read as: there is no file of this name.
  if (key.includes('\ufffd')) return 'contains bytes that are no UTF-8';
  const sizeBytes = Buffer.byteLength(key);
  if (sizeBytes > MAX_KEY_BYTES) return `is ${sizeBytes} bytes long`;
  for (const segment of key.split('/')) {
    if (segment === '') return 'has an empty segment';
    if (segment === '.' || segment === '..') return `has a segment "${segment}"`;
    if (segment.startsWith('.')) return 'has a segment that begins with a dot, which is not allowed';
    const segmentBytes = Buffer.byteLength(segment);
    if (segmentBytes > MAX_SEGMENT_BYTES) return `has a segment of ${segmentBytes} bytes`;
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
