import { builder } from '../../../graphql/builder.ts';
import type { CallCost } from '../use-cases/call-cost.ts';

export const CallCostType = builder.objectRef<CallCost>('CallCost').implement({
  description:
    'What a call has cost. Prices are in millionths of the configured currency, and null where none is set.',
  fields: (t) => ({
    audioSeconds: t.exposeFloat('audioSeconds', {
      description:
        'Seconds of sound that a provider may have charged for; a program of the worker’s machine counts too.',
    }),
    speechMicros: t.exposeFloat('speechMicros', {
      nullable: true,
      description: 'The cost of the transcript.',
    }),
    inputTokens: t.exposeInt('inputTokens', {
      description: 'Tokens that a language model read for the summary.',
    }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that it wrote.' }),
    summaryMicros: t.exposeFloat('summaryMicros', {
      nullable: true,
      description: 'The cost of the summary.',
    }),
    totalMicros: t.exposeFloat('totalMicros', {
      nullable: true,
      description: 'The cost of both, as far as prices are set.',
    }),
  }),
});
