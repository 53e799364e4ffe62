import type { CallTranscriptRow, CallTurnRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import type { TranscriptWord } from '../transcript.ts';
import { findCallTurns } from '../use-cases/find-calls.ts';

const CallWord = builder.objectRef<TranscriptWord>('CallWord').implement({
  description: 'A word with its time.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'As it was heard.' }),
    startMs: t.exposeFloat('startMs', { description: 'From, in milliseconds.' }),
    endMs: t.exposeFloat('endMs', { description: 'To, in milliseconds.' }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: '0 to 1; null where the provider gives none.',
    }),
  }),
});

const CallTurn = builder.objectRef<CallTurnRow>('CallTurn').implement({
  description: 'What one speaker says without another one speaking for longer.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'From 0, in the order of time.' }),
    speaker: t.exposeInt('speaker', { description: 'Who, from 0.' }),
    startMs: t.float({ description: 'From, in milliseconds.', resolve: ({ startMs }) => Number(startMs) }),
    endMs: t.float({ description: 'To, in milliseconds.', resolve: ({ endMs }) => Number(endMs) }),
    text: t.exposeString('text', { description: 'Empty where nothing recognises words.' }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: '0 to 1; null where the provider gives none.',
    }),
    words: t.field({
      type: [CallWord],
      complexity: { field: 1, multiplier: 10 },
      description: 'Its words; none where the provider gives no times of them.',
      resolve: ({ words }) => words as unknown as TranscriptWord[],
    }),
  }),
});

export const CallTranscriptType = builder.objectRef<CallTranscriptRow>('CallTranscript').implement({
  description: 'What was said in a call.',
  fields: (t) => ({
    hash: t.exposeString('hash', { description: 'SHA-256 of who says what and when.' }),
    provider: t.exposeString('provider', {
      description: '`speechkit`, `openai`, `command`, `pocketsphinx`, `segments` or `none`.',
    }),
    model: t.exposeString('model', { nullable: true, description: 'The provider’s model.' }),
    language: t.exposeString('language', { nullable: true, description: 'As it was asked for, or heard.' }),
    isDraft: t.exposeBoolean('isDraft', {
      description: 'Its words need a look before they are used.',
    }),
    hasText: t.exposeBoolean('hasText', { description: 'False: times and speakers alone, or nothing.' }),
    emptyReason: t.exposeString('emptyReason', {
      nullable: true,
      description:
        'Why it has no text: `silent` (nobody is to be heard), `no_provider` (nothing here recognises words), `nothing_recognised`.',
    }),
    wordCount: t.exposeInt('wordCount', { description: 'Words.' }),
    turnCount: t.exposeInt('turnCount', { description: 'Turns.' }),
    audioSeconds: t.float({
      description: 'Seconds of sound that were transcribed: what a provider charges for.',
      resolve: ({ audioMs }) => Number(audioMs) / 1000,
    }),
    operationCount: t.exposeInt('operationCount', {
      description:
        'Operations of the provider that were begun for it, or may have been before a worker was killed; 0 where none was needed.',
    }),
    costMicros: t.float({
      nullable: true,
      description: 'What they cost, in millionths of the configured currency; null where no price is set.',
      resolve: ({ costMicros }) => (costMicros === null ? null : Number(costMicros)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    turns: t.field({
      type: [CallTurn],
      complexity: ({ count }) => ({ field: 1, multiplier: Math.min(count ?? 100, 500) }),
      args: {
        from: t.arg.int({ description: 'Position of the first; 0 by default.' }),
        count: t.arg.int({ description: 'How many, 1 to 500; 100 by default.' }),
      },
      description: 'Its turns, in the order of time.',
      resolve: async ({ callId }, { from, count }, { operation, actor }) => [
        ...(await findCallTurns(operation.transaction, actor, {
          callId,
          from: from ?? 0,
          count: count ?? 100,
        })),
      ],
    }),
  }),
});
