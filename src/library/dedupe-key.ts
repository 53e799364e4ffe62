import { createHash } from 'node:crypto';
import { parseJson } from '../core/parse-json.ts';

/** What the engine's column takes. */
const MAX_STORED_CHARACTERS = 1024;

/**
 * The dedupe key of a job: `<type>::<orgId|global>::<sorted-json>`. The JSON is that of `JSON.stringify`,
 * with the keys of every object sorted by UTF-16 code unit (as RFC 8785 has it), so that equal payloads have
 * equal keys in whatever order they were built. What JSON drops (undefined, functions) is dropped; a Date is
 * its text. No payload is the same as `{}`.
 * @throws TypeError for what JSON cannot say: a circle, a BigInt
 */
export function makeJobDedupeKey(type: string, orgId: string | null | undefined, payload?: unknown): string {
  return `${type}::${orgId ?? 'global'}::${sortedJson(payload)}`;
}

/**
 * The key as it is kept with a job: a long one as `<type>::<orgId|global>::sha256:<hex of the whole key>`,
 * since an index takes no entry of any length.
 */
export function storedDedupeKey(type: string, orgId: string | null | undefined, payload?: unknown): string {
  const key = makeJobDedupeKey(type, orgId, payload);
  if (key.length <= MAX_STORED_CHARACTERS) return key;
  return `${type}::${orgId ?? 'global'}::sha256:${createHash('sha256').update(key).digest('hex')}`;
}

function sortedJson(value: unknown): string {
  // First through JSON, which alone knows what it drops and what has a `toJSON`.
  const json = JSON.stringify(value);
  return json === undefined ? '{}' : written(parseJson(json));
}

/** By hand: an object rebuilt in sorted order would still put keys like "10" in the order of numbers. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written((value as Record<string, unknown>)[key])}`);
  return `{${members.join(',')}}`;
}
