import { builder } from '../../../graphql/builder.ts';
import type { FacetCount, SearchFacets } from '../use-cases/search-videos.ts';

const FacetCountType = builder.objectRef<FacetCount>('SearchFacetCount').implement({
  description: 'A value that found texts have.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value.' }),
    count: t.exposeInt('count', { description: 'How many of the found texts have it.' }),
  }),
});

export const SearchFacetsType = builder.objectRef<SearchFacets>('SearchFacets').implement({
  description: 'What found texts have in common: of each kind the ten most frequent values.',
  fields: (t) => {
    const counts = (kind: Exclude<keyof SearchFacets, 'isComplete'>, description: string) =>
      t.field({
        type: [FacetCountType],
        complexity: { field: 1, multiplier: 10 },
        description,
        resolve: (facets) => [...facets[kind]],
      });
    return {
      isComplete: t.exposeBoolean('isComplete', {
        description:
          'Whether all that was found is counted; otherwise it is too much, and the newest of it are.',
      }),
      mentions: counts('mentions', 'Handles: `name`.'),
      hashtags: counts('hashtags', 'Hashtags: `tag`.'),
      domains: counts('domains', 'Domains of addresses.'),
      languages: counts('languages', 'Languages.'),
      videos: counts('videos', 'Videos, by their UUIDs.'),
    };
  },
});
