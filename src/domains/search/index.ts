import { defineDomain } from '../domain.ts';
import { searchDuty } from './duties/search-backlog.ts';

/** What can be found in videos: texts with their times, entities, and the search itself. */
export const search = defineDomain({
  name: 'search',
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: ({ database }) => [searchDuty(database)],
});
