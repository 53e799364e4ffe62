import { defineRoute, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { timeOf } from '../../../rest/times.ts';
import { queryVectorsOf } from '../embedding/query-vectors.ts';
import { findSimilarLinks, SEARCH_MODES, searchLinks } from '../use-cases/search-links.ts';
import { LINK_PARAMS, TAG } from './link-routes.ts';
import { LinkSearchSchema, SimilarLinksSchema, TEXT_KINDS } from './schemas.ts';
import { foundLink, withLinks } from './shown-link.ts';

const { Optional } = Type;
const LIMIT = Optional(Type.Integer({ description: 'How many, 1 to 100; 50 by default.' }));

const search = defineRoute({
  method: 'GET',
  path: '/links/search',
  operationId: 'searchLinks',
  tag: TAG,
  summary: 'Search links by meaning and by words',
  description: 'Titles, summaries and texts. Each hit says what each of the two lists found.',
  need: searchLinks.need,
  query: Type.Object(
    {
      q: Type.String({
        description:
          'What somebody typed, 1 to 500 characters. By words all of them count; `or`, `-without` and "phrases" are understood.',
      }),
      mode: Optional(
        Type.Words(SEARCH_MODES, { description: '`hybrid` by default; `meaning` or `words` alone.' }),
      ),
      site: Optional(Type.String({ description: 'The name of a site, or a host with or without `www.`.' })),
      language: Optional(Type.String({ description: '`en` also finds `en-US`.' })),
      text_kind: Optional(Type.Words(TEXT_KINDS, { description: 'Links with such a text.' })),
      created_after: Optional(Type.Time({ description: 'Submitted at or after this time.' })),
      created_before: Optional(Type.Time({ description: 'Submitted before this time.' })),
      limit: LIMIT,
    },
    { additionalProperties: false },
  ),
  answer: LinkSearchSchema,
  errors: ['InvalidArgument', 'Busy'],
  example: { query: { q: 'talk', mode: 'words' }, answer: {} },
  run: async (context, { query }) => {
    const { deps, operation, caller } = context;
    const found = await searchLinks(
      { reads: operation.transaction, vectors: queryVectorsOf(deps.jobs.config) },
      caller,
      {
        query: query.q,
        mode: query.mode,
        first: query.limit,
        filter: {
          site: query.site,
          language: query.language,
          textKind: query.text_kind,
          createdFrom: timeOf('created_after', query.created_after),
          createdTo: timeOf('created_before', query.created_before),
        },
      },
    );
    return {
      data: await withLinks(context, found.hits, (hit, link) => ({
        link,
        score: hit.score,
        meaning: hit.meaning,
        meaning_place: hit.meaningPlace,
        words: hit.words,
        words_place: hit.wordsPlace,
      })),
      mode: found.mode,
      model: found.model,
      meaning_problem: found.meaningProblem,
    };
  },
});

const similar = defineRoute({
  method: 'GET',
  path: '/links/:link_id/similar',
  operationId: 'listSimilarLinks',
  tag: TAG,
  summary: 'List the links whose meanings are nearest to one',
  need: findSimilarLinks.need,
  params: LINK_PARAMS,
  query: Type.Object({ limit: LIMIT }, { additionalProperties: false }),
  answer: SimilarLinksSchema,
  errors: ['NotFound', 'InvalidArgument'],
  example: { params: { link_id: '{link_id}' }, answer: { data: [] } },
  run: async (context, { params, query }) => {
    const { id } = await foundLink(context, params.link_id);
    const near = await findSimilarLinks(context.operation.transaction, context.caller, id, query.limit);
    return {
      data: await withLinks(context, near, ({ similarity }, link) => ({ link, similarity })),
    };
  },
});

export const searchRoutes: readonly RestRoute[] = [search, similar];
