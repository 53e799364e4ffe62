import { DomainError } from './errors.ts';
import { FINITE_NUMBERS } from './finite-numbers.ts';
import { type TextProblem, textProblem } from './text-problem.ts';

/** What of a JSON value Postgres would store as another one, or not at all, and where that is. */
interface JsonProblem extends TextProblem {
  /** `metadata.notes[2]` */
  readonly field: string;
}

/**
 * Refuses a JSON value that would not be stored as it is: texts and keys with NUL or half a surrogate pair,
 * and numbers that JSON lacks. Whole numbers that a double rounds are rounded before there is a value:
 * `findInexactNumber` refuses them in the text that it is read from.
 * @param field what the value is called, not deeper than JSON is read
 * @throws DomainError `InvalidArgument`, or `InvalidPayload` where that is given, naming the place:
 *   `metadata.notes[2]`
 */
export function checkStorableJson(
  field: string,
  value: unknown,
  code: 'InvalidArgument' | 'InvalidPayload' = 'InvalidArgument',
): void {
  const found = jsonProblem(value, field);
  if (found === null) return;
  const message = `${found.field} ${found.problem}; allowed: ${found.allowed}.`;
  throw new DomainError(code, message, { field: found.field, allowed: found.allowed });
}

function jsonProblem(value: unknown, field: string): JsonProblem | null {
  if (typeof value === 'string') {
    const found = textProblem(value);
    return found === null ? null : { field, ...found };
  }
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { field, problem: `is ${value}`, allowed: FINITE_NUMBERS };
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const found = isList
      ? jsonProblem(item, `${field}[${key}]`)
      : (keyProblem(key, field) ?? jsonProblem(item, `${field}.${key}`));
    if (found !== null) return found;
  }
  return null;
}

function keyProblem(key: string, field: string): JsonProblem | null {
  const found = textProblem(key);
  return found === null
    ? null
    : { field, problem: `has a key that ${found.problem}`, allowed: found.allowed };
}
