type EntityType = 'mention' | 'hashtag' | 'url' | 'emoji' | 'number';
export type NumberSubtype = 'price' | 'phone' | 'count' | 'percent' | 'plain';

/** Something recognised in a text. */
export interface Entity {
  readonly type: EntityType;
  /** The kind of number; null for other entities. */
  readonly subtype: NumberSubtype | null;
  /** As it stands in the text. */
  readonly value: string;
  /** What it is looked up by: lower case, without sign and ornament, the same for all ways of writing it. */
  readonly normalizedValue: string;
  /** For a URL: its registrable host (`bbc.co.uk`), or the host itself where it has none. */
  readonly domain: string | null;
  /** For a number that is not a phone's: a decimal, `1299.5`. */
  readonly amount: string | null;
  /** For a price: ISO 4217; null where the text does not say which ("kr"). */
  readonly currency: string | null;
  /** Its place in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Makes an entity of the kinds that have no more than a value. */
export function plainEntity(
  type: EntityType,
  { value, start }: { readonly value: string; readonly start: number },
  normalizedValue: string,
): Entity {
  return {
    type,
    subtype: null,
    value,
    normalizedValue,
    domain: null,
    amount: null,
    currency: null,
    start,
    end: start + value.length,
  };
}
