import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { entityTopic } from '../../../graphql/subscriptions/entity-topic.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { ClipType } from './clip-ref.ts';
import { clipLoader } from './loaders.ts';

builder.subscriptionField('clipChanged', (t) =>
  t.field({
    type: ClipType,
    nullable: true,
    authScopes: { videos: true },
    description:
      'One clip: as it is now, then at every change of it, of the job that makes it or of that job’s progress. Null when it is deleted, by itself or with its video; the stream then ends.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const clipId = uuidOf('Clip', id);
      if ((await loaderOf(context, clipLoader).load(clipId)) === null) throw notFound('clip', clipId);
      const { actor, deps } = context;
      return entityTopic(`clip ${clipId}`, () =>
        deps.feed.subscribeEntity({ entity: 'clip', tenantId: actor.tenantId, id: clipId }),
      );
    },
    resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, clipLoader).load(id),
  }),
);
