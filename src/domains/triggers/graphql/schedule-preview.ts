import { builder } from '../../../graphql/builder.ts';
import { type PreviewedRun, type SchedulePreview, schedulePreview } from '../use-cases/schedule-preview.ts';
import { ClockChangeEnum, MissingHourEnum, RepeatedHourEnum } from './enums.ts';

const SchedulePreviewInput = builder.inputType('SchedulePreviewInput', {
  description: 'The times of a schedule: one of `cron`, `everySeconds` and `runAt`.',
  fields: (t) => ({
    cron: t.string({ description: 'As of `CreateTriggerInput`.' }),
    everySeconds: t.int({ description: 'As of `CreateTriggerInput`.' }),
    runAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
    timeZone: t.string({ description: 'As of `CreateTriggerInput`.' }),
    missingHour: t.field({ type: MissingHourEnum, description: 'As of `CreateTriggerInput`.' }),
    repeatedHour: t.field({ type: RepeatedHourEnum, description: 'As of `CreateTriggerInput`.' }),
    startsAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
    endsAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
  }),
});

export const PreviewedRunType = builder.objectRef<PreviewedRun>('PreviewedRun').implement({
  description: 'One run of a schedule to come.',
  fields: (t) => ({
    scheduledAt: t.expose('at', { type: 'DateTime', description: 'When.' }),
    localTime: t.exposeString('localTime', {
      description: 'The same in the schedule’s zone, with its offset: `2026-03-29T03:00:00+02:00`.',
    }),
    clockChange: t.expose('clockChange', {
      type: ClockChangeEnum,
      description: 'How a change of the clock touches it.',
    }),
  }),
});

const SchedulePreviewType = builder.objectRef<SchedulePreview>('SchedulePreview').implement({
  description: 'A schedule’s times before it is saved.',
  fields: (t) => ({
    scheduleInWords: t.exposeString('words', { description: 'In English words: `At 02:30, every day`.' }),
    timeZone: t.exposeString('timeZone', { description: 'The zone, in its usual spelling.' }),
    runs: t.field({
      type: [PreviewedRunType],
      description: 'The next runs, in order.',
      resolve: ({ runs }) => [...runs],
    }),
  }),
});

builder.queryField('schedulePreview', (t) =>
  t.field({
    type: SchedulePreviewType,
    nullable: true,
    authScopes: { member: true },
    description:
      'The next runs of a schedule, with marks where a change of the clock matters. Nothing is saved.',
    args: {
      input: t.arg({ type: SchedulePreviewInput, required: true, description: 'The times.' }),
      count: t.arg.int({ description: '1 to 100 runs; 10 by default.' }),
      after: t.arg({ type: 'DateTime', description: 'Runs after this time; now by default.' }),
    },
    resolve: (_root, { input, count, after }, { deps, actor }) =>
      schedulePreview(deps.jobs, actor, input, count ?? 10, after ?? undefined),
  }),
);
