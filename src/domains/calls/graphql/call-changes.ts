import { builder } from '../../../graphql/builder.ts';
import { creatorOf } from '../../../graphql/subscriptions/creator-of.ts';
import { listTopic } from '../../../graphql/subscriptions/list-topic.ts';
import { type CallFeedEvent, callList, checkCallFilter } from '../feed/call-list.ts';
import { CallChangeEvent } from './call-change-event.ts';
import { CallStatusEnum } from './enums.ts';

const CallChangesFilterInput = builder.inputType('CallChangesFilter', {
  description: 'Which calls to watch, and how many to begin with.',
  fields: (t) => ({
    statuses: t.field({
      type: [CallStatusEnum],
      description: 'One of these; a call that leaves them is sent as CallLeft.',
    }),
    createdBy: t.string({ description: 'Made by: `user:<sub>`, `key:<id>`.' }),
    createdByMe: t.boolean({
      description: 'Made by the caller; in place of `createdBy`. False, like omitting it, restricts nothing.',
    }),
    initialLimit: t.int({ description: 'Calls of the initial state, 1 to 10000; 1000 by default.' }),
  }),
});

builder.subscriptionField('callChanges', (t) =>
  t.field({
    type: CallChangeEvent,
    authScopes: { videos: true },
    description:
      'The calls that match, newest first, then FeedReady, then every change of one, of a job about it or of that job’s progress. Go on after a broken connection with `after`: nothing is missed, some may come twice.',
    args: {
      filter: t.arg({
        type: CallChangesFilterInput,
        description: 'Which calls; all of the tenant by default.',
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
      const checked = checkCallFilter(asked);
      const open = (from: string | null) => deps.feed.subscribeList(callList(checked), from);
      const presenter = () => (event: CallFeedEvent) => ({ value: event });
      return listTopic(deps, { name: 'calls', filter: checked, open, presenter }, after ?? null);
    },
    resolve: (event: CallFeedEvent) => event,
  }),
);
