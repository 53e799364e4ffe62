import { builder } from '../../../graphql/builder.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import type { SearchFilter } from '../use-cases/search-filter.ts';

const PriceRangeInput = builder.inputType('PriceRangeInput', {
  description: 'Prices from the one to the other, both included.',
  fields: (t) => ({
    min: t.float({ description: 'At least.' }),
    max: t.float({ description: 'At most.' }),
    currency: t.string({ description: 'In this currency (ISO 4217: `EUR`); any where it is absent.' }),
  }),
});

const EntityKindEnum = builder.enumType('EntityKind', {
  description: 'What may be recognised in a text, numbers by what they count.',
  values: {
    MENTION: { value: 'mention', description: 'A handle: `@name`.' },
    HASHTAG: { value: 'hashtag', description: '`#tag`.' },
    URL: { value: 'url', description: 'An address.' },
    EMOJI: { value: 'emoji', description: 'An emoji.' },
    PRICE: { value: 'price', description: 'An amount of money.' },
    PHONE: { value: 'phone', description: 'A telephone number.' },
    COUNT: { value: 'count', description: 'A count: `1.2K`.' },
    PERCENT: { value: 'percent', description: 'A percentage.' },
  } as const,
});

export const SearchFilterInput = builder.inputType('SearchFilter', {
  description:
    'Which texts. Conditions are joined by "and", the values of one list by "or", at most 100 of them; an absent one takes all.',
  fields: (t) => ({
    videoIds: t.idList({ description: 'In one of these videos: global ids or UUIDs.' }),
    mentions: t.stringList({ description: 'With one of these handles: `name` or `@name`.' }),
    hashtags: t.stringList({ description: 'With one of these: `tag` or `#tag`.' }),
    domains: t.stringList({
      description: 'With an address of one of these: `example.com` takes shop.example.com, too.',
    }),
    languages: t.stringList({ description: 'In one of these languages, as Tesseract names them: `eng`.' }),
    kinds: t.field({
      type: [EntityKindEnum],
      description: 'With something of one of these kinds in them, whatever it says.',
    }),
    price: t.field({ type: PriceRangeInput, description: 'With a price in this range.' }),
    startMs: t.int({ description: 'Shown at or after this time in the video.' }),
    endMs: t.int({ description: 'Shown at or before this time in the video.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Only videos created at or after this time.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Only videos created before this time.' }),
  }),
});

/** The input as the use-case takes it. @throws DomainError `InvalidArgument` naming an id */
export function searchFilterOf(input: typeof SearchFilterInput.$inferInput | null | undefined): SearchFilter {
  const { videoIds, ...rest } = input ?? {};
  return { ...rest, videoIds: videoIds?.map((id, at) => uuidOf('Video', id, `filter.videoIds[${at}]`)) };
}
