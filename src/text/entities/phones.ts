import { type Entity, plainEntity } from './entity.ts';
import { hideSpans } from './hide-spans.ts';

const SPACE = '[ \u00A0\u202F\u2009]';
/** Between groups of digits. Never empty: what could be split in many ways would be tried in all of them. */
const GAP = `(?:${SPACE}?[-/()‐‑–](?:${SPACE}|\\()?|\\.|${SPACE}\\(?)`;
/** The last group has more than one digit: what follows may be another number. */
const TAIL = `(?:${GAP}\\d{1,14}){0,8}(?:${GAP}\\d{2,14})`;
const BEFORE = '(?<![\\p{L}\\p{N}_+.,:/-])';
const AFTER = '(?![\\p{L}\\p{N}_])';

/** `+49 (0)30 123456`, `0049 …` */
const INTERNATIONAL = new RegExp(`${BEFORE}(?:\\+|00(?=[1-9]))[ (]?\\d{1,14}(?:${TAIL})?${AFTER}`, 'gu');
/** `(555) 123-4567`, `1-800-555-0199` */
const NORTH_AMERICAN = new RegExp(
  `${BEFORE}(?:1[-. ])?(?:\\([2-9]\\d{2}\\) ?|[2-9]\\d{2}[-. ])\\d{3}[-. ]\\d{4}(?![\\p{L}\\p{N}_.,-]\\d|\\d)`,
  'gu',
);
/** `030 1234567`, `01 23 45 67 89`, `(0)20 7946 0958` */
const NATIONAL = new RegExp(`${BEFORE}\\(?0\\d{1,5}\\)?(?:[ /.-]\\d{2,8}){1,6}${AFTER}`, 'gu');
/** Whatever stands behind `Tel.:`, for six digits and more. */
const LABELLED = new RegExp(
  `(?<=(?<![\\p{L}])(?:tel|telephone|telefon|phone|fon|mobile|mobil|handy|whatsapp|fax|call)[.:]{0,2}[ \u00A0]{0,2})\\+?\\(?\\d{1,14}(?:${TAIL})?${AFTER}`,
  'giu',
);

const KINDS: readonly { readonly pattern: RegExp; readonly minDigits: number; readonly maxDigits: number }[] =
  [
    { pattern: INTERNATIONAL, minDigits: 8, maxDigits: 15 },
    { pattern: LABELLED, minDigits: 6, maxDigits: 15 },
    { pattern: NORTH_AMERICAN, minDigits: 10, maxDigits: 11 },
    { pattern: NATIONAL, minDigits: 9, maxDigits: 12 },
  ];

/**
 * Phone numbers, normalised to `+` and digits where the country is said, else to the digits as they are
 * dialled.
 */
export function findPhones(text: string): Entity[] {
  const found: Entity[] = [];
  let left = text;
  for (const { pattern, minDigits, maxDigits } of KINDS) {
    const matches: Entity[] = [];
    for (const { 0: value, index } of left.matchAll(pattern)) {
      const dialled = dial(value);
      const digitCount = dialled.replace('+', '').length;
      if (digitCount < minDigits || digitCount > maxDigits || isOtherNumber(value)) continue;
      matches.push({ ...plainEntity('number', { value, start: index }, dialled), subtype: 'phone' });
    }
    found.push(...matches);
    left = hideSpans(left, matches);
  }
  return found.sort((a, b) => a.start - b.start);
}

function dial(value: string): string {
  // The zero that is dropped when one dials from abroad.
  const digits = value.replace(/\(0\)/, '').replace(/\D/g, '');
  if (value.startsWith('+')) return `+${digits}`;
  return value.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/** `0.123456789`, `00.1234`, `01-02-2024 10`, `2024…`: decimals and dates. */
function isOtherNumber(value: string): boolean {
  return /^0+[.,]\d+$/.test(value) || /^\d{1,2}[-./]\d{1,2}[-./]\d{4}(?!\d)/.test(value);
}
