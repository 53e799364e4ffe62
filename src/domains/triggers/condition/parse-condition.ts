import { DomainError } from '../../../core/errors.ts';
import type { Condition, FieldTest, Scalar } from './condition.ts';

const SCALARS = ['equals', 'notEquals'] as const;
const LISTS = ['in', 'notIn'] as const;
const ORDERS = ['gt', 'gte', 'lt', 'lte'] as const;
const TEXTS = ['startsWith', 'endsWith', 'contains'] as const;
const OPERATORS: readonly string[] = [...SCALARS, ...LISTS, ...ORDERS, ...TEXTS, 'exists'];

const MAX_DEPTH = 8;
/** Tests of one condition. */
const MAX_TESTS = 100;
const MAX_LIST = 100;
const MAX_TEXT_CHARACTERS = 1_000;

/**
 * Reads a condition: `{ field: 'size', gt: 10 }`, or `{ all: […] }`, `{ any: […] }`, `{ not: … }` of these.
 * Several operators of one field have to hold together.
 * @param condition parsed JSON
 * @throws DomainError `InvalidArgument`, which names the place and what is allowed there
 */
export function parseCondition(condition: unknown, field = 'condition'): Condition {
  let tests = 0;
  const parse = (value: unknown, at: string, depth: number): Condition => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refused(at, 'is no object', '{ field, equals … }, { all }, { any } or { not }');
    if (depth > MAX_DEPTH) throw refused(at, 'is nested too deeply', `at most ${MAX_DEPTH} levels`);
    const entries = Object.entries(value);
    const [name, inner] = entries[0] ?? ['', undefined];
    if (entries.length === 1 && (name === 'all' || name === 'any')) {
      if (!Array.isArray(inner) || inner.length === 0 || inner.length > MAX_LIST)
        throw refused(`${at}.${name}`, 'is no list of conditions', `1 to ${MAX_LIST} conditions`);
      return {
        kind: name,
        of: inner.map((part, index) => parse(part, `${at}.${name}[${index}]`, depth + 1)),
      };
    }
    if (entries.length === 1 && name === 'not')
      return { kind: 'not', of: parse(inner, `${at}.not`, depth + 1) };
    tests += entries.length;
    if (tests > MAX_TESTS) throw refused(at, 'has too many tests', `at most ${MAX_TESTS} in all`);
    return parseField(entries, at);
  };
  return parse(condition, field, 0);
}

function parseField(entries: readonly (readonly [string, unknown])[], at: string): Condition {
  const path = entries.find(([name]) => name === 'field')?.[1];
  if (typeof path !== 'string' || !/^[^.]{1,200}(\.[^.]{1,200}){0,19}$/u.test(path))
    throw refused(
      `${at}.field`,
      'names no field',
      'names of fields with dots between them, such as "file.size"',
    );
  const tests = entries
    .filter(([name]) => name !== 'field')
    .map(([op, value]) => parseTest(op, value, `${at}.${op}`));
  if (tests.length === 0) throw refused(at, 'tests nothing', `one of ${OPERATORS.join(', ')}`);
  return { kind: 'field', path: path.split('.'), tests };
}

function parseTest(op: string, value: unknown, at: string): FieldTest {
  if (isOneOf(SCALARS, op)) {
    if (isScalar(value)) return { op, value };
    throw refused(at, 'is no single value', 'a text, a number, true, false or null');
  }
  if (isOneOf(LISTS, op)) {
    if (Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST && value.every(isScalar))
      return { op, value };
    throw refused(at, 'is no list of values', `1 to ${MAX_LIST} texts, numbers, true, false or null`);
  }
  if (isOneOf(ORDERS, op)) {
    if ((typeof value === 'number' || typeof value === 'string') && isScalar(value)) return { op, value };
    throw refused(
      at,
      'cannot be compared',
      'a number, or a text (times as ISO 8601 in UTC compare as texts)',
    );
  }
  if (isOneOf(TEXTS, op)) {
    if (typeof value === 'string' && value !== '' && isScalar(value)) return { op, value };
    throw refused(at, 'is no text', `a text of 1 to ${MAX_TEXT_CHARACTERS} characters`);
  }
  if (op === 'exists') {
    if (typeof value === 'boolean') return { op, value };
    throw refused(at, 'is neither true nor false', 'true or false');
  }
  throw refused(at, 'is no operator', OPERATORS.join(', '));
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'string') return value.length <= MAX_TEXT_CHARACTERS;
  return (
    value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function isOneOf<Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((one) => one === word);
}

function refused(field: string, problem: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field.slice(0, 300)} ${problem}; allowed: ${allowed}`, {
    field: field.slice(0, 300),
    allowed,
  });
}
