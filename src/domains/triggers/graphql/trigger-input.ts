import { builder } from '../../../graphql/builder.ts';
import type { TriggerFields } from '../use-cases/trigger-fields.ts';
import { MissedRunsEnum, MissingHourEnum, RepeatedHourEnum } from './enums.ts';

export const CreateTriggerInput = builder.inputType('CreateTriggerInput', {
  description:
    'A trigger: with `eventName` it listens to events; with `cron`, `everySeconds` or `runAt` it is a schedule.',
  fields: (t) => ({
    label: t.string({ required: true, description: '1 to 200 characters.' }),
    definition: t.string({ required: true, description: 'The key of the definition that its jobs are of.' }),
    isEnabled: t.boolean({ description: 'True by default.' }),
    eventName: t.string({ description: 'An event name, or its first words and `.*`: `provider.*`.' }),
    condition: t.field({
      type: 'JSON',
      description: 'What the event’s data has to satisfy: `{ "field": "size", "gt": 10 }`.',
    }),
    cron: t.string({ description: '5 fields, or 6 with seconds first; `@daily` and the like.' }),
    everySeconds: t.int({ description: '1 to 31622400.' }),
    runAt: t.field({ type: 'DateTime', description: 'One run, at this time.' }),
    timeZone: t.string({ description: 'The time zone of `cron`, by its IANA name; `UTC` by default.' }),
    missingHour: t.field({ type: MissingHourEnum, description: '`AFTER` by default.' }),
    repeatedHour: t.field({ type: RepeatedHourEnum, description: '`FIRST` by default.' }),
    missedRuns: t.field({ type: MissedRunsEnum, description: '`RUN_ONCE` by default.' }),
    backfillLimit: t.int({ description: '1 to 1000; 10 by default.' }),
    jitterSeconds: t.int({ description: '0 to 86400; 0 by default.' }),
    startsAt: t.field({ type: 'DateTime', description: 'No run before it.' }),
    endsAt: t.field({ type: 'DateTime', description: 'No run at it or after.' }),
    isSkippedWhileActive: t.boolean({
      description: 'No run while the job of the last one is active; false by default.',
    }),
    payloadTemplate: t.field({
      type: 'JSON',
      description: 'The payload, with placeholders: `{ "path": "{{event.path}}" }`. `{}` by default.',
    }),
    priority: t.int({ description: '0 to 1000000; 100 by default.' }),
    dedupeWindowSeconds: t.int({ description: '0 to 31622400; 300 by default. Of event triggers.' }),
  }),
});

export const UpdateTriggerInput = builder.inputType('UpdateTriggerInput', {
  description: 'What to change of a trigger: null gives a field its default, absent leaves it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The trigger’s global id, or its UUID.' }),
    label: t.string({ description: '1 to 200 characters.' }),
    definition: t.string({ description: 'The key of the definition that its jobs are of.' }),
    isEnabled: t.boolean({ description: 'A schedule that is enabled again goes on from now.' }),
    eventName: t.string({ description: 'As of `CreateTriggerInput`.' }),
    condition: t.field({ type: 'JSON', description: 'As of `CreateTriggerInput`.' }),
    cron: t.string({ description: 'As of `CreateTriggerInput`.' }),
    everySeconds: t.int({ description: 'As of `CreateTriggerInput`.' }),
    runAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
    timeZone: t.string({ description: 'As of `CreateTriggerInput`.' }),
    missingHour: t.field({ type: MissingHourEnum, description: 'As of `CreateTriggerInput`.' }),
    repeatedHour: t.field({ type: RepeatedHourEnum, description: 'As of `CreateTriggerInput`.' }),
    missedRuns: t.field({ type: MissedRunsEnum, description: 'As of `CreateTriggerInput`.' }),
    backfillLimit: t.int({ description: 'As of `CreateTriggerInput`.' }),
    jitterSeconds: t.int({ description: 'As of `CreateTriggerInput`.' }),
    startsAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
    endsAt: t.field({ type: 'DateTime', description: 'As of `CreateTriggerInput`.' }),
    isSkippedWhileActive: t.boolean({ description: 'As of `CreateTriggerInput`.' }),
    payloadTemplate: t.field({ type: 'JSON', description: 'As of `CreateTriggerInput`.' }),
    priority: t.int({ description: 'As of `CreateTriggerInput`.' }),
    dedupeWindowSeconds: t.int({ description: 'As of `CreateTriggerInput`.' }),
  }),
});

/** The API's names as the use-cases'. */
export function fieldsOfInput<
  Input extends {
    readonly definition?: string | null | undefined;
    readonly isSkippedWhileActive?: boolean | null | undefined;
  },
>(
  input: Input,
): Omit<Input, 'definition' | 'isSkippedWhileActive' | 'id'> &
  Partial<Pick<TriggerFields, 'definitionKey' | 'skipWhileActive'>> {
  const { definition, isSkippedWhileActive, id: _id, ...fields } = input as Input & { readonly id?: unknown };
  return {
    ...fields,
    ...(definition != null && { definitionKey: definition }),
    ...(isSkippedWhileActive !== undefined && { skipWhileActive: isSkippedWhileActive }),
  };
}
