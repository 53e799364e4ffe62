import { builder } from '../../../graphql/builder.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { JobDefinitionType } from '../../../graphql/types/job-definition.ts';
import { maskTemplate } from '../template/mask-template.ts';
import { findTriggerRuns, triggersByIds } from '../use-cases/find-triggers.ts';
import { inWords } from '../use-cases/schedule-preview.ts';
import { TriggerRunConnection } from './connections.ts';
import { MissedRunsEnum, MissingHourEnum, RepeatedHourEnum, TriggerKindEnum } from './enums.ts';
import { TriggerType } from './refs.ts';

builder.node(TriggerType, {
  description: 'Makes jobs by itself: of events of a name, or at times.',
  id: { resolve: ({ id }) => id, description: 'Global id.' },
  loadMany: (ids, { actor, operation }) => triggersByIds(operation.transaction, actor, ids),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'Its key in SQL, logs and `Job.sourceRef`.' }),
    label: t.exposeString('label', { description: 'What people call it.' }),
    kind: t.field({
      type: TriggerKindEnum,
      description: 'What starts it.',
      resolve: ({ kind }) => kind as 'event' | 'schedule',
    }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'False: it makes no jobs.' }),
    definition: t.field({
      type: JobDefinitionType,
      description: 'The definition of its jobs.',
      resolve: async ({ definitionId }, _args, { operation }) => {
        const prisma = await operation.transaction.prisma();
        return await prisma.jobDefinition.findUniqueOrThrow({ where: { id: definitionId } });
      },
    }),
    eventName: t.exposeString('eventPattern', {
      nullable: true,
      description:
        'The event name that it listens to, or the beginning of names and `.*`; null for a schedule.',
    }),
    condition: t.expose('condition', {
      type: 'JSON',
      nullable: true,
      description: 'What an event’s data has to satisfy.',
    }),
    cron: t.exposeString('cron', {
      nullable: true,
      description: 'A cron expression of 5 fields, or 6 with seconds first.',
    }),
    everySeconds: t.exposeInt('everySeconds', {
      nullable: true,
      description: 'The distance between its runs.',
    }),
    runAt: t.expose('runAt', { type: 'DateTime', nullable: true, description: 'The time of its only run.' }),
    scheduleInWords: t.string({
      nullable: true,
      description: 'Its times in English words; null for an event trigger.',
      resolve: ({ kind, cron, everySeconds, runAt }) =>
        kind === 'schedule' ? inWords({ cron, every_seconds: everySeconds, run_at: runAt }) : null,
    }),
    timeZone: t.exposeString('timeZone', { description: 'The time zone of `cron`, by its IANA name.' }),
    missingHour: t.field({
      type: MissingHourEnum,
      description: 'What happens at times that do not exist.',
      resolve: ({ missingHour }) => missingHour as 'after' | 'skip',
    }),
    repeatedHour: t.field({
      type: RepeatedHourEnum,
      description: 'What happens at times that come twice.',
      resolve: ({ repeatedHour }) => repeatedHour as 'first' | 'both',
    }),
    missedRuns: t.field({
      type: MissedRunsEnum,
      description: 'What becomes of missed runs.',
      resolve: ({ missedRuns }) => missedRuns as 'skip' | 'run_once' | 'backfill',
    }),
    backfillLimit: t.exposeInt('backfillLimit', { description: 'Missed runs that are made up for at most.' }),
    jitterSeconds: t.exposeInt('jitterSeconds', { description: 'Each run is put off by up to this long.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true, description: 'No run before it.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true, description: 'No run at it or after.' }),
    isSkippedWhileActive: t.exposeBoolean('skipWhileActive', {
      description: 'No run while the job of the last one is active.',
    }),
    nextRunAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Its next run; null when there is none.',
    }),
    lastRunAt: t.expose('lastAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of its last run.',
    }),
    payloadTemplate: t.field({
      type: 'JSON',
      description:
        'The payload of its jobs, with placeholders; secrets that stand in it, by the names of their fields, are shown as •••.',
      resolve: ({ payloadTemplate }) => maskTemplate(payloadTemplate),
    }),
    priority: t.exposeInt('priority', { description: 'The priority of its jobs; lower runs first.' }),
    dedupeWindowSeconds: t.exposeInt('dedupeWindowSeconds', {
      description: 'Events that give the same payload within this time make one job; 0: each makes its own.',
    }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who made it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    runs: t.field({
      type: TriggerRunConnection,
      complexity: pageComplexity,
      description: 'What became of its runs, newest first.',
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, page, { actor, operation }) =>
        toConnection(await findTriggerRuns(operation.transaction, actor, { triggerId: id }, page)),
    }),
  }),
});
