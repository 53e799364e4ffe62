import { defineDomain } from '../domain.ts';
import { searchDuty } from './duties/search-backlog.ts';

/** What can be found in videos: texts with their times, entities, and the search itself. */
export const search = defineDomain({
  name: 'search',
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: ({ database }) => [searchDuty(database)],
});

export { lineLanguage } from './segments/line-language.ts';
export type { FrameTextStore, ReadFrame, Reading, SegmentIndexStore } from './stores/contract.ts';
export { createFrameTextStore } from './stores/frame-text-store.ts';
export { createSegmentIndexStore } from './stores/segment-index-store.ts';
