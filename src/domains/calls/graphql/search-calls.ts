import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { connectionOf, pageComplexity } from '../../../graphql/types/connections.ts';
import { type CallHit, searchCalls } from '../use-cases/search-calls.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

const CallHitType = builder.objectRef<CallHit>('CallHit').implement({
  description: 'What somebody said that was found.',
  fields: (t) => ({
    call: t.field({
      type: CallType,
      nullable: true,
      description: 'In which call.',
      resolve: ({ callId }, _args, context) => loaderOf(context, callLoader).load(callId),
    }),
    position: t.exposeInt('position', { description: 'Of the turn in its transcript.' }),
    speaker: t.exposeInt('speaker', { description: 'Who says it, from 0.' }),
    speakerName: t.string({
      nullable: true,
      description: 'Their name, where the call has one.',
      resolve: async ({ callId, speaker }, _args, context) =>
        (await loaderOf(context, callLoader).load(callId))?.speakers[speaker] ?? null,
    }),
    startMs: t.exposeFloat('startMs', { description: 'From, in milliseconds.' }),
    endMs: t.exposeFloat('endMs', { description: 'To, in milliseconds.' }),
    text: t.exposeString('text', { description: 'The turn.' }),
    score: t.exposeFloat('score', { description: 'How well it answers.' }),
  }),
});

const CallSearchConnection = builder.connectionObject(
  {
    type: CallHitType,
    name: 'CallSearchConnection',
    description: 'A page of what was found in calls, the best first.',
  },
  { name: 'CallSearchEdge', description: 'What was found, with its cursor.' },
);

builder.queryField('searchCalls', (t) =>
  t.field({
    type: CallSearchConnection,
    nullable: true,
    authScopes: { videos: true },
    complexity: pageComplexity,
    description:
      'Searches what was said in calls: words, `"phrases"`, beginnings (`proj*`), `-without`. A mistyped or misheard letter does not matter.',
    args: {
      query: t.arg.string({ required: true, description: 'What somebody typed, at most 200 characters.' }),
      callId: t.arg.id({ description: 'In this call alone: its global id, or its UUID.' }),
      first: t.arg.int({ description: 'Rows from the start of the list, 1 to 100; 50 by default.' }),
      after: t.arg.string({ description: 'Only rows after this cursor.' }),
    },
    resolve: async (_root, { callId, ...args }, { operation, actor }) => {
      const found = await searchCalls(operation.transaction, actor, {
        ...args,
        callId: callId == null ? null : uuidOf('Call', callId, 'callId'),
      });
      const edges = found.hits.map((node) => ({ cursor: node.cursor, node }));
      return connectionOf({ hasNextPage: found.hasNextPage, hasPreviousPage: args.after != null }, edges);
    },
  }),
);
