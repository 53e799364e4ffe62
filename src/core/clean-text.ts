import { parseJson } from './parse-json.ts';

/** Longest error text that is kept: its head and its tail, where stack traces and tools say what matters. */
export const MAX_ERROR_TEXT_LENGTH = 16_384;

/**
 * Text that Postgres can store: NUL bytes become U+2400, lone surrogates U+FFFD. jsonb refuses both, and
 * losing a whole result to one byte of a program's output helps nobody.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\u2400').toWellFormed();
}

/** Head and tail of a long text, saying how much was left out between them. */
export function boundText(text: string, maxLength: number = MAX_ERROR_TEXT_LENGTH): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor((maxLength - 60) / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`.toWellFormed();
}

/**
 * A value as JSON text that jsonb takes: every string and key in it cleaned, `undefined` as null.
 * @throws TypeError for what JSON cannot hold (cycles, bigint)
 */
export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  // JSON.stringify writes NUL and lone surrogates as escapes; a clean value has neither, and is not walked
  // again.
  if (!/\\u0000|\\ud[89a-f]/i.test(json)) return json;
  return JSON.stringify(cleanValue(parseJson(json)));
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanValue(item)]));
  }
  return value;
}
