import { notFound } from '../../jobs/not-found.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { VideoType } from '../types/video-ref.ts';
import { wholeTopic } from './whole-topic.ts';

builder.subscriptionField('videoChanged', (t) =>
  t.field({
    type: VideoType,
    nullable: true,
    authScopes: { videos: true },
    description:
      'One video: as it is now, then at every change of it, of a job about it or of that job’s progress.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    subscribe: async (_root, { id }, context) => {
      const videoId = uuidOf('Video', id);
      if ((await loadersOf(context).video.load(videoId)) === null) throw notFound('video', videoId);
      const { actor, deps } = context;
      return wholeTopic(`video ${videoId}`, () => deps.feed.subscribeVideo(actor.tenantId, videoId));
    },
    resolve: ({ videoId }: { videoId: string }, _args, context) => loadersOf(context).video.load(videoId),
  }),
);
