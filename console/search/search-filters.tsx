import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchInput } from '../../src/client/index.ts';
import type { ShownFilter } from '../parts/list-states.tsx';

type Filter = NonNullable<SearchInput['filter']>;
type Kind = NonNullable<Filter['kinds']>[number];

/** What may be recognised in a text, with what people call it. */
const KINDS: Readonly<Record<Kind, string>> = {
  MENTION: 'Handles',
  HASHTAG: 'Hashtags',
  URL: 'Addresses',
  EMOJI: 'Emoji',
  PRICE: 'Prices',
  PHONE: 'Phone numbers',
  COUNT: 'Counts',
  PERCENT: 'Percentages',
};

export interface SearchFilterParams {
  readonly kind?: string | undefined;
  readonly lang?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly from?: string | undefined;
}

/** Null where the address narrows nothing. */
export function searchFilterOf({ kind, lang, min, max, from }: SearchFilterParams): Filter | null {
  if (
    kind === undefined &&
    lang === undefined &&
    min === undefined &&
    max === undefined &&
    from === undefined
  )
    return null;
  const price = {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
  return {
    ...(kind !== undefined && { kinds: [kind as Kind] }),
    ...(lang !== undefined && { languages: [lang] }),
    ...((min !== undefined || max !== undefined) && { price }),
    ...(from !== undefined && { createdAfter: new Date(from).toISOString() }),
  };
}

/** What narrows a search, by names as people know them. */
export function narrowingInWords({ kind, lang, min, max, from }: SearchFilterParams): ShownFilter {
  return {
    Kind: kind && KINDS[kind as Kind],
    Language: lang,
    'Price from': min,
    'Price to': max,
    Since: from,
  };
}

/**
 * What narrows a search: a language, prices, the day from which on a video was made. All of it is in the
 * address.
 */
export function SearchFilters() {
  const { kind, lang, min, max, from } = useSearch({ from: '/search' });
  const navigate = useNavigate({ from: '/search' });
  const set = (change: SearchFilterParams): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <fieldset className="small search-filters" aria-label="Filters">
      <label>
        With
        <select value={kind ?? ''} onChange={({ target }) => set({ kind: target.value || undefined })}>
          <option value="">anything</option>
          {Object.entries(KINDS).map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label>
        Language
        <input
          size={8}
          placeholder="eng"
          value={lang ?? ''}
          maxLength={20}
          onChange={({ target }) => set({ lang: target.value.trim() || undefined })}
        />
      </label>
      <label>
        Price from
        <input
          type="number"
          min={0}
          step="any"
          value={min ?? ''}
          onChange={({ target }) => set({ min: target.value || undefined })}
        />
      </label>
      <label>
        Price to
        <input
          type="number"
          min={0}
          step="any"
          value={max ?? ''}
          onChange={({ target }) => set({ max: target.value || undefined })}
        />
      </label>
      <label>
        Videos since
        <input
          type="date"
          value={from ?? ''}
          onChange={({ target }) => set({ from: target.value || undefined })}
        />
      </label>
    </fieldset>
  );
}
