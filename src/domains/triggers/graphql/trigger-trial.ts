import { builder } from '../../../graphql/builder.ts';
import { type TrialResult, testTrigger } from '../use-cases/trigger-trial.ts';
import { TriggerRunOutcomeEnum } from './enums.ts';
import { CreateTriggerInput, fieldsOfInput } from './trigger-input.ts';

const TestEventInput = builder.inputType('TestEventInput', {
  description: 'An event to try a trigger with.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    data: t.field({ type: 'JSON', description: 'Its data; `{}` by default.' }),
  }),
});

const TestTriggerInput = builder.inputType('TestTriggerInput', {
  description: 'A trigger, saved or not, and what to try it with.',
  fields: (t) => ({
    trigger: t.field({ type: CreateTriggerInput, required: true, description: 'The trigger.' }),
    event: t.field({ type: TestEventInput, description: 'For an event trigger.' }),
    scheduledAt: t.field({
      type: 'DateTime',
      description: 'For a schedule: the time of the run; now by default.',
    }),
  }),
});

const TestTriggerResultType = builder.objectRef<TrialResult>('TestTriggerResult').implement({
  description: 'What the trigger would do.',
  fields: (t) => ({
    outcome: t.field({
      type: TriggerRunOutcomeEnum,
      nullable: true,
      description: 'What would become of it; null: the trigger does not listen to events of this name.',
      resolve: ({ outcome }) => outcome,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why there would be no job.' }),
    payload: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The payload of the job, with the schema’s defaults; secrets are masked.',
      resolve: ({ payload }) => payload,
    }),
  }),
});

builder.queryField('testTrigger', (t) =>
  t.field({
    type: TestTriggerResultType,
    nullable: true,
    description: 'What a trigger would do with an event or at a time, without doing it. For tenant admins.',
    args: {
      input: t.arg({ type: TestTriggerInput, required: true, description: 'The trigger and the trial.' }),
    },
    resolve: (_root, { input: { trigger, event, scheduledAt } }, { deps, actor }) =>
      testTrigger(
        deps.jobs,
        actor,
        { ...fieldsOfInput(trigger), label: trigger.label, definitionKey: trigger.definition },
        { event, scheduledAt },
      ),
  }),
);
