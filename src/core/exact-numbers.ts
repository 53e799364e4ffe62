import { endOfString } from './json-strings.ts';
import { parseJson } from './parse-json.ts';

/** A number of a JSON text that would become another one, or none at all, once it is read. */
export interface InexactNumber {
  /** As a path: `variables.payload.id`. */
  readonly path: string;
  /** As it is written, the beginning of it. */
  readonly text: string;
}

/** What is taken instead, in words. */
export const EXACT_NUMBERS =
  'integers from -9007199254740991 to 9007199254740991, and larger numbers that a double holds exactly; others as text';

const MAX_PATH_LENGTH = 200;
const MAX_SHOWN_LENGTH = 60;
/** A double keeps any fifteen digits. */
const ALWAYS_EXACT_LENGTH = 15;
/** Fewer digits than these are exact, whatever they are. */
const MAY_BE_INEXACT = /\d{16}|\d[eE][+-]?\d/;

/**
 * Whether a decimal number comes back as it is, as far as people expect: fractions are rounded by all, whole
 * numbers by nobody.
 */
export function isExact(decimal: string): boolean {
  const value = Number(decimal);
  if (!Number.isFinite(value)) return false;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || decimal.length <= ALWAYS_EXACT_LENGTH) return true;
  const written = String(value);
  return written === decimal || digitsOf(decimal) === digitsOf(written);
}

/**
 * The first number of a valid JSON text that is not exact; null without any. Takes time by the length of the
 * text.
 */
export function findInexactNumber(json: string, root = ''): InexactNumber | null {
  return MAY_BE_INEXACT.test(json) ? new NumberScan(json, root).find() : null;
}

/**
 * Reads JSON text from left to right and notes where it stands; keys stay places in the text until a path is
 * asked for.
 */
class NumberScan {
  readonly #json: string;
  readonly #root: string;
  /** For each open object the place of its last key, for each open list its index as `-1 - index`. */
  readonly #places: number[] = [];

  constructor(json: string, root: string) {
    this.#json = json;
    this.#root = root;
  }

  find(): InexactNumber | null {
    const json = this.#json;
    const places = this.#places;
    let isKey = false;
    for (let at = 0; at < json.length; at++) {
      const code = json.charCodeAt(at);
      if (code === 0x22) {
        if (isKey) places[places.length - 1] = at;
        isKey = false;
        at = endOfString(json, at);
      } else if (code === 0x7b) {
        places.push(0);
        isKey = true;
      } else if (code === 0x5b) places.push(-1);
      else if (code === 0x7d || code === 0x5d) {
        places.pop();
        isKey = false;
      } else if (code === 0x2c) {
        const place = places.at(-1) ?? 0;
        isKey = place >= 0;
        if (!isKey) places[places.length - 1] = place - 1;
      } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
        const end = endOfNumber(json, at);
        // Up to fifteen digits without an exponent nothing can be lost.
        if (end - at > 15 || mayBeLarge(json, at, end)) {
          const text = json.slice(at, end);
          if (!isExact(text)) return { path: this.#path(), text: text.slice(0, MAX_SHOWN_LENGTH) };
        }
        at = end - 1;
      }
    }
    return null;
  }

  #path(): string {
    let path = this.#root;
    for (const place of this.#places) {
      if (place < 0) path += `[${-1 - place}]`;
      else {
        const key = parseJson(this.#json.slice(place, endOfString(this.#json, place) + 1)) as string;
        path += `${path === '' ? '' : '.'}${key.slice(0, MAX_PATH_LENGTH)}`;
      }
      if (path.length > MAX_PATH_LENGTH) break;
    }
    return path.slice(0, MAX_PATH_LENGTH).toWellFormed();
  }
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && isOfNumber(json.charCodeAt(at))) at++;
  return at;
}

/** Digits, point, signs, e and E. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x65 ||
    code === 0x45
  );
}

function mayBeLarge(json: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x65 || code === 0x45) return true;
  }
  return false;
}

/**
 * A decimal number in one form: its digits without zeros at either end, and the place of the first of them.
 */
function digitsOf(decimal: string): string {
  const unsigned = decimal.startsWith('-') ? decimal.slice(1) : decimal;
  const [mantissa = '', exponent = '0'] = unsigned.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let first = 0;
  while (first < digits.length && digits.charCodeAt(first) === 0x30) first++;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === 0x30) end--;
  return `${digits.slice(first, end)}@${Number(exponent) + whole.length - first}`;
}
