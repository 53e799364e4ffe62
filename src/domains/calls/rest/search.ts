import { answerRows, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { callLoader } from '../graphql/loaders.ts';
import { searchCalls } from '../use-cases/search-calls.ts';
import { HitSchema } from './schemas.ts';

export const search = defineRoute({
  method: 'GET',
  path: '/calls/search',
  operationId: 'searchCalls',
  tag: 'Calls',
  summary: 'Search what was said in calls',
  description:
    'Words, `"phrases"`, beginnings (`proj*`), `-without`. A mistyped or misheard letter does not matter.',
  need: searchCalls.need,
  query: Type.Object(
    {
      q: Type.String({ description: 'What somebody typed, at most 200 characters.' }),
      call_id: Type.Optional(Type.Uuid({ description: 'In this call alone.' })),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('CallSearchPage', HitSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { q: 'insurance' }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query }) => {
    const found = await searchCalls(operation.transaction, caller, {
      query: query.q,
      callId: query.call_id?.toLowerCase(),
      first: query.limit,
      after: query.after,
    });
    const data = await Promise.all(
      found.hits.map(async ({ callId, position, speaker, startMs, endMs, text, score }) => {
        const call = await operation.loader(callLoader).load(callId);
        return {
          call_id: callId,
          title: call?.title ?? '',
          ...{ position, speaker, speaker_name: call?.speakers[speaker] ?? null },
          ...{ start_ms: startMs, end_ms: endMs, text, score },
        };
      }),
    );
    return answerRows(url, data, found.hasNextPage ? (found.hits.at(-1)?.cursor ?? null) : null);
  },
});
