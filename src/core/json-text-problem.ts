import { type TextProblem, textProblem } from './text-problem.ts';

/** Where in a JSON value a text cannot be stored. */
export interface JsonTextProblem extends TextProblem {
  /** `metadata.notes[2]` */
  readonly field: string;
}

/**
 * The first text or key of a value, not deeper than JSON is read, that Postgres cannot store as it is; null without any.
 * @param field what the value is called
 */
export function jsonTextProblem(value: unknown, field: string): JsonTextProblem | null {
  if (typeof value === 'string') {
    const found = textProblem(value);
    return found === null ? null : { field, ...found };
  }
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const found = isList
      ? jsonTextProblem(item, `${field}[${key}]`)
      : (keyProblem(key, field) ?? jsonTextProblem(item, `${field}.${key}`));
    if (found !== null) return found;
  }
  return null;
}

function keyProblem(key: string, field: string): JsonTextProblem | null {
  const found = textProblem(key);
  return found === null
    ? null
    : { field, problem: `has a key that ${found.problem}`, allowed: found.allowed };
}
