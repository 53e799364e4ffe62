import { parseAmount, scaleAmount } from './amounts.ts';
import { type CurrencyBeside, currencyAfter, currencyBefore } from './currencies.ts';
import { type Entity, type NumberSubtype, plainEntity } from './entity.ts';
import { hideSpans, type Span } from './hide-spans.ts';

/** Letters of scripts that put no space between a number and a word are no part of it: 共12个. */
const LETTER = '[[\\p{L}\\p{M}]--[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]]';
const START = new RegExp(`(?<!${LETTER}|[0-9_\uFFFC]|[0-9][.,:])[0-9]`, 'gv');

/**
 * Grouped by spaces, which only a currency beside it makes one number: "12 500 €", but "Room 12 500 people".
 */
const SPACED = /\d{1,3}(?: \d{3}){1,5}(?:[.,]\d{1,2})?(?!\d|[.,]\d)/y;
const COMPACT =
  /(?:\d{1,3}(?:([,.'’\u00A0\u202F\u2009])\d{3})(?:\1\d{3}){0,5}(?:[.,]\d{1,9})?|\d{1,2}(?:,\d{2}){1,5},\d{3}(?:\.\d{1,9})?|\d{1,30}(?:[.,]\d{1,20})?)(?!\d|[.,]\d)/y;

/**
 * Character references and places in source text, times, dates, versions and IP addresses, keys: digits that
 * count nothing.
 */
const NO_NUMBERS: readonly RegExp[] = [
  /&#\d{1,7};|(?<=\p{L}):\d{1,7}:\d{1,7}(?!\d)/gu,
  /(?<![\d:])\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?![\d:])/gu,
  /(?<!\d|\d[-/.])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2}))(?!\d|[-/.]\d)/gu,
  /(?<![\d.])(?!\d{1,3}(?:\.\d{3}){2,6}(?![\d.]))\d{1,9}(?:\.\d{1,9}){2,12}/gu,
  /(?<![\p{L}\p{N}-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}-])/giu,
];

const EXPONENTS: Readonly<Record<string, number>> = {
  k: 3,
  tsd: 3,
  thousand: 3,
  m: 6,
  mio: 6,
  mn: 6,
  million: 6,
  millions: 6,
  millionen: 6,
  b: 9,
  bn: 9,
  mrd: 9,
  billion: 9,
  billions: 9,
  千: 3,
  万: 4,
  萬: 4,
  만: 4,
  億: 8,
  亿: 8,
  억: 8,
};
/** "1.2K", "3M", "1,2 Mio."; a small m is metres or minutes more often. */
const MAGNITUDE =
  /[ \u00A0]?([kKMB]|Tsd|Mio|Mrd|[Mm]n|[Bb]n|(?:thousand|millions?|billions?|[Mm]illionen)|[千万萬만億亿억])(?![a-zA-Z0-9_])\+?/y;
const PERCENT = /[ \u00A0\u202F]?(?:[%％٪]|percent\b|Prozent\b)/y;
/** What is counted on the pages of networks. */
const COUNTED =
  /\+?[ \u00A0](?:followers?|following|subscribers?|views?|likes?|comments?|shares?|reposts?|retweets?|replies|posts?|reviews?|ratings?|downloads?|stars?|forks?|members?|users?|viewers?|plays?|Aufrufe|Abonnenten|Follower|Kommentare|Beiträge|vues?|abonnés|commentaires|vistas|seguidores|visualizações)(?![\p{L}\p{N}])/iuy;
/** A unit may stand right behind the digits; any other letter makes a name of them: "3rd", "mp4", "2x4b". */
const GLUED =
  /(?:[pxsgmhWVA]|px|pt|em|rem|fps|ms|min|km|cm|mm|kg|mg|ml|[kKMGT]i?B|[kKMG]?bps|[kMG]?Hz|mAh|kWh|°[CF]?)?(?![a-zA-Z0-9_\u00C0-\u024F])/y;

/** Numbers: prices, counts, percents, and others. No dates, times, versions or keys. */
export function findNumbers(text: string): Entity[] {
  let left = text;
  for (const pattern of NO_NUMBERS) left = hideSpans(left, [...left.matchAll(pattern)].map(spanOf));
  const found: Entity[] = [];
  let end = 0;
  for (const { index } of left.matchAll(START)) {
    if (index < end) continue;
    const number = readNumber(left, index, end);
    if (number === null) continue;
    found.push(number);
    end = number.end;
  }
  return found;
}

function readNumber(text: string, start: number, from: number): Entity | null {
  const before = currencyBefore(text, start);
  // What the number before it has taken is not its own: "5 € 7".
  const sign = before !== null && before.at >= from ? before : null;
  const spaced = matchAt(SPACED, text, start);
  if (spaced !== null) {
    const price = readPrice(text, start, spaced, sign);
    if (price !== null) return price;
  }
  const written = matchAt(COMPACT, text, start);
  if (written === null) return null;
  return readPrice(text, start, written, sign) ?? readCount(text, start, written);
}

function readPrice(text: string, start: number, written: string, sign: CurrencyBeside | null): Entity | null {
  let end = start + written.length;
  const magnitude = matchAt(MAGNITUDE, text, end);
  const behind =
    currencyAfter(text, end) ?? (magnitude === null ? null : currencyAfter(text, end + magnitude.length));
  const beside = sign ?? behind;
  if (beside === null) return null;
  const exponent = magnitude === null ? 0 : exponentOf(magnitude);
  if (exponent > 0) end += magnitude?.length ?? 0;
  if (sign === null) end = beside.at;
  const { currency } = beside;
  // Behind the number, or a euro: written as on the continent.
  const amount = parseAmount(written, sign === null || currency === 'EUR');
  if (amount === null) return null;
  const scaled = scaleAmount(amount, exponent);
  const normalized = currency === null ? scaled : `${scaled} ${currency.toLowerCase()}`;
  const begin = sign?.at ?? start;
  return number('price', text.slice(begin, end).trimEnd(), begin, normalized, scaled, currency);
}

function readCount(text: string, start: number, written: string): Entity | null {
  const end = start + written.length;
  const amount = parseAmount(written, false);
  if (amount === null) return null;
  const percent = matchAt(PERCENT, text, end);
  if (percent !== null) return number('percent', written + percent, start, `${amount}%`, amount, null);
  const magnitude = matchAt(MAGNITUDE, text, end);
  if (magnitude !== null) {
    const scaled = scaleAmount(amount, exponentOf(magnitude));
    return number('count', written + magnitude, start, scaled, scaled, null);
  }
  if (matchAt(COUNTED, text, end) !== null) {
    const counted = parseAmount(written, true) ?? amount;
    return number('count', written, start, counted, counted, null);
  }
  return matchAt(GLUED, text, end) === null ? null : number('plain', written, start, amount, amount, null);
}

function number(
  subtype: NumberSubtype,
  value: string,
  start: number,
  normalized: string,
  amount: string,
  currency: string | null,
): Entity {
  return { ...plainEntity('number', { value, start }, normalized), subtype, amount, currency };
}

function exponentOf(magnitude: string): number {
  return EXPONENTS[magnitude.replace(/[\s+]/g, '').toLowerCase()] ?? 0;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function spanOf({ 0: whole, index }: RegExpExecArray): Span {
  return { start: index, end: index + whole.length };
}
