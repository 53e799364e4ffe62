import './bulk-action.ts';
import './mutations.ts';
import './queries.ts';
import { JOBS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = { typeAccess: { BulkAction: JOBS } };
