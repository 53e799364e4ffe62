import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { entityTopic } from '../../../graphql/subscriptions/entity-topic.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

builder.subscriptionField('callChanged', (t) =>
  t.field({
    type: CallType,
    nullable: true,
    authScopes: { videos: true },
    description:
      'One call: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const callId = uuidOf('Call', id);
      if ((await loaderOf(context, callLoader).load(callId)) === null) throw notFound('call', callId);
      const { actor, deps } = context;
      return entityTopic(`call ${callId}`, () =>
        deps.feed.subscribeEntity({ entity: 'call', tenantId: actor.tenantId, id: callId }),
      );
    },
    resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, callLoader).load(id),
  }),
);
