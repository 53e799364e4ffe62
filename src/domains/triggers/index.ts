import { defineDomain } from '../domain.ts';
import { triggersDuties } from './duties/triggers-duties.ts';

/** Events, and what makes jobs of them and at times. */
export const triggers = defineDomain({
  name: 'triggers',
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => triggersDuties(deps),
});
