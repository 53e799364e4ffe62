import { MISSING_HOUR_POLICIES, REPEATED_HOUR_POLICIES } from '../../../core/schedule/cron-runs.ts';
import { MISSED_RUNS_POLICIES } from '../../../core/schedule/due-ticks.ts';
import { Type } from '../../../rest/schema.ts';
import { RUN_OUTCOMES } from '../dispatch/run-log.ts';

const { Optional } = Type;

export const TRIGGER_TYPES = ['event', 'schedule'] as const;
const CLOCK_CHANGES = ['none', 'shifted', 'skipped', 'repeated_first', 'repeated_second'] as const;

/** The times of a schedule, as they are given. */
export const TIMES = {
  cron_expr: Optional(
    Type.NullableString({ description: '5 fields, or 6 with seconds first; `@daily` and the like.' }),
  ),
  every_seconds: Optional(Type.NullableInteger({ description: '1 to 31622400, in place of `cron_expr`.' })),
  run_at: Optional(Type.NullableTime({ description: 'One run, at this time, in place of `cron_expr`.' })),
  timezone: Optional(
    Type.NullableString({ description: 'The time zone of `cron_expr`, by its IANA name; `UTC` by default.' }),
  ),
  missing_hour: Optional(Type.Words(MISSING_HOUR_POLICIES, { description: '`after` by default.' })),
  repeated_hour: Optional(Type.Words(REPEATED_HOUR_POLICIES, { description: '`first` by default.' })),
  starts_at: Optional(Type.NullableTime({ description: 'No run before it.' })),
  ends_at: Optional(Type.NullableTime({ description: 'No run at it or after.' })),
};

export const FIELDS = {
  event_name: Optional(Type.NullableString({ description: 'An event name, or its first words and `.*`.' })),
  condition: Optional(Type.Json({ description: 'What the event’s data has to satisfy.' })),
  ...TIMES,
  missed_runs: Optional(Type.Words(MISSED_RUNS_POLICIES, { description: '`run_once` by default.' })),
  backfill_limit: Optional(Type.NullableInteger({ description: '1 to 1000; 10 by default.' })),
  jitter_seconds: Optional(Type.NullableInteger({ description: '0 to 86400; 0 by default.' })),
  skip_while_active: Optional(
    Type.Boolean({ description: 'No run while the job of the last one is active.' }),
  ),
  is_enabled: Optional(Type.Boolean({ description: 'True by default.' })),
  payload_template: Optional(
    Type.Json({ description: 'The payload, with placeholders: `{ "path": "{{event.path}}" }`.' }),
  ),
  priority: Optional(Type.NullableInteger({ description: '0 to 1000000; 100 by default.' })),
  dedupe_window_seconds: Optional(Type.NullableInteger({ description: '0 to 31622400; 300 by default.' })),
};

export const TriggerSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    tenant_id: Type.Uuid({ description: 'Whose it is.' }),
    label: Type.String({ description: 'What people call it.' }),
    trigger_type: Type.Words(TRIGGER_TYPES, { description: 'What starts it.' }),
    definition_key: Type.String({ description: 'What its jobs are of.' }),
    is_enabled: Type.Boolean({ description: 'False: it makes no jobs.' }),
    event_name: Type.NullableString({ description: 'The event that it listens to; null for a schedule.' }),
    condition: Type.Json({ description: 'What an event’s data has to satisfy, or null.' }),
    cron_expr: Type.NullableString({ description: 'A cron expression of 5 or 6 fields.' }),
    every_seconds: Type.NullableInteger({ description: 'The distance between its runs.' }),
    run_at: Type.NullableTime({ description: 'The time of its only run.' }),
    timezone: Type.NullableString({
      description: 'The time zone of `cron_expr`; null for an event trigger.',
    }),
    missing_hour: Type.Words(MISSING_HOUR_POLICIES, { description: 'At times that do not exist.' }),
    repeated_hour: Type.Words(REPEATED_HOUR_POLICIES, { description: 'At times that come twice.' }),
    missed_runs: Type.Words(MISSED_RUNS_POLICIES, { description: 'What becomes of missed runs.' }),
    backfill_limit: Type.Integer({ description: 'Missed runs that are made up for at most.' }),
    jitter_seconds: Type.Integer({ description: 'Each run is put off by up to this long.' }),
    starts_at: Type.NullableTime({ description: 'No run before it.' }),
    ends_at: Type.NullableTime({ description: 'No run at it or after.' }),
    skip_while_active: Type.Boolean({ description: 'No run while the job of the last one is active.' }),
    next_run_at: Type.NullableTime({ description: 'Its next run.' }),
    last_run_at: Type.NullableTime({ description: 'Its last run.' }),
    payload_template: Type.Json({ description: 'The payload, with placeholders.' }),
    priority: Type.Integer({ description: 'The priority of its jobs.' }),
    dedupe_window_seconds: Type.Integer({
      description: 'Events with the same payload within it make one job.',
    }),
    created_by: Type.NullableString({ description: 'Who made it.' }),
    created_at: Type.Time({ description: 'When it was made.' }),
    updated_at: Type.Time({ description: 'When it was last changed.' }),
    version: Type.String({ description: 'Grows with each change; the same as the ETag.' }),
  },
  {
    title: 'Trigger',
    description: 'Makes jobs by itself: of events, or at times.',
    additionalProperties: false,
  },
);

export const EventSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    name: Type.String({ description: 'Its name: `provider.folder.updated`.' }),
    data: Type.Json({ description: 'What templates and conditions read.' }),
    correlation_id: Type.NullableString({ description: 'Carried on to its jobs.' }),
    source_ref: Type.NullableString({ description: 'Where it comes from.' }),
    created_by: Type.NullableString({ description: 'Who emitted it.' }),
    created_at: Type.Time({ description: 'When it was emitted.' }),
    processed_at: Type.NullableTime({ description: 'When its jobs were made; null before.' }),
    job_count: Type.Integer({ description: 'Jobs that it made.' }),
    trigger_count: Type.Integer({ description: 'Triggers that listened to its name.' }),
  },
  { title: 'Event', description: 'Something that happened.', additionalProperties: false },
);

export const TriggerRunSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    trigger_id: Type.Uuid({ description: 'The trigger.' }),
    event_id: Type.NullableUuid({ description: 'The event; null for a schedule.' }),
    job_id: Type.NullableUuid({ description: 'The job that it made, or that stood for it.' }),
    outcome: Type.Words(RUN_OUTCOMES, { description: 'What became of it.' }),
    reason: Type.NullableString({ description: 'Why there is no job.' }),
    scheduled_at: Type.NullableTime({ description: 'The run’s own time; null for an event.' }),
    created_at: Type.Time({ description: 'When it was decided.' }),
  },
  {
    title: 'TriggerRun',
    description: 'What became of one run or event at a trigger.',
    additionalProperties: false,
  },
);

export const PreviewSchema = Type.Object(
  {
    schedule_in_words: Type.String({ description: '`At 02:30, every day`.' }),
    timezone: Type.String({ description: 'The zone, in its usual spelling.' }),
    runs: Type.Array(
      Type.Object(
        {
          scheduled_at: Type.Time({ description: 'When.' }),
          local_time: Type.String({ description: 'The same in the zone, with its offset.' }),
          clock_change: Type.Words(CLOCK_CHANGES, { description: 'How a change of the clock touches it.' }),
        },
        { title: 'PreviewedRun', additionalProperties: false },
      ),
    ),
  },
  { title: 'SchedulePreview', description: 'A schedule’s next runs.', additionalProperties: false },
);
