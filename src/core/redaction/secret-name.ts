import { BoundedMap } from '../bounded-map.ts';

/** What stands in place of a secret. */
export const SECRET_SHOWN = '•••';

/**
 * Singular names, compared without case and punctuation by their ends: `access_token`, `X-Api-Key`,
 * `dbPassword`.
 */
const ENDINGS =
  /(?:token|secret|password|passwd|passphrase|pwd|authorization|apikey|accesskey(?:id)?|secretkey|privatekey|signingkey|encryptionkey|credential|cookie|connectionstring|databaseurl|signature|jwt|bearer)$/;
/** Plural names are secrets too, but not where they count something: `tokens: 512`. */
const PLURAL_ENDINGS = /(?:token|secret|password|passphrase|apikey|privatekey|credential|cookie|jwt)s$/;
const WHOLE_NAMES: ReadonlySet<string> = new Set(['pass', 'dsn', 'pgpassword']);

/** What the installation adds to them; see `setSecretNames`. */
let added: readonly RegExp[] = [];

/**
 * Names of an installation's own, for this process, in the place of those before. `*` stands for any
 * characters; case does not count.
 */
export function setSecretNames(patterns: readonly string[]): void {
  added = patterns.map(
    (pattern) =>
      new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\-]/g, '\\$&').replaceAll('*', '.*')}$`, 'i'),
  );
  known.clear();
}

/** Names are the same few again and again; a program that makes up names must not fill the memory. */
const MAX_KNOWN = 2_000;
const known = new BoundedMap<string, 'no' | 'always' | 'unlessNumber'>(MAX_KNOWN);

/**
 * Whether a field of this name holds a secret, by the pattern of its name.
 * @param value the field's: a number under a plural name is a count
 */
export function isSecretField(name: string, value?: unknown): boolean {
  let verdict = known.get(name);
  if (verdict === undefined) {
    verdict = judge(name);
    known.set(name, verdict);
  }
  return verdict === 'always' || (verdict === 'unlessNumber' && typeof value !== 'number');
}

function judge(name: string): 'no' | 'always' | 'unlessNumber' {
  // Only the end of a name counts, so a long one costs no more.
  const end = name
    .slice(-64)
    .replaceAll(/[^A-Za-z0-9]+/g, '')
    .toLowerCase();
  if (ENDINGS.test(end) || WHOLE_NAMES.has(end) || added.some((pattern) => pattern.test(name)))
    return 'always';
  return PLURAL_ENDINGS.test(end) ? 'unlessNumber' : 'no';
}
