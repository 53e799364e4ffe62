import { MISSING_HOUR_POLICIES, REPEATED_HOUR_POLICIES } from '../../../core/schedule/cron-runs.ts';
import { MISSED_RUNS_POLICIES } from '../../../core/schedule/due-ticks.ts';
import { builder } from '../../../graphql/builder.ts';
import { valuesOf } from '../../../graphql/types/enums.ts';
import { RUN_OUTCOMES } from '../dispatch/run-log.ts';

export const TriggerKindEnum = builder.enumType('TriggerKind', {
  description: 'What starts a trigger.',
  values: valuesOf(['event', 'schedule'] as const, {
    event: 'Events of a name.',
    schedule: 'Times.',
  }),
});

export const MissingHourEnum = builder.enumType('MissingHourPolicy', {
  description:
    'What happens to a fixed time that does not exist on the day when clocks go forward. Schedules with a wildcard or a step in their times go by elapsed time instead.',
  values: valuesOf(MISSING_HOUR_POLICIES, {
    after: 'It runs at the first instant after the missing time.',
    skip: 'It does not run that day.',
  }),
});

export const RepeatedHourEnum = builder.enumType('RepeatedHourPolicy', {
  description:
    'What happens to a fixed time that comes twice on the day when clocks go back. Schedules with a wildcard or a step in their times go by elapsed time instead.',
  values: valuesOf(REPEATED_HOUR_POLICIES, {
    first: 'It runs the first time.',
    both: 'It runs both times.',
  }),
});

export const MissedRunsEnum = builder.enumType('MissedRunsPolicy', {
  description: 'What becomes of runs that were missed by more than a minute, since no worker was there.',
  values: valuesOf(MISSED_RUNS_POLICIES, {
    skip: 'They are dropped.',
    run_once: 'The last one runs, unless another is due by then.',
    backfill: 'The last `backfillLimit` ones run, in order.',
  }),
});

export const TriggerRunOutcomeEnum = builder.enumType('TriggerRunOutcome', {
  description: 'What became of one run of a schedule, or of one event at one trigger.',
  values: valuesOf(RUN_OUTCOMES, {
    enqueued: 'A job was made.',
    duplicate: 'A job with the same payload is active, or was made within the window.',
    disabled: 'The trigger was disabled.',
    condition_false: 'The event did not satisfy the condition.',
    template_error: 'The payload template could not be filled.',
    payload_refused: 'The definition’s schema refused the payload.',
    definition_inactive: 'The job definition takes no new jobs.',
    still_active: 'The job of an earlier run had not ended.',
    chain_too_deep: 'Too many triggers in a row led to the event: one of them may be starting itself.',
    missed: 'No worker was there at that time, and the policy does not make up for it.',
  }),
});

export const ClockChangeEnum = builder.enumType('ClockChange', {
  description: 'How a change of the clock touches a run.',
  values: {
    NONE: { value: 'none', description: 'Not at all.' },
    SHIFTED: {
      value: 'shifted',
      description: 'Its time does not exist that day; it runs at the first instant after.',
    },
    SKIPPED: { value: 'skipped', description: 'Its time does not exist that day; it does not run.' },
    REPEATED_FIRST: { value: 'repeated_first', description: 'Its time comes twice; this is the first.' },
    REPEATED_SECOND: { value: 'repeated_second', description: 'Its time comes twice; this is the second.' },
  } as const,
});
