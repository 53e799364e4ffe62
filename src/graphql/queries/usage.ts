import { findUsage, type Usage, type UsageDay } from '../../jobs/usage.ts';
import { builder } from '../builder.ts';
import { UsageOutcomeEnum, UsageUnitEnum } from '../types/enums.ts';

const OutcomeRuns = builder.objectRef<UsageDay['runsByOutcome'][number]>('UsageOutcomeRuns').implement({
  description: 'How many runs ended in one way.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: UsageOutcomeEnum, description: 'How they ended.' }),
    runCount: t.expose('runs', { type: 'BigInt', description: 'How many.' }),
  }),
});

const UsageAmountType = builder.objectRef<UsageDay['amounts'][number]>('UsageAmount').implement({
  description: 'How much of something beside runs.',
  fields: (t) => ({
    unit: t.expose('unit', { type: UsageUnitEnum, description: 'What is counted.' }),
    amount: t.expose('amount', { type: 'BigInt', description: 'How much.' }),
  }),
});

const UsageDayType = builder.objectRef<UsageDay>('UsageDay').implement({
  description: 'What the tenant used of one definition on one day.',
  fields: (t) => ({
    date: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    definitionKey: t.exposeString('definitionKey', { description: 'Key of the definition.' }),
    runCount: t.expose('runs', { type: 'BigInt', description: 'Runs, however they ended.' }),
    runsByOutcome: t.expose('runsByOutcome', {
      type: [OutcomeRuns],
      description: 'The same by outcome; outcomes that did not occur are omitted.',
    }),
    wallMs: t.expose('wallMs', {
      type: 'BigInt',
      description: 'Time from start to end of all runs, in milliseconds.',
    }),
    cpuMs: t.expose('cpuMs', {
      type: 'BigInt',
      nullable: true,
      description: 'CPU time of the runs for which it is known, in milliseconds; null when it is of none.',
    }),
    cpuMeasuredRunCount: t.expose('cpuMeasuredRuns', {
      type: 'BigInt',
      description: 'Runs whose CPU time is known: those that had their worker process for themselves.',
    }),
    amounts: t.expose('amounts', {
      type: [UsageAmountType],
      description:
        'What is counted beside runs, such as sound that was transcribed; units of which there is nothing are omitted.',
    }),
  }),
});

const UsageType = builder.objectRef<Usage>('Usage').implement({
  description: 'What the tenant used.',
  fields: (t) => ({
    exactBefore: t.expose('exactBefore', {
      type: 'DateTime',
      description:
        'Runs that ended before this time are counted, later ones are not. It is the time of the answer, unless the daily sums are far behind.',
    }),
    days: t.expose('days', {
      type: [UsageDayType],
      description: 'By day and definition, oldest day first; days without runs are omitted.',
    }),
  }),
});

const UsageFilterInput = builder.inputType('UsageFilter', {
  description: 'Which usage; an absent condition takes all.',
  fields: (t) => ({
    definitions: t.stringList({ description: 'Keys of definitions, one of them.' }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: UsageType,
    nullable: true,
    // Who may is the use-case's to ask: a scope can only say `member`. Bounded by the range and the
    // definitions, and read from daily sums.
    complexity: { field: 50, multiplier: 1 },
    description: 'What the tenant used, by day and definition. It takes tenant_admin.',
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'The first day is the one (UTC) with this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        required: true,
        description: 'The last day is the one (UTC) with this time; at most 366 days in all.',
      }),
      filter: t.arg({ type: UsageFilterInput, description: 'Which ones.' }),
    },
    resolve: (_root, { from, to, filter }, { actor, operation }) =>
      findUsage(operation.transaction, actor, { from, to, definitionKeys: filter?.definitions }),
  }),
);
