import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { written } from '../../../graphql/mutations/write.ts';
import type { SearchHit } from '../use-cases/search-videos.ts';
import { type Highlight, highlightsOf, type TitleHighlight } from '../use-cases/segment-words.ts';
import { segmentLoader } from './loaders.ts';
import { PixelBoxType } from './pixel-box.ts';
import { SegmentType } from './segment-ref.ts';

const SearchHighlightType = builder.objectRef<Highlight>('SearchHighlight').implement({
  description: 'A word that was asked for, as it was read.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'What was read.' }),
    box: t.field({
      type: PixelBoxType,
      nullable: true,
      description: 'Its place in the picture; null where the reader did not say.',
      resolve: ({ word }) => word,
    }),
  }),
});

export const TitleHighlightType = builder.objectRef<TitleHighlight>('TitleHighlight').implement({
  description: 'A word of a video’s title that was asked for.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The word as it is written there.' }),
    startOffset: t.exposeInt('startOffset', {
      description: 'Where it begins in the title, in UTF-16 code units, as JavaScript counts.',
    }),
    endOffset: t.exposeInt('endOffset', { description: 'Where it ends: the first unit behind it.' }),
  }),
});

export const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'A text that was found.',
  fields: (t) => ({
    segment: t.field({
      type: SegmentType,
      description: 'The text with its time, place and thumbnail.',
      resolve: (hit, _args, context) => segmentOf(hit, context),
    }),
    score: t.exposeFloat('score', { description: 'How well it answers, 0 to 1.' }),
    highlights: t.field({
      type: [SearchHighlightType],
      description: 'The words in it that were asked for.',
      resolve: async (hit, _args, context) => highlightsOf(await segmentOf(hit, context), hit.places),
    }),
  }),
});

function segmentOf({ segmentId }: SearchHit, context: GraphqlContext) {
  return written(loaderOf(context, segmentLoader).load(segmentId), `Segment ${segmentId}`);
}
