import { DomainError } from '../core/errors.ts';

/** Says what is allowed when the value is not; null when it is. Absent options are not asked about. */
export type OptionRule = (value: unknown) => string | null;

/** Text that matches a pattern. */
export function textLike(pattern: RegExp, allowed: string): OptionRule {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : allowed);
}

/** An integer within bounds. */
export function integerFrom(min: number, max: number): OptionRule {
  return (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? null
      : `an integer from ${min} to ${max}`;
}

export const trueOrFalse: OptionRule = (value) => (typeof value === 'boolean' ? null : 'true or false');

/** One of a few words. */
export function oneOf(...words: readonly string[]): OptionRule {
  return (value) => (words.includes(value as string) ? null : `one of ${words.join(', ')}`);
}

/** A Postgres URL. Never shown in a message: it has the password. */
export const postgresUrl: OptionRule = textLike(/^postgres(ql)?:\/\/\S+$/, 'a postgres:// URL');

/** What is never shown. */
const SECRET = new Set(['databaseUrl', 'migrateUrl', 'listenUrl']);

/**
 * Checks what a program gave, since it may be written in JavaScript.
 * @param who the function that was called, for the message
 * @param options what it was given
 * @param rules every option there is
 * @param required those that must be there
 * @throws DomainError `InvalidArgument` that names the first option at fault and what is allowed
 */
export function checkOptions(
  who: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
  required: readonly string[],
): void {
  if (typeof options !== 'object' || options === null)
    throw refused(who, 'options', String(options), 'an object');
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given)) {
    if (rules[name] === undefined)
      throw refused(who, name, 'no option', `the options ${Object.keys(rules).join(', ')}`);
  }
  for (const name of required) if (given[name] === undefined) throw missing(who, name, rules);
  for (const [name, rule] of Object.entries(rules)) {
    const value = given[name];
    const allowed = value === undefined ? null : rule(value);
    if (allowed !== null) throw refused(who, name, shown(name, value), allowed);
  }
}

function missing(who: string, name: string, rules: Readonly<Record<string, OptionRule>>): DomainError {
  return refused(who, name, 'missing', rules[name]?.(undefined) ?? 'a value');
}

function shown(name: string, value: unknown): string {
  // Empty is what an environment variable that is not set mostly leads to.
  if (SECRET.has(name)) return value === '' ? 'empty' : 'something else (hidden, it may hold a password)';
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return String(value).slice(0, 200);
  }
}

function refused(who: string, field: string, is: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${who}: ${field} is ${is}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
