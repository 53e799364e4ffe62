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
    price: t.field({ type: PriceRangeInput, description: 'With a price in this range.' }),
    startMs: t.int({ description: 'Shown at or after this time in the video.' }),
    endMs: t.int({ description: 'Shown at or before this time in the video.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Of videos made at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Of videos made before.' }),
  }),
});

/** The input as the use-case takes it. @throws DomainError `InvalidArgument` naming an id */
export function searchFilterOf(input: typeof SearchFilterInput.$inferInput | null | undefined): SearchFilter {
  const { videoIds, ...rest } = input ?? {};
  return { ...rest, videoIds: videoIds?.map((id, at) => uuidOf('Video', id, `filter.videoIds[${at}]`)) };
}
