import type { VideoRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { written } from '../../../graphql/mutations/write.ts';
import { connectionOf, pageComplexity } from '../../../graphql/types/connections.ts';
import { VideoType, videoLoader } from '../../videos/api.ts';
import {
  DEFAULT_HITS_PER_VIDEO,
  type FoundVideo,
  MAX_HITS_PER_VIDEO,
  type SearchArgs,
  type SearchPage,
  searchFacets,
  searchVideos,
} from '../use-cases/search-videos.ts';
import { titleHighlightsOf } from '../use-cases/segment-words.ts';
import { SearchFacetsType } from './search-facets.ts';
import { SearchFilterInput, searchFilterOf } from './search-filter.ts';
import { SearchHitType, TitleHighlightType } from './search-hit.ts';

const SearchOrderEnum = builder.enumType('SearchOrder', {
  description: 'How found videos are sorted.',
  values: {
    RELEVANCE: { value: 'relevance', description: 'The best first.' },
    NEWEST: {
      value: 'newest',
      description:
        'The newest first: so much matches that it is not ranked. One word more, or a filter, ranks it.',
    },
  } as const,
});

interface Found extends Pick<SearchPage, 'order' | 'videoCount' | 'hitCount'> {
  readonly asked: SearchArgs;
}

const SearchConnection = builder.connectionObject(
  {
    type: VideoType,
    name: 'SearchConnection',
    description: 'A page of found videos; their edges say what was found in them.',
    fields: (t) => ({
      order: t.field({
        type: SearchOrderEnum,
        description: 'How they are sorted.',
        resolve: (found) => foundOf(found).order,
      }),
      videoCount: t.int({
        nullable: true,
        description:
          'How many videos were found; null when the newest come first, since nobody counts them then.',
        resolve: (found) => foundOf(found).videoCount,
      }),
      hitCount: t.int({
        nullable: true,
        description: 'How many texts were found in all of them; null likewise.',
        resolve: (found) => foundOf(found).hitCount,
      }),
      facets: t.field({
        type: SearchFacetsType,
        complexity: { field: 20 },
        description: 'What all that was found has in common, whatever the page.',
        resolve: (found, _args, { operation, actor }) =>
          searchFacets(operation.transaction, actor, foundOf(found).asked),
      }),
    }),
  },
  {
    name: 'SearchEdge',
    description: 'A found video with its cursor, and what was found in it.',
    fields: (t) => ({
      score: t.float({
        description: 'How well it answers: its best text or its title, and a little for more of them.',
        resolve: (edge) => videoOf(edge).score,
      }),
      hitCount: t.int({
        description: 'How many of its texts were found; 0 where its title alone was.',
        resolve: (edge) => videoOf(edge).hitCount,
      }),
      hits: t.field({
        type: [SearchHitType],
        complexity: { field: 1, multiplier: DEFAULT_HITS_PER_VIDEO },
        description: 'The best of them, best first; `hitsPerVideo` says how many.',
        resolve: (edge) => [...videoOf(edge).hits],
      }),
      titleHighlights: t.field({
        type: [TitleHighlightType],
        description:
          'The words of the video’s title that were asked for; none where the title was not found.',
        resolve: (edge) => {
          const { title, found } = titleOf(edge);
          return titleHighlightsOf(title, found.titlePlaces ?? []);
        },
      }),
    }),
  },
);

/**
 * What the resolver below puts beside the page, which the plugin's types of a connection and its edges do not
 * know.
 */
const foundOf = (connection: object): Found => connection as Found;
const videoOf = (edge: object): FoundVideo => (edge as { readonly found: FoundVideo }).found;
const titleOf = (edge: object) => {
  const { node, found } = edge as { readonly node: VideoRow; readonly found: FoundVideo };
  return { title: node.title, found };
};

builder.queryField('searchVideos', (t) =>
  t.field({
    type: SearchConnection,
    nullable: true,
    authScopes: { videos: true },
    complexity: ({ hitsPerVideo, ...page }) => {
      const { multiplier } = pageComplexity(page);
      const hits = Math.min(hitsPerVideo ?? 0, MAX_HITS_PER_VIDEO);
      const moreHits = Math.max(0, hits - DEFAULT_HITS_PER_VIDEO);
      // A text shows about ten fields.
      return { field: 10 + 10 * multiplier * moreHits, multiplier };
    },
    description:
      'Searches what was read in the pictures of videos, also of one that is still being read, and their titles: words, `"phrases"`, beginnings (`proj*`), `-without`, `@name`, `#tag`. A mistyped or misread letter does not matter.',
    args: {
      query: t.arg.string({
        description: 'What somebody typed, at most 200 characters; without it the filter decides alone.',
      }),
      filter: t.arg({ type: SearchFilterInput, description: 'Where to search.' }),
      first: t.arg.int({ description: 'Rows from the start of the list, 1 to 100; 50 by default.' }),
      after: t.arg.string({ description: 'Only rows after this cursor.' }),
      hitsPerVideo: t.arg.int({
        description: `Texts that are shown of each video, 1 to ${MAX_HITS_PER_VIDEO}; ${DEFAULT_HITS_PER_VIDEO} by default.`,
      }),
    },
    resolve: async (_root, { filter, ...args }, context) => {
      const asked: SearchArgs = { ...args, filter: searchFilterOf(filter) };
      const page = await searchVideos(context.operation.transaction, context.actor, asked);
      const { order, videoCount, hitCount } = page;
      const edges = await Promise.all(
        page.videos.map(async (found) => ({
          cursor: found.cursor,
          node: await written(loaderOf(context, videoLoader).load(found.videoId), `Video ${found.videoId}`),
          found,
        })),
      );
      return { ...connectionOf(page, edges), ...({ asked, order, videoCount, hitCount } satisfies Found) };
    },
  }),
);
