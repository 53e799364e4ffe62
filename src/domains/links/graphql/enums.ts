import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { LINK_STATUSES } from '../link-status.ts';
import { SEARCH_MODES } from '../use-cases/search-links.ts';

export const LinkStatusEnum = builder.enumType('LinkStatus', {
  description: 'Where a link stands.',
  values: valuesOf(LINK_STATUSES, {
    pending: 'Its job waits for a worker.',
    scraping: 'Its text and metadata are being read.',
    enriching: 'Its text is being summed up and embedded, or waits for that.',
    done: 'It can be found.',
    failed: 'It could not be read or enriched; `processingError` says why. Retry its job.',
  }),
});

export const LinkTextKindEnum = builder.enumType('LinkTextKind', {
  description: 'What the text of a link is.',
  values: valuesOf(['transcript', 'article'] as const, {
    transcript: 'What is said in a video: captions, or a provider’s transcript.',
    article: 'The article of a page.',
  }),
});

export const LinkSearchModeEnum = builder.enumType('LinkSearchMode', {
  description: 'How links are searched.',
  values: valuesOf(SEARCH_MODES, {
    hybrid: 'By meaning and by words, the places in both lists joined.',
    meaning: 'By meaning alone.',
    words: 'By words alone.',
  }),
});
