import './mutations.ts';
import { ADMIN } from '../../../graphql/access/type-scopes.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';
import { findWebhookEndpoints } from '../use-cases/endpoints.ts';
import { findWebhookSources } from '../use-cases/sources.ts';
import { WebhookEndpointType, WebhookSourceType } from './types.ts';

builder.queryFields((t) => ({
  webhookEndpoints: t.field({
    type: [WebhookEndpointType],
    nullable: true,
    description: 'The tenant’s webhook endpoints, newest first, at most 200. For tenant admins.',
    args: { uuid: t.arg({ type: 'UUID', description: 'Only the one with this key.' }) },
    resolve: async (_root, { uuid }, { actor, operation }) => [
      ...(await findWebhookEndpoints(operation.transaction, actor, uuid ?? null)),
    ],
  }),
  webhookSources: t.field({
    type: [WebhookSourceType],
    nullable: true,
    description:
      'The tenant’s URLs whose messages become events, newest first, at most 200. For tenant admins.',
    resolve: async (_root, _args, { actor, operation }) => [
      ...(await findWebhookSources(operation.transaction, actor)),
    ],
  }),
}));

export const graphqlPart: GraphqlPart = {
  typeAccess: { WebhookDelivery: ADMIN, WebhookEndpoint: ADMIN, WebhookSource: ADMIN },
};
