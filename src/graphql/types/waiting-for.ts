import type { WaitingFor } from '../../core/waiting.ts';
import { builder } from '../builder.ts';
import { WaitReasonEnum } from './enums.ts';

export const WaitingForType = builder.objectRef<WaitingFor>('WaitingFor').implement({
  description: 'What keeps a queued job from being started.',
  fields: (t) => ({
    reason: t.expose('reason', { type: WaitReasonEnum, description: 'The first thing in its way.' }),
    message: t.exposeString('message', { description: 'The same in words.' }),
    endsAt: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'When that ends, where it can be said.',
    }),
  }),
});
