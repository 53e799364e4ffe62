import { cleanJson } from '../core/clean-text.ts';
import { DomainError, toError } from '../core/errors.ts';
import { FINITE_NUMBERS, findNonFinite } from '../core/finite-numbers.ts';
import { endOfString } from '../core/json-strings.ts';
import { parseJson } from '../core/parse-json.ts';

/** Largest payload, as JSON text in UTF-8, where the configuration says nothing else. */
export const DEFAULT_MAX_PAYLOAD_BYTES = 1024 * 1024;
/** Objects and lists within each other. */
export const MAX_PAYLOAD_DEPTH = 100;

/** A payload that has been checked as JSON text already, and is stored as it is. */
export class JsonText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/**
 * A payload as the JSON text that is stored: what JSON.stringify makes of it, NUL bytes as U+2400 and lone
 * surrogates as U+FFFD.
 * @throws DomainError `InvalidPayload` for what JSON cannot hold (NaN too), deeper than 100 levels or with a
 *   key `__proto__`; `PayloadTooLarge`
 */
export function payloadJson(payload: unknown, maxBytes: number = DEFAULT_MAX_PAYLOAD_BYTES): string {
  if (payload instanceof JsonText) return payload.json;
  const json = written(payload ?? {});
  checkPayloadSize(json, maxBytes);
  // Checks the text, not the value: it has what toJSON and getters have returned.
  if (depthOf(json) > MAX_PAYLOAD_DEPTH) throw tooDeep();
  if (json.includes('"__proto__"') && hasProtoKey(parseJson(json)))
    throw invalid('has a key __proto__', 'any other key');
  return json;
}

/** @throws DomainError `PayloadTooLarge` naming size and limit */
export function checkPayloadSize(json: string, maxBytes: number): void {
  // No text is shorter in UTF-8 than in UTF-16 units, or longer than three times that.
  if (json.length * 3 <= maxBytes) return;
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes <= maxBytes) return;
  const allowed = `at most ${maxBytes} bytes of JSON`;
  throw new DomainError('PayloadTooLarge', `payload is ${sizeBytes} bytes of JSON; allowed: ${allowed}.`, {
    field: 'payload',
    allowed,
    sizeBytes,
    maxBytes,
  });
}

/**
 * Whether a text may hold what its value did not show: `toJSON` has put in a NUL, a lone surrogate, a key
 * `__proto__`, or more levels than are allowed. True for some texts without.
 */
export function mayHoldMore(json: string): boolean {
  return /\\u0000|\\ud[89a-f]|"__proto__"/i.test(json) || depthOf(json) > MAX_PAYLOAD_DEPTH;
}

/**
 * A value as JSON text, as it is.
 * @throws DomainError `InvalidPayload` for what JSON cannot hold
 */
export function jsonOf(payload: unknown): string {
  return written(payload, (value) => JSON.stringify(value) ?? 'null');
}

function written(payload: unknown, write: (value: unknown) => string = cleanJson): string {
  try {
    const json = write(payload);
    const lost = findNonFinite(payload, json);
    if (lost === null) return json;
    const below = lost.path === '' || lost.path.startsWith('[') ? lost.path : `.${lost.path}`;
    throw invalid(`is ${lost.value}`, FINITE_NUMBERS, undefined, `payload${below}`);
  } catch (thrown) {
    if (thrown instanceof DomainError) throw thrown;
    // V8 gives up on what is nested deeper than its stack; anything else is a circle, a bigint, or the
    // value's own toJSON.
    if (thrown instanceof RangeError) throw tooDeep();
    throw invalid(`cannot be written as JSON (${toError(thrown).message.split('\n', 1)[0]})`, 'JSON', thrown);
  }
}

/**
 * How deep objects and lists of a JSON text lie within each other, counted up to one more than is allowed.
 */
function depthOf(json: string): number {
  if (json.length <= 2 * MAX_PAYLOAD_DEPTH) return 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length && deepest <= MAX_PAYLOAD_DEPTH; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22) at = endOfString(json, at);
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey);
}

function tooDeep(): DomainError {
  return invalid('is nested too deeply', `at most ${MAX_PAYLOAD_DEPTH} levels`);
}

function invalid(problem: string, allowed: string, cause?: unknown, field = 'payload'): DomainError {
  const problems = [{ field, message: problem, allowed }];
  const message = `${field} ${problem}; allowed: ${allowed}.`;
  return new DomainError('InvalidPayload', message, { field, allowed, problems }, cause);
}
