import { DomainError } from '../../../core/errors.ts';
import { distinctTexts, distinctValues } from '../../../core/filter-values.ts';
import { uuidOfHex } from '../../../core/ids.ts';
import { uuidAtTime } from '../../../core/uuid-time.ts';

/** A range of prices, ends included. */
export interface PriceRange {
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
  /** ISO 4217; any where it is omitted. */
  readonly currency?: string | null | undefined;
}

/**
 * Where to search. Conditions are joined by "and", the values of one list by "or"; what is omitted does not
 * matter.
 */
export interface SearchFilter {
  readonly videoIds?: readonly string[] | null | undefined;
  readonly mentions?: readonly string[] | null | undefined;
  readonly hashtags?: readonly string[] | null | undefined;
  readonly domains?: readonly string[] | null | undefined;
  readonly languages?: readonly string[] | null | undefined;
  /** With something of one of these kinds in them, whatever it says. */
  readonly kinds?: readonly EntityKind[] | null | undefined;
  readonly price?: PriceRange | null | undefined;
  readonly startMs?: number | null | undefined;
  readonly endMs?: number | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
}

/** What may be recognised in a text, numbers by what they count. */
export const ENTITY_KINDS = [
  'mention',
  'hashtag',
  'url',
  'emoji',
  'price',
  'phone',
  'count',
  'percent',
] as const;
type EntityKind = (typeof ENTITY_KINDS)[number];

const MAX_VALUE_LENGTH = 100;
const MAX_PRICE = 1_000_000_000;

/**
 * A filter as `millrace.search_videos_page` takes it.
 * @throws DomainError `InvalidArgument` naming `filter.<field>`
 */
export function searchConditions(filter: SearchFilter): Record<string, unknown> {
  const { videoIds, price, startMs, endMs, createdAfter, createdBefore } = filter;
  const lists = [
    texts('mentions', filter.mentions, (name) => `@${name.replace(/^@+/, '')}`),
    texts('hashtags', filter.hashtags, (tag) => `#${tag.replace(/^#+/, '')}`),
    texts('domains', filter.domains, (domain) => `site:${hostOf(domain)}`),
    texts('languages', filter.languages, (language) => `lang:${language}`),
    texts('kinds', filter.kinds, (kind) => `is:${kind}`),
  ];
  return {
    anyOf: lists.filter((list) => list !== null),
    ...(videoIds != null && { videoIds: distinctValues('filter.videoIds', videoIds) }),
    ...(price != null && { price: priceOf(price) }),
    ...(startMs != null && { tStartMs: time('startMs', startMs) }),
    ...(endMs != null && { tEndMs: time('endMs', endMs) }),
    ...(createdAfter != null && { idFrom: uuidAtTime(createdAfter) }),
    ...(createdBefore != null && { idTo: justBefore(uuidAtTime(createdBefore)) }),
  };
}

function texts(
  field: string,
  values: readonly string[] | null | undefined,
  wordOf: (value: string) => string,
): string[] | null {
  if (values == null) return null;
  return distinctTexts(`filter.${field}`, values, MAX_VALUE_LENGTH).map((value) => wordOf(value.trim()));
}

/** What people paste: `https://www.example.com/path` is example.com. */
function hostOf(domain: string): string {
  return domain
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#:].*$/, '');
}

function priceOf({ min, max, currency }: PriceRange): PriceRange {
  const all = `0 to ${MAX_PRICE}, the least first`;
  for (const [field, value] of [['min', min] as const, ['max', max] as const])
    if (value != null && !(value >= 0 && value <= MAX_PRICE)) throw invalid(`price.${field}`, value, all);
  if (min != null && max != null && min > max) throw invalid('price.min', min, all);
  if (currency != null && !/^[A-Za-z]{3}$/.test(currency))
    throw invalid('price.currency', currency.slice(0, 80), 'a currency’s three letters (ISO 4217)');
  return { min, max, currency };
}

function time(field: string, value: number): number {
  if (value >= 0) return value;
  throw invalid(field, value, '0 or more');
}

/** The greatest id below the least one of a time. */
function justBefore(id: string): string {
  const below = BigInt(`0x${id.replaceAll('-', '')}`) - 1n;
  return uuidOfHex((below < 0n ? 0n : below).toString(16).padStart(32, '0'));
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    `filter.${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`,
    { field: `filter.${field}`, allowed },
  );
}
