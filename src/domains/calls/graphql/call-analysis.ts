import { builder } from '../../../graphql/builder.ts';
import type { CallAnalysis, LocalAnalysis, Summary, SummaryCost } from '../analysis/analysis.ts';

const SpeakerStatistics = builder
  .objectRef<LocalAnalysis['speakers'][number]>('CallSpeakerStatistics')
  .implement({
    description: 'How one speaker takes part in a call.',
    fields: (t) => ({
      speaker: t.exposeInt('speaker', { description: 'Which, from 0.' }),
      talkMs: t.exposeFloat('talkMs', { description: 'How long they speak, in milliseconds.' }),
      talkRatio: t.exposeFloat('talkRatio', { description: 'Their share of all talk, 0 to 1.' }),
      wordCount: t.exposeInt('wordCount', { description: 'Words.' }),
      turnCount: t.exposeInt('turnCount', { description: 'Turns.' }),
      longestTurnMs: t.exposeFloat('longestTurnMs', { description: 'The longest turn, in milliseconds.' }),
      questionCount: t.exposeInt('questionCount', { description: 'Questions.' }),
      interruptionCount: t.exposeInt('interruptionCount', {
        description: 'How often they begin while another one is speaking.',
      }),
      wordsPerMinute: t.exposeInt('wordsPerMinute', {
        nullable: true,
        description: 'Words a minute of their talk; null without words.',
      }),
    }),
  });

const Interruption = builder.objectRef<LocalAnalysis['interruptions'][number]>('CallInterruption').implement({
  description: 'A speaker begins while another one is speaking.',
  fields: (t) => ({
    speaker: t.exposeInt('speaker', { description: 'Who begins, from 0.' }),
    atMs: t.exposeFloat('atMs', { description: 'When, in milliseconds from the start.' }),
    overlapMs: t.exposeFloat('overlapMs', { description: 'How long both speak, in milliseconds.' }),
  }),
});

const Silence = builder.objectRef<LocalAnalysis['silences'][number]>('CallSilence').implement({
  description: 'A time in which nobody speaks, of two seconds or more.',
  fields: (t) => ({
    startMs: t.exposeFloat('startMs', { description: 'From, in milliseconds.' }),
    endMs: t.exposeFloat('endMs', { description: 'To, in milliseconds.' }),
  }),
});

const Question = builder.objectRef<LocalAnalysis['questions'][number]>('CallQuestion').implement({
  description: 'A question that somebody asks.',
  fields: (t) => ({
    speaker: t.exposeInt('speaker', { description: 'The speaker who asks, by number from 0.' }),
    atMs: t.exposeFloat('atMs', { description: 'When, in milliseconds from the start.' }),
    text: t.exposeString('text', { description: 'As it was heard.' }),
  }),
});

const Keyword = builder.objectRef<LocalAnalysis['keywords'][number]>('CallKeyword').implement({
  description: 'A word that is said often.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The word, in lower case.' }),
    count: t.exposeInt('count', { description: 'How often.' }),
    firstAtMs: t.exposeFloat('firstAtMs', { description: 'When first, in milliseconds from the start.' }),
  }),
});

const CallEntity = builder.objectRef<LocalAnalysis['entities'][number]>('CallEntity').implement({
  description: 'An amount, a phone number, an address or a handle that is said.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'What it is.' }),
    value: t.exposeString('value', { description: 'As it was heard.' }),
    normalizedValue: t.exposeString('normalizedValue', { description: 'As it is compared.' }),
    speaker: t.exposeInt('speaker', { description: 'Who says it, from 0.' }),
    atMs: t.exposeFloat('atMs', { description: 'When, in milliseconds from the start.' }),
  }),
});

const ActionItem = builder.objectRef<Summary['actionItems'][number]>('CallActionItem').implement({
  description: 'What somebody has said they will do.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'What.' }),
    owner: t.exposeString('owner', { nullable: true, description: 'Who; null where nobody said.' }),
  }),
});

const CallSummary = builder.objectRef<Summary>('CallSummary').implement({
  description: 'What a language model says of a transcript.',
  fields: (t) => ({
    summary: t.exposeString('summary', { description: 'In a few sentences.' }),
    topics: t.exposeStringList('topics', { description: 'What it is about.' }),
    actionItems: t.expose('actionItems', { type: [ActionItem], description: 'What is to be done.' }),
    sentiment: t.exposeString('sentiment', {
      description: '`positive`, `neutral`, `negative` or `mixed`.',
    }),
  }),
});

const AnalysisCost = builder.objectRef<SummaryCost>('CallAnalysisCost').implement({
  description: 'What a summary has cost.',
  fields: (t) => ({
    model: t.exposeString('model', { description: 'The model that wrote it.' }),
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that it read.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that it wrote.' }),
    micros: t.exposeFloat('micros', {
      nullable: true,
      description: 'Price in millionths of the configured currency; null where no prices are set.',
    }),
  }),
});

export const CallAnalysisType = builder.objectRef<CallAnalysis>('CallAnalysis').implement({
  description: 'What a transcript says. All but the summary is found without any service.',
  fields: (t) => ({
    speakerStatistics: t.expose('speakers', {
      type: [SpeakerStatistics],
      description: 'Who takes part, and how.',
    }),
    interruptions: t.expose('interruptions', { type: [Interruption], description: 'The first 200.' }),
    silences: t.expose('silences', { type: [Silence], description: 'The first 200.' }),
    silenceMs: t.exposeFloat('silenceMs', { description: 'All silences together, in milliseconds.' }),
    questions: t.expose('questions', { type: [Question], description: 'The first 200.' }),
    keywords: t.expose('keywords', { type: [Keyword], description: 'The 20 most frequent words.' }),
    entities: t.expose('entities', { type: [CallEntity], description: 'The first 200.' }),
    overview: t.expose('summary', {
      type: CallSummary,
      nullable: true,
      description: 'Null without a chat endpoint, and of a call without words.',
    }),
    cost: t.expose('cost', { type: AnalysisCost, nullable: true, description: 'The cost of the summary.' }),
  }),
});
