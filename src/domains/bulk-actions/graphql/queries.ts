import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { entityTopic } from '../../../graphql/subscriptions/entity-topic.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { findBulkActions, readBulkAction } from '../use-cases/find-bulk-actions.ts';
import { bulkActionLoader } from './loaders.ts';
import { BulkActionType } from './refs.ts';

const BulkActionConnection = builder.connectionObject(
  {
    type: BulkActionType,
    name: 'BulkActionConnection',
    description: 'A page of bulk actions, newest first.',
  },
  { name: 'BulkActionEdge', description: 'A bulk action with its cursor.' },
);

builder.queryFields((t) => ({
  bulkAction: t.field({
    type: BulkActionType,
    nullable: true,
    description: 'One bulk action; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) =>
      readBulkAction(loaderOf(context, bulkActionLoader), context.actor, uuidOf('BulkAction', id)),
  }),
  bulkActions: t.field({
    type: BulkActionConnection,
    nullable: true,
    complexity: pageComplexity,
    description: 'Bulk actions, newest first. They are kept for 30 days after their end.',
    args: t.arg.connectionArgs(),
    resolve: async (_root, page, { actor, operation }) =>
      toConnection(await findBulkActions(operation.transaction, actor, page)),
  }),
}));

builder.subscriptionField('bulkActionChanged', (t) =>
  t.field({
    type: BulkActionType,
    nullable: true,
    authScopes: { member: true },
    description:
      'One bulk action: as it is now, then at every change of it. Null when it is gone; the stream then ends.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const actionId = uuidOf('BulkAction', id);
      if ((await loaderOf(context, bulkActionLoader).load(actionId)) === null)
        throw notFound('bulk action', actionId);
      const { actor, deps } = context;
      return entityTopic(`bulk action ${actionId}`, () =>
        deps.feed.subscribeEntity({ entity: 'bulk_action', tenantId: actor.tenantId, id: actionId }),
      );
    },
    resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, bulkActionLoader).load(id),
  }),
);
