import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { entityTopic } from '../../../graphql/subscriptions/entity-topic.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

builder.subscriptionField('videoChanged', (t) =>
  t.field({
    type: VideoType,
    nullable: true,
    authScopes: { videos: true },
    description:
      'One video: as it is now, then at every change of it, of a job about it or of that job’s progress. Null when it is deleted; the stream then ends.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const videoId = uuidOf('Video', id);
      if ((await loaderOf(context, videoLoader).load(videoId)) === null) throw notFound('video', videoId);
      const { actor, deps } = context;
      return entityTopic(`video ${videoId}`, () =>
        deps.feed.subscribeEntity({
          entity: 'video',
          tenantId: actor.tenantId,
          id: videoId,
          withParts: true,
        }),
      );
    },
    resolve: ({ id }: { id: string }, _args, context) => loaderOf(context, videoLoader).load(id),
  }),
);
