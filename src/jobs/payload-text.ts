import { DomainError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';
import { MAX_PAYLOAD_DEPTH } from '../payloads/payload-json.ts';
import { type PathStep, payloadPath } from './payload-path.ts';

/**
 * Checks that a payload can be stored and comes back as it was given: not too deep, no NUL and no lone
 * surrogate (jsonb takes neither), no number that JSON lacks, no `__proto__` (which would be lost, or worse,
 * on the way).
 * @throws DomainError `InvalidPayload` with the path and what is allowed
 */
export function checkValue(payload: unknown): void {
  walk(payload, []);
}

/**
 * The steps are one list for all values: a path is written where there is something to say, and not for each
 * value.
 */
function walk(value: unknown, steps: PathStep[]): void {
  if (typeof value === 'string') checkText(value, steps);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(payloadPath(steps), `is ${value}`, 'a finite number');
  } else if (typeof value === 'object' && value !== null) {
    if (steps.length >= MAX_PAYLOAD_DEPTH)
      refuse(payloadPath(steps), 'is nested too deeply', `at most ${MAX_PAYLOAD_DEPTH} levels`);
    if (Array.isArray(value)) walkItems(value, steps);
    else walkProperties(value as Readonly<Record<string, unknown>>, steps);
  } else if (typeof value !== 'boolean' && value != null)
    refuse(payloadPath(steps), `is a ${typeof value}`, 'JSON');
}

function walkItems(items: readonly unknown[], steps: PathStep[]): void {
  const depth = steps.length;
  for (const [index, item] of items.entries()) {
    steps[depth] = index;
    walk(item, steps);
  }
  steps.length = depth;
}

function walkProperties(object: Readonly<Record<string, unknown>>, steps: PathStep[]): void {
  const depth = steps.length;
  for (const key of Object.keys(object)) {
    steps[depth] = key;
    checkKey(key, steps);
    walk(object[key], steps);
  }
  steps.length = depth;
}

function checkKey(key: string, steps: readonly PathStep[]): void {
  const found = textProblem(key);
  if (found !== null) refuse(`${payloadPath(steps.slice(0, -1))} (a key)`, found.problem, found.allowed);
  if (key === '__proto__') refuse(payloadPath(steps), 'is a reserved key', 'any other key');
}

function checkText(text: string, steps: readonly PathStep[]): void {
  const found = textProblem(text);
  if (found !== null) refuse(payloadPath(steps), found.problem, found.allowed);
}

function refuse(field: string, problem: string, allowed: string): never {
  throw new DomainError('InvalidPayload', `${field} ${problem}; allowed: ${allowed}.`, {
    field,
    allowed,
    problems: [{ field, message: problem, allowed }],
  });
}
