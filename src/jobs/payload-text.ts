import { DomainError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';
import { checkPayloadSize, MAX_PAYLOAD_DEPTH } from '../queue/payload-json.ts';

/**
 * Checks that a payload can be stored and comes back as it was given: small enough, not too deep, no NUL and no lone
 * surrogate (jsonb takes neither), no number that JSON lacks, no `__proto__` (which would be lost, or worse, on the way).
 * @returns it as JSON text
 * @throws DomainError `InvalidPayload` with the path and what is allowed; `PayloadTooLarge`
 */
export function checkStorable(payload: unknown, maxBytes: number): string {
  walk(payload, 'payload', 0);
  const json = JSON.stringify(payload) ?? 'null';
  checkPayloadSize(json, maxBytes);
  return json;
}

function walk(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') checkText(value, path);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(path, `is ${value}`, 'a finite number');
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_PAYLOAD_DEPTH)
      refuse(path, 'is nested too deeply', `at most ${MAX_PAYLOAD_DEPTH} levels`);
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, depth + 1);
    else for (const [key, item] of Object.entries(value)) property(key, item, path, depth);
  } else if (typeof value !== 'boolean' && value != null) refuse(path, `is a ${typeof value}`, 'JSON');
}

function property(key: string, value: unknown, path: string, depth: number): void {
  checkText(key, `${path} (a key)`);
  if (key === '__proto__') refuse(`${path}.__proto__`, 'is a reserved key', 'any other key');
  walk(value, `${path}.${key}`, depth + 1);
}

function checkText(text: string, path: string): void {
  const found = textProblem(text);
  if (found !== null) refuse(path, found.problem, found.allowed);
}

function refuse(field: string, problem: string, allowed: string): never {
  // From inside a deep payload or under a long key the path is cut; well-formed, since it is shown.
  const shown = field.slice(0, 200).toWellFormed();
  throw new DomainError('InvalidPayload', `${shown} ${problem}; allowed: ${allowed}.`, {
    field: shown,
    allowed,
    problems: [{ field: shown, message: problem, allowed }],
  });
}
