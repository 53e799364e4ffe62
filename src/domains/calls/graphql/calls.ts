import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { creatorOf } from '../../../jobs/creator-filter.ts';
import { findCalls, readCall } from '../use-cases/find-calls.ts';
import { CallConnection } from './call-connection.ts';
import { CallType } from './call-ref.ts';
import { CallStatusEnum } from './enums.ts';
import { callLoader } from './loaders.ts';

const CallFilterInput = builder.inputType('CallFilter', {
  description: 'Which calls; what is omitted does not matter.',
  fields: (t) => ({
    statuses: t.field({ type: [CallStatusEnum], description: 'One of these.' }),
    createdBy: t.string({ description: 'Submitted by: `user:<sub>`, `key:<id>`.' }),
    createdByMe: t.boolean({ description: 'Submitted by the caller; in place of `createdBy`.' }),
  }),
});

builder.queryField('call', (t) =>
  t.field({
    type: CallType,
    nullable: true,
    authScopes: { videos: true },
    description: 'One call; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) =>
      readCall(loaderOf(context, callLoader), context.actor, uuidOf('Call', id)),
  }),
);

builder.queryField('calls', (t) =>
  t.field({
    type: CallConnection,
    nullable: true,
    authScopes: { videos: true },
    complexity: pageComplexity,
    description: 'Calls, newest first.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: CallFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, operation }) => {
      const { createdBy, createdByMe, ...rest } = filter ?? {};
      const asked = { ...rest, createdBy: creatorOf(createdBy, createdByMe, actor) };
      return toConnection(await findCalls(operation.transaction, actor, asked, page));
    },
  }),
);
