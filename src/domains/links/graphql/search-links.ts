import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { pageComplexity } from '../../../graphql/types/connections.ts';
import { queryVectorsOf } from '../embedding/query-vectors.ts';
import type { LinkHit } from '../use-cases/rank-hits.ts';
import { findSimilarLinks, type LinkSearchResult, searchLinks } from '../use-cases/search-links.ts';
import type { NearLink } from '../vectors/vector-index.ts';
import { LinkSearchModeEnum, LinkTextKindEnum } from './enums.ts';
import { linkLoader } from './loaders.ts';
import { LinkType } from './refs.ts';

const LINK = 'The link; null when it was deleted meanwhile.';

const LinkHitType = builder.objectRef<LinkHit>('LinkHit').implement({
  description: 'A link that was found, and why it stands where it does.',
  fields: (t) => ({
    link: t.field({
      type: LinkType,
      nullable: true,
      description: LINK,
      resolve: ({ linkId }, _args, context) => loaderOf(context, linkLoader).load(linkId),
    }),
    score: t.exposeFloat('score', {
      description:
        '0 to 1, by its places in both lists: the mean of 61 / (60 + place); 1 for the first in both.',
    }),
    meaning: t.exposeFloat('meaning', {
      nullable: true,
      description: 'The cosine of its meaning and the query’s; null where it is not among the 100 nearest.',
    }),
    meaningPlace: t.exposeInt('meaningPlace', {
      nullable: true,
      description: 'Its place among the nearest, from 1.',
    }),
    wordScore: t.exposeFloat('words', {
      nullable: true,
      description:
        'How well the words fit, 0 to 1: how often, how near each other, in title, summary or text. Null where they are not in it.',
    }),
    wordsPlace: t.exposeInt('wordsPlace', { nullable: true, description: 'Its place by words, from 1.' }),
  }),
});

const LinkSearchType = builder.objectRef<LinkSearchResult>('LinkSearch').implement({
  description: 'What a search found.',
  fields: (t) => ({
    hits: t.field({ type: [LinkHitType], description: 'The best first.', resolve: ({ hits }) => [...hits] }),
    mode: t.field({
      type: LinkSearchModeEnum,
      description: 'How it was asked for.',
      resolve: ({ mode }) => mode,
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'Whose vectors were compared; null where meaning was not asked, or could not be.',
    }),
    meaningProblem: t.exposeString('meaningProblem', {
      nullable: true,
      description: 'Why meaning could not be asked in mode HYBRID; words decided alone then.',
    }),
  }),
});

const LinkSearchFilterInput = builder.inputType('LinkSearchFilter', {
  description: 'Where to search. Conditions are joined by "and"; an absent one takes all.',
  fields: (t) => ({
    site: t.string({ description: 'The name of a site, or a host with or without `www.`.' }),
    language: t.string({ description: '`en` also finds `en-US`.' }),
    textKind: t.field({ type: LinkTextKindEnum, description: 'Links with such a text.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Submitted at or after this time.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Submitted before this time.' }),
  }),
});

builder.queryField('searchLinks', (t) =>
  t.field({
    type: LinkSearchType,
    nullable: true,
    authScopes: { member: true },
    complexity: (args) => ({ ...pageComplexity(args), field: 10 }),
    description: 'Searches the tenant’s links by meaning and by words: titles, summaries and texts.',
    args: {
      query: t.arg.string({
        required: true,
        description:
          'What somebody typed, 1 to 500 characters. By words all of them count; `or`, `-without` and "phrases" are understood.',
      }),
      mode: t.arg({ type: LinkSearchModeEnum, defaultValue: 'hybrid', description: 'How.' }),
      filter: t.arg({ type: LinkSearchFilterInput, description: 'Where.' }),
      first: t.arg.int({ description: 'How many, 1 to 100; 50 by default.' }),
    },
    resolve: (_root, args, { actor, operation, deps }) =>
      searchLinks({ reads: operation.transaction, vectors: queryVectorsOf(deps.jobs.config) }, actor, args),
  }),
);

const SimilarLinkType = builder.objectRef<NearLink>('SimilarLink').implement({
  description: 'A link near another one.',
  fields: (t) => ({
    link: t.field({
      type: LinkType,
      nullable: true,
      description: LINK,
      resolve: ({ linkId }, _args, context) => loaderOf(context, linkLoader).load(linkId),
    }),
    similarity: t.exposeFloat('similarity', { description: 'The cosine of their meanings.' }),
  }),
});

builder.objectField(LinkType, 'similar', (t) =>
  t.field({
    type: [SimilarLinkType],
    complexity: (args) => ({ ...pageComplexity(args), field: 10 }),
    description:
      'The tenant’s links with the nearest meanings, by the model of its vector; none while it has none.',
    args: { first: t.arg.int({ description: 'How many, 1 to 100; 50 by default.' }) },
    resolve: async ({ id }, { first }, { actor, operation }) => [
      ...(await findSimilarLinks(operation.transaction, actor, id, first)),
    ],
  }),
);
