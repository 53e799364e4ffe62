import { DomainError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';

/** Largest payload, as JSON text in UTF-8. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * Checks that a payload can be stored and comes back as it was given: small enough, not too deep, no NUL and no lone
 * surrogate (jsonb takes neither), no number that JSON lacks, no `__proto__` (which would be lost, or worse, on the way).
 * @throws DomainError `InvalidPayload` with the path and what is allowed
 */
export function checkStorable(payload: unknown): void {
  walk(payload, 'payload', 0);
  const sizeBytes = Buffer.byteLength(JSON.stringify(payload) ?? 'null');
  if (sizeBytes > MAX_PAYLOAD_BYTES)
    refuse('payload', `is ${sizeBytes} bytes of JSON`, `at most ${MAX_PAYLOAD_BYTES} bytes`);
}

function walk(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) refuse(path, 'is nested too deeply', `at most ${MAX_DEPTH} levels`);
  if (typeof value === 'string') checkText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(path, `is ${value}`, 'a finite number');
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, depth + 1);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      checkText(key, `${path} (a key)`);
      if (key === '__proto__') refuse(`${path}.__proto__`, 'is a reserved key', 'any other key');
      walk(item, `${path}.${key}`, depth + 1);
    }
  }
}

function checkText(text: string, path: string): void {
  const found = textProblem(text);
  if (found !== null) refuse(path, found.problem, found.allowed);
}

function refuse(field: string, problem: string, allowed: string): never {
  throw new DomainError('InvalidPayload', `${field.slice(0, 200)} ${problem}; allowed: ${allowed}.`, {
    field: field.slice(0, 200),
    allowed,
    problems: [{ field: field.slice(0, 200), message: problem, allowed }],
  });
}
