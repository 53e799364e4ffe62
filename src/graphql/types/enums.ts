import { ROLES } from '../../core/actor.ts';
import { SKIP_REASONS } from '../../core/bulk.ts';
import { ATTEMPT_STATUSES, JOB_SOURCES, JOB_STATUSES } from '../../core/job.ts';
import { JOB_LOG_LEVELS } from '../../core/job-log.ts';
import type { Scope } from '../../core/scopes.ts';
import { WAIT_REASONS } from '../../core/waiting.ts';
import { USAGE_OUTCOMES, USAGE_UNITS } from '../../jobs/usage.ts';
import { builder } from '../builder.ts';
import { enumName } from '../enum-name.ts';

/**
 * Enum values as GraphQL has them: the stored words in its case (`enumName`). Every value needs a
 * description.
 */
export function valuesOf<Word extends string>(
  words: readonly Word[],
  descriptions: Readonly<Record<Word, string>>,
): Record<string, { value: Word; description: string }> {
  return Object.fromEntries(
    words.map((word) => [enumName(word), { value: word, description: descriptions[word] }]),
  );
}

export const JobStatusEnum = builder.enumType('JobStatus', {
  description: 'Where a job stands.',
  values: valuesOf(JOB_STATUSES, {
    queued: 'Waits for its time, or for a free worker.',
    running: 'A worker has it.',
    succeeded: 'Done. It never changes again.',
    failed: 'Ended by a permanent error; not retried by itself.',
    canceled: 'Canceled before it was done.',
    dead_letter: 'All attempts are spent, or it kept taking its workers down.',
  }),
});

export const JobSourceEnum = builder.enumType('JobSource', {
  description: 'What asked for a job.',
  values: valuesOf(JOB_SOURCES, {
    manual: 'A person or an API key.',
    event: 'An application event.',
    schedule: 'A schedule.',
    system: 'Millrace itself, as the next stage of a pipeline.',
  }),
});

export const ATTEMPT_OR_RUNNING = ['running', ...ATTEMPT_STATUSES] as const;

export const JobAttemptStatusEnum = builder.enumType('JobAttemptStatus', {
  description: 'How one run of a job ended.',
  values: valuesOf(ATTEMPT_OR_RUNNING, {
    running: 'It has not ended yet.',
    succeeded: 'Done.',
    skipped: 'There was nothing to do.',
    failed: 'It threw an error.',
    timeout: 'It took longer than its definition allows.',
    canceled: 'It was asked to stop.',
    lost: 'Its worker fell silent and its lease ended.',
    interrupted: 'Its worker stopped and handed it back; spends no attempt.',
  }),
});

export const JobLogLevelEnum = builder.enumType('JobLogLevel', {
  description: 'How much a line of a job’s log matters.',
  values: valuesOf(JOB_LOG_LEVELS, {
    debug: 'For finding a mistake.',
    info: 'What the run does.',
    warn: 'Not as it should be, and it goes on.',
    error: 'Something failed.',
  }),
});

export const UsageOutcomeEnum = builder.enumType('UsageOutcome', {
  description: 'How a run ended, for metering.',
  values: valuesOf(USAGE_OUTCOMES, {
    succeeded: 'Done.',
    skipped: 'There was nothing to do.',
    failed: 'It threw an error.',
    timeout: 'It took longer than its definition allows.',
    canceled: 'It was asked to stop.',
    lost: 'Its worker fell silent; counted until its lease was taken away.',
    snoozed: 'It put itself off; spends no attempt.',
    handed_back: 'Its worker stopped and gave it back; spends no attempt.',
  }),
});

export const UsageUnitEnum = builder.enumType('UsageUnit', {
  description: 'What is counted beside runs.',
  values: valuesOf(USAGE_UNITS, {
    audio_ms: 'Milliseconds of sound that a speech provider was sent.',
    input_tokens: 'Tokens that a language model read.',
    output_tokens: 'Tokens that it wrote.',
    cost_micros: 'Price of these, in millionths of the configured currency, where one is set.',
  }),
});

export const RoleEnum = builder.enumType('Role', {
  description: 'What a caller may do.',
  values: valuesOf(ROLES, {
    worker: 'Runs jobs in another language; reads nothing else.',
    member: 'Reads, requests clips, and enqueues what its definition allows members.',
    tenant_admin: 'Everything within the tenant.',
    super_admin: 'Everything, in every tenant.',
  }),
});

export const ApiKeyScopeEnum = builder.enumType('ApiKeyScope', {
  description: 'What an API key may be narrowed to, below what its role allows.',
  values: {
    JOBS_READ: { value: 'jobs:read', description: 'Read and watch jobs, definitions and the tenant.' },
    JOBS_WRITE: { value: 'jobs:write', description: 'Enqueue, change, cancel and retry jobs.' },
    VIDEOS_READ: { value: 'videos:read', description: 'Read and watch videos, and fetch their files.' },
    VIDEOS_WRITE: {
      value: 'videos:write',
      description: 'Create videos, complete their uploads and request clips.',
    },
    ADMIN: {
      value: 'admin',
      description: 'The tenant itself: settings, limits, members, keys, usage, the audit log, definitions.',
    },
  } satisfies Record<string, { readonly value: Scope; readonly description: string }>,
});

export const SkipReasonEnum = builder.enumType('SkipReason', {
  description: 'Why a job of a selection was left as it is.',
  values: valuesOf(SKIP_REASONS, {
    ended: 'It has ended already.',
    asked_before: 'It runs, and was asked to stop before.',
    succeeded: 'It succeeded; that is never undone.',
    queued: 'It is in the queue already.',
    still_running: 'It runs; cancel it first.',
    active_duplicate: 'Another job with its dedupe key is active.',
    changed: 'Its status was no longer one of the filter’s when its turn came.',
    busy: 'Another transaction held it; try again.',
    gone: 'It was deleted meanwhile.',
  }),
});

export const WaitReasonEnum = builder.enumType('WaitReason', {
  description: 'What a queued job waits for.',
  values: valuesOf(WAIT_REASONS, {
    time: 'Its time has not come: it was scheduled for later, or tries again later.',
    dependency: 'A job that it depends on has not ended.',
    limit: 'As many jobs run as its definition, its tenant or both together may run.',
    rate: 'As many jobs have started within the period as its definition, its tenant or both together may start.',
    paused: 'Its definition or its tenant is paused, or its definition archived.',
    no_worker: 'No running worker knows its definition.',
    turn: 'Nothing but its turn and a free worker.',
    expired: 'It was not started in time; it is about to be canceled.',
    doomed: 'It is about to be canceled.',
  }),
});
