import './mutations.ts';
import { ADMIN } from '../../../graphql/access/type-scopes.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { findWebhookEndpoints } from '../use-cases/find-endpoints.ts';
import { findWebhookSources } from '../use-cases/sources.ts';
import { WebhookEndpointConnection, WebhookSourceConnection } from './types.ts';

builder.queryFields((t) => ({
  webhookEndpoints: t.field({
    type: WebhookEndpointConnection,
    nullable: true,
    description: 'The tenant’s webhook endpoints, newest first. For tenant admins.',
    complexity: pageComplexity,
    args: {
      ...t.arg.connectionArgs(),
      uuid: t.arg({ type: 'UUID', description: 'Only the one with this key.' }),
    },
    resolve: async (_root, { uuid, ...page }, { actor, operation }) =>
      toConnection(await findWebhookEndpoints(operation.transaction, actor, page, uuid ?? null)),
  }),
  webhookSources: t.field({
    type: WebhookSourceConnection,
    nullable: true,
    description: 'The tenant’s URLs whose messages become events, newest first. For tenant admins.',
    complexity: pageComplexity,
    args: t.arg.connectionArgs(),
    resolve: async (_root, page, { actor, operation }) =>
      toConnection(await findWebhookSources(operation.transaction, actor, page)),
  }),
}));

export const graphqlPart: GraphqlPart = {
  typeAccess: { WebhookDelivery: ADMIN, WebhookEndpoint: ADMIN, WebhookSource: ADMIN },
};
