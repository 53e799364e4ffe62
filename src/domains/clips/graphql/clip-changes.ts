import { builder } from '../../../graphql/builder.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { creatorOf } from '../../../graphql/subscriptions/creator-of.ts';
import { listTopic } from '../../../graphql/subscriptions/list-topic.ts';
import { type ClipFeedEvent, checkClipFilter, clipList } from '../feed/clip-list.ts';
import { ClipChangeEvent } from './clip-change-event.ts';
import { ClipStatusEnum } from './enums.ts';

const ClipChangesFilterInput = builder.inputType('ClipChangesFilter', {
  description: 'Which clips to watch, and how many to begin with.',
  fields: (t) => ({
    videoId: t.id({ description: 'Of this video: its global id, or its UUID.' }),
    callId: t.id({ description: 'Of this call, in the place of a video: its global id, or its UUID.' }),
    statuses: t.field({
      type: [ClipStatusEnum],
      description:
        'One of these; a clip that leaves them is sent as ClipLeft. QUEUED and RUNNING are one here, and stand for both.',
    }),
    createdBy: t.string({ description: 'Made by: `user:<sub>`, `key:<id>`.' }),
    createdByMe: t.boolean({
      description: 'Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing.',
    }),
    initialLimit: t.int({ description: 'Clips of the initial state, 1 to 10000; 1000 by default.' }),
  }),
});

builder.subscriptionField('clipChanges', (t) =>
  t.field({
    type: ClipChangeEvent,
    authScopes: { videos: true },
    description:
      'The clips that match, newest first, then FeedReady, then every change of one, of the job that makes it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice.',
    args: {
      filter: t.arg({
        type: ClipChangesFilterInput,
        description: 'Which clips; all of the tenant by default.',
      }),
      after: t.arg.string({
        description: 'Cursor of the last event that was seen: no initial state, all changes since.',
      }),
    },
    subscribe: (_root, { filter, after }, { actor, deps }) => {
      const { createdBy, createdByMe, videoId, callId, ...rest } = filter ?? {};
      const asked = {
        tenantId: actor.tenantId,
        statuses: rest.statuses ?? null,
        initialLimit: rest.initialLimit ?? null,
        videoId: videoId == null ? null : uuidOf('Video', videoId, 'filter.videoId'),
        callId: callId == null ? null : uuidOf('Call', callId, 'filter.callId'),
        createdBy: creatorOf(createdBy, createdByMe, actor),
      };
      const checked = checkClipFilter(asked);
      const open = (from: string | null) => deps.feed.subscribeList(clipList(checked), from);
      const presenter = () => (event: ClipFeedEvent) => ({ value: event });
      return listTopic(deps, { name: 'clips', filter: checked, open, presenter }, after ?? null);
    },
    resolve: (event: ClipFeedEvent) => event,
  }),
);
