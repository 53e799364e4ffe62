import { defineDomain } from '../domain.ts';
import { deletedTenantsDuty } from './duties/deleted-tenants.ts';

/** Tenants as those see them who run the installation. */
export const tenants = defineDomain({
  name: 'tenants',
  graphql: async () => (await import('./graphql/index.ts')).graphqlPart,
  rest: async () => (await import('./rest/index.ts')).restPart,
  duties: ({ database, log }) => [deletedTenantsDuty(database, log)],
});
