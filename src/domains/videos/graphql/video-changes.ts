import { builder } from '../../../graphql/builder.ts';
import { creatorOf } from '../../../graphql/subscriptions/creator-of.ts';
import { listTopic } from '../../../graphql/subscriptions/list-topic.ts';
import { checkVideoFilter, type VideoFeedEvent, videoList } from '../feed/video-list.ts';
import { VideoStatusEnum } from './enums.ts';
import { VideoChangeEvent } from './video-change-event.ts';

const VideoChangesFilterInput = builder.inputType('VideoChangesFilter', {
  description: 'Which videos to watch, and how many to begin with.',
  fields: (t) => ({
    statuses: t.field({
      type: [VideoStatusEnum],
      description: 'One of these; a video that leaves them is sent as VideoLeft.',
    }),
    createdBy: t.string({ description: 'Made by: `user:<sub>`, `key:<id>`.' }),
    createdByMe: t.boolean({
      description: 'Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing.',
    }),
    initialLimit: t.int({ description: 'Videos of the initial state, 1 to 10000; 1000 by default.' }),
  }),
});

builder.subscriptionField('videoChanges', (t) =>
  t.field({
    type: VideoChangeEvent,
    authScopes: { videos: true },
    description:
      'The videos that match, newest first, then FeedReady, then every change of one, of a job about it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice.',
    args: {
      filter: t.arg({
        type: VideoChangesFilterInput,
        description: 'Which videos; all of the tenant by default.',
      }),
      after: t.arg.string({
        description: 'Cursor of the last event that was seen: no initial state, all changes since.',
      }),
    },
    subscribe: (_root, { filter, after }, { actor, deps }) => {
      const { createdBy, createdByMe, ...rest } = filter ?? {};
      const asked = {
        tenantId: actor.tenantId,
        statuses: rest.statuses ?? null,
        initialLimit: rest.initialLimit ?? null,
        createdBy: creatorOf(createdBy, createdByMe, actor),
      };
      const checked = checkVideoFilter(asked);
      const open = (from: string | null) => deps.feed.subscribeList(videoList(checked), from);
      const presenter = () => (event: VideoFeedEvent) => ({ value: event });
      return listTopic(deps, { name: 'videos', filter: checked, open, presenter }, after ?? null);
    },
    resolve: (event: VideoFeedEvent) => event,
  }),
);
