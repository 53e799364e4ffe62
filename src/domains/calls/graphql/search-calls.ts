import type { CallRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { connectionOf, pageComplexity } from '../../../graphql/types/connections.ts';
import { type CallHit, searchCalls } from '../use-cases/search-calls.ts';
import { CallType } from './call-ref.ts';
import { callLoader } from './loaders.ts';

interface FoundEdge {
  readonly cursor: string;
  readonly node: CallRow;
  readonly hit: CallHit;
}

const CallHitType = builder.objectRef<CallHit>('CallHit').implement({
  description: 'What somebody said that was found.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'The place of the turn in its transcript.' }),
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
    type: CallType,
    name: 'CallSearchConnection',
    description: 'A page of what was found in calls, the best first.',
  },
  {
    name: 'CallSearchEdge',
    description:
      'A call with what was found in it, and a cursor. A call has as many edges as turns that were found.',
    fields: (t) => ({
      hit: t.field({
        type: CallHitType,
        description: 'What was found.',
        resolve: (edge) => (edge as unknown as FoundEdge).hit,
      }),
    }),
  },
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
    resolve: async (_root, { callId, ...args }, context) => {
      const { operation, actor } = context;
      const found = await searchCalls(operation.transaction, actor, {
        ...args,
        callId: callId == null ? null : uuidOf('Call', callId, 'callId'),
      });
      const calls = await Promise.all(
        found.hits.map((hit) => loaderOf(context, callLoader).load(hit.callId)),
      );
      // One that was deleted since is none.
      const edges = found.hits.flatMap((hit, index): FoundEdge[] => {
        const node = calls[index];
        return node == null ? [] : [{ cursor: hit.cursor, node, hit }];
      });
      return connectionOf({ hasNextPage: found.hasNextPage, hasPreviousPage: args.after != null }, edges);
    },
  }),
);
