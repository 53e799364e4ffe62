/**
 * Signs and words of currencies, longest first where one begins like another. Null: several countries share
 * it.
 */
const SIGNS: Readonly<Record<string, string | null>> = {
  US$: 'USD',
  CA$: 'CAD',
  AU$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  NT$: 'TWD',
  MX$: 'MXN',
  C$: 'CAD',
  A$: 'AUD',
  S$: 'SGD',
  R$: 'BRL',
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '￥': 'JPY',
  円: 'JPY',
  元: 'CNY',
  '₹': 'INR',
  'Rs.': 'INR',
  Rs: 'INR',
  '₽': 'RUB',
  руб: 'RUB',
  '₩': 'KRW',
  원: 'KRW',
  '₺': 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  '₱': 'PHP',
  '₦': 'NGN',
  '₵': 'GHS',
  '₡': 'CRC',
  '₸': 'KZT',
  '₾': 'GEL',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  kr: null,
  euros: 'EUR',
  euro: 'EUR',
  Euro: 'EUR',
  dollars: 'USD',
  dollar: 'USD',
};

/** ISO 4217 of those in wide use, without codes that are words too (ALL, TOP, TRY, CUP). */
const CODES =
  'USD EUR GBP JPY CNY CHF CAD AUD NZD INR RUB KRW BRL MXN SEK NOK DKK PLN CZK HUF RON BGN UAH ILS AED SAR QAR EGP ZAR NGN KES GHS THB VND PHP IDR MYR SGD HKD TWD CLP COP ARS PKR BDT LKR KZT';

const NAMES: ReadonlyMap<string, string | null> = new Map([
  ...Object.entries(SIGNS),
  ...CODES.split(' ').map((code): [string, string] => [code, code]),
]);

const ANY = [...NAMES.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/[$.]/g, '\\$&'))
  .join('|');

/** A currency that ends where the number begins. To be matched against the few letters before it. */
const BEFORE = new RegExp(`(?<![\\p{L}\\p{N}$])(${ANY})[ \u00A0\u202F]?$`, 'u');
/** A currency behind the number (and behind the German dash for "no cents"). Sticky. */
const AFTER = new RegExp(`(?:,[-–—]{1,2})?[ \u00A0\u202F]?(${ANY})(?![\\p{L}\\p{N}$])`, 'uy');
/** Longest sign and a space. */
const WINDOW = 8;

/** A currency beside a number: its code, and where it begins or ends. */
export interface CurrencyBeside {
  readonly currency: string | null;
  readonly at: number;
}

/** The currency that stands before `start`. */
export function currencyBefore(text: string, start: number): CurrencyBeside | null {
  const match = BEFORE.exec(text.slice(Math.max(0, start - WINDOW), start));
  if (match === null) return null;
  return { currency: NAMES.get(match[1] ?? '') ?? null, at: start - match[0].length };
}

/** The currency that stands behind `end`. */
export function currencyAfter(text: string, end: number): CurrencyBeside | null {
  AFTER.lastIndex = end;
  const match = AFTER.exec(text);
  if (match === null) return null;
  return { currency: NAMES.get(match[1] ?? '') ?? null, at: end + match[0].length };
}
