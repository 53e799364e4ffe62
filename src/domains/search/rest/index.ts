import type { RestContext } from '../../../rest/context.ts';
import { answerRows, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineRoute, type RestPart } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { timeOf } from '../../../rest/times.ts';
import { foundVideo, shownVideo, VideoSchema } from '../../videos/api.ts';
import { segmentLoader } from '../graphql/loaders.ts';
import { ENTITY_KINDS } from '../use-cases/search-filter.ts';
import {
  DEFAULT_HITS_PER_VIDEO,
  MAX_HITS_PER_VIDEO,
  type SearchHit,
  searchVideos,
} from '../use-cases/search-videos.ts';

const { Optional } = Type;

const HitSchema = Type.Object(
  {
    segment_id: Type.Uuid({ description: 'Id of the text.' }),
    text: Type.String({ description: 'What was read.' }),
    t_start: Type.Integer({ description: 'From when it is shown, in milliseconds.' }),
    t_end: Type.Integer({ description: 'Until when.' }),
    language: Type.String({ description: 'Its language, by Tesseract’s name.' }),
    score: Type.Number({ description: 'How well it answers, 0 to 1.' }),
  },
  { title: 'SearchHit', description: 'A text that was found.', additionalProperties: false },
);

const FoundSchema = Type.Object(
  {
    video: VideoSchema,
    score: Type.Number({ description: 'How well the video answers.' }),
    hit_count: Type.Integer({ description: 'How many of its texts were found.' }),
    hits: Type.Array(HitSchema, { description: 'The best of them, best first.' }),
  },
  { title: 'FoundVideo', additionalProperties: false },
);

const texts = (description: string) => Optional(Type.Array(Type.String(), { description }));

const search = defineRoute({
  method: 'GET',
  path: '/search',
  operationId: 'searchVideos',
  tag: 'Search',
  summary: 'Search what was read in the pictures of videos, and their titles',
  description:
    'Words, `"phrases"`, beginnings (`proj*`), `-without`, `@name`, `#tag`. Conditions are joined by "and", the values of one by "or".',
  need: searchVideos.need,
  query: Type.Object(
    {
      q: Optional(Type.String({ description: 'What somebody typed, at most 200 characters.' })),
      video_ids: Optional(Type.Array(Type.Uuid(), { description: 'In one of these videos.' })),
      mentions: texts('With one of these handles.'),
      hashtags: texts('With one of these hashtags.'),
      domains: texts('With an address of one of these.'),
      languages: texts('In one of these languages.'),
      kinds: Optional(
        Type.Array(Type.Words(ENTITY_KINDS), {
          description: 'With something of one of these kinds in them, whatever it says.',
        }),
      ),
      start_ms: Optional(Type.Integer({ description: 'Shown at or after this time in the video.' })),
      end_ms: Optional(Type.Integer({ description: 'Shown at or before it.' })),
      created_after: Optional(Type.Time({ description: 'Only videos created at or after this time.' })),
      created_before: Optional(Type.Time({ description: 'Only videos created before this time.' })),
      hits_per_video: Optional(
        Type.Integer({
          description: `Texts of each video, 1 to ${MAX_HITS_PER_VIDEO}; ${DEFAULT_HITS_PER_VIDEO} by default.`,
        }),
      ),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('SearchPage', FoundSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { q: 'pricing' }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { query }) => {
    const page = await searchVideos(context.operation.transaction, context.caller, {
      query: query.q,
      first: query.limit,
      after: query.after,
      hitsPerVideo: query.hits_per_video,
      filter: {
        videoIds: query.video_ids?.map((id) => id.toLowerCase()),
        mentions: query.mentions,
        hashtags: query.hashtags,
        domains: query.domains,
        languages: query.languages,
        kinds: query.kinds,
        startMs: query.start_ms,
        endMs: query.end_ms,
        createdAfter: timeOf('created_after', query.created_after),
        createdBefore: timeOf('created_before', query.created_before),
      },
    });
    const data = await Promise.all(
      page.videos.map(async ({ videoId, score, hitCount, hits }) => ({
        video: await shownVideo(context, await foundVideo(context, videoId)),
        score,
        hit_count: hitCount,
        hits: await Promise.all(hits.map((hit) => shownHit(context, hit))),
      })),
    );
    return answerRows(context.url, data, page.hasNextPage ? (page.videos.at(-1)?.cursor ?? null) : null);
  },
});

async function shownHit({ operation }: RestContext, { segmentId, score }: SearchHit) {
  const segment = await operation.loader(segmentLoader).load(segmentId);
  if (segment === null) throw new Error(`Segment ${segmentId} was found and is not there`);
  return {
    segment_id: segmentId,
    text: segment.text,
    t_start: Number(segment.tStart),
    t_end: Number(segment.tEnd),
    language: segment.language,
    score,
  };
}

/** What search adds to the REST API. */
export const restPart: RestPart = { routes: [search] };
