import './create-tenant.ts';
import './delete-tenant.ts';
import './tenant-queue.ts';
import './tenants.ts';
import { ADMIN } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = { typeAccess: { TenantQueue: ADMIN } };
