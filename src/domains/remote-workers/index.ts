import { defineDomain } from '../domain.ts';
import { sweepJobFilesDuty } from './duties/sweep-job-files.ts';

/** Workers in any language: what they ask for over the network. */
export const remoteWorkers = defineDomain({
  name: 'remote-workers',
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: (deps) => [sweepJobFilesDuty(deps)],
});
