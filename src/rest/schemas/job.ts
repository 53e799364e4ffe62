import { JOB_SOURCES, JOB_STATUSES } from '../../core/job.ts';
import { WAIT_REASONS } from '../../core/waiting.ts';
import { nullable, Type } from '../schema.ts';

const { Object: Obj, Optional } = Type;

export const SubjectSchema = Obj(
  {
    type: Type.String({ maxLength: 255, description: 'Kind of thing: `video`, or one of your own.' }),
    key: Type.String({ maxLength: 255, description: 'Its key: the UUID of a video, or a key of your own.' }),
  },
  { title: 'JobSubject', description: 'What a job is about.', additionalProperties: false },
);

export const JobErrorSchema = Obj(
  {
    type: Type.String({ description: 'Class of the error: `S3ObjectNotFound`, `TimedOut` …' }),
    message: Type.String({ description: 'What went wrong.' }),
    failed_at: Type.NullableTime({ description: 'When it went wrong.' }),
    retry_count: Type.Integer({ description: 'Runs that had ended in an error before this one.' }),
  },
  { title: 'JobError', description: 'Why a run failed.', additionalProperties: false },
);

export const JobProgressSchema = Obj(
  {
    percent: Type.NullableNumber({ description: '0 to 100; null while the length of the work is unknown.' }),
    stage: Type.NullableString({ description: 'What it is at.' }),
    message: Type.NullableString({ description: 'The handler’s own words.' }),
    eta_seconds: Type.NullableNumber({ description: 'Seconds that it still needed at `updated_at`.' }),
    run_no: Type.Integer({ description: 'Which run of the job says so.' }),
    updated_at: Type.Time({ description: 'When it said so.' }),
  },
  {
    title: 'JobProgress',
    description: 'How far a run is, as its handler last said.',
    additionalProperties: false,
  },
);

export const WaitingForSchema = Obj(
  {
    reason: Type.Words(WAIT_REASONS, { description: 'The first thing in its way.' }),
    message: Type.String({ description: 'The same in words.' }),
    ends_at: Type.NullableTime({ description: 'When that ends, where it can be said.' }),
  },
  {
    title: 'WaitingFor',
    description: 'What keeps a queued job from being started.',
    additionalProperties: false,
  },
);

/** What the list and the job have in common. */
const SUMMARY = {
  id: Type.Uuid({ description: 'Its id.' }),
  tenant_id: Type.Uuid({ description: 'Whose it is.' }),
  status: Type.Words(JOB_STATUSES, { description: 'Current status.' }),
  definition_key: Type.String({ description: 'What kind of job it is.' }),
  source: Type.Words(JOB_SOURCES, { description: 'What asked for it.' }),
  source_ref: Type.NullableString({ description: 'Which trigger, event or earlier job asked for it.' }),
  priority: Type.Integer({ description: 'Lower runs first; 100 by default.' }),
  dedupe_key: Type.NullableString({
    description: 'At most one active job of the tenant carries the same key.',
  }),
  correlation_id: Type.NullableString({ description: 'Ties jobs together.' }),
  subject: nullable(SubjectSchema, { description: 'What it is about.' }),
  tags: Type.Array(Type.String(), { description: 'What it is found and grouped by.' }),
  metadata: Type.Json({ description: 'Notes of the caller that enqueued it: an object, or null.' }),
  created_at: Type.Time({ description: 'When it was enqueued.' }),
  requested_for: Type.NullableTime({ description: 'The time asked for, where that lay in the past.' }),
  scheduled_for: Type.Time({ description: 'Not to be run before.' }),
  queued_at: Type.Time({ description: 'When it last came into the queue.' }),
  claimed_at: Type.NullableTime({ description: 'When a worker last took it.' }),
  started_at: Type.NullableTime({ description: 'When its handler last started.' }),
  finished_at: Type.NullableTime({ description: 'When it ended.' }),
  expires_at: Type.NullableTime({ description: 'Canceled when it has not begun by then.' }),
  timeout_seconds: Type.NullableInteger({
    description: 'How long a run may take, where that is not the definition’s.',
  }),
  attempt_count: Type.Integer({ description: 'Runs that ended in an error, a timeout or a lost lease.' }),
  max_attempts: Type.Integer({ description: 'Runs in all before it goes to `dead_letter`.' }),
  run_no: Type.Integer({ description: 'How often it was claimed; never goes back.' }),
  snooze_count: Type.Integer({ description: 'How often it put itself off.' }),
  lost_lease_count: Type.Integer({ description: 'Runs lost in a row with their workers.' }),
  pending_dependency_count: Type.Integer({ description: 'Jobs that it waits for and that have not ended.' }),
  lease_expires_at: Type.NullableTime({ description: 'When its worker loses it unless it renews.' }),
  claimed_by_worker: Type.NullableString({ description: 'The worker process that has or last had it.' }),
  is_cancel_requested: Type.Boolean({ description: 'Whether somebody asked to cancel it.' }),
  last_error: nullable(JobErrorSchema, { description: 'Why its last run failed, where it did.' }),
  reason: Type.NullableString({ description: 'Why it was skipped, canceled or put off.' }),
  created_by: Type.NullableString({ description: 'Who enqueued it: `user:<sub>`, `key:<id>` or `system`.' }),
  replay_of: Type.NullableUuid({ description: 'The ended job that it was made from by a replay.' }),
  version: Type.String({
    description: 'Grows with each change. A 64-bit integer as text; the same as the ETag.',
  }),
};

export const JobSummarySchema = Obj(SUMMARY, {
  title: 'JobListItem',
  description: 'A job in a list: without its payload, result and progress.',
  additionalProperties: false,
});

export const JobSchema = Obj(
  {
    ...SUMMARY,
    payload: Type.Json({ description: 'What it was given; secret fields are shown as •••.' }),
    result: Type.Json({
      description: 'What its handler returned; fields with names of secrets are shown as •••.',
    }),
    progress: nullable(JobProgressSchema, { description: 'How far its last run is or was.' }),
    waiting_for: nullable(WaitingForSchema, { description: 'While it is queued: what it waits for.' }),
  },
  { title: 'Job', description: 'One piece of work.', additionalProperties: false },
);

/** As the contract has it: what a caller that enqueues needs. */
export const EnqueuedJobSchema = Obj(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    tenant_id: Type.Uuid({ description: 'Whose it is.' }),
    status: Type.Words(JOB_STATUSES, { description: 'Current status.' }),
    definition_key: Type.String({ description: 'What kind of job it is.' }),
    queued_at: Type.Time({ description: 'When it came into the queue.' }),
  },
  { title: 'EnqueuedJob', description: 'The job is in the queue.', additionalProperties: false },
);

const DependencySchema = Obj(
  {
    job_id: Type.Uuid({ description: 'The job that must end first.' }),
    policy: Optional(
      Type.Words(['cancel', 'skip', 'run'], {
        description: 'What to do when it does not succeed; `cancel` by default.',
      }),
    ),
  },
  { title: 'JobDependencyInput', additionalProperties: false },
);

export const EnqueueSchema = Obj(
  {
    definition_key: Type.String({ minLength: 1, maxLength: 100, description: 'What kind of job: `echo`.' }),
    payload: Optional(
      Type.Json({ description: 'Checked against the definition’s JSON Schema. `{}` by default.' }),
    ),
    priority: Optional(
      Type.NullableInteger({ description: '0 to 1000000; lower runs first. 100 by default.' }),
    ),
    scheduled_for: Optional(Type.NullableTime({ description: 'Not to be run before; now by default.' })),
    expires_at: Optional(Type.NullableTime({ description: 'Canceled when it has not begun by then.' })),
    timeout_seconds: Optional(Type.NullableInteger({ description: 'How long a run may take, 1 to 604800.' })),
    dedupe_key: Optional(
      Type.NullableString({
        description:
          'With an active job of the same key, that job is the answer (200) instead of a new one (201).',
      }),
    ),
    dedupe_window_seconds: Optional(
      Type.NullableInteger({
        description:
          'With a dedupe key, 1 to 31536000: also a job that was enqueued within this time, whatever became of it.',
      }),
    ),
    depends_on: Optional(
      Type.Array(DependencySchema, { description: 'Jobs that must end first, at most 100.' }),
    ),
    correlation_id: Optional(
      Type.NullableString({ description: 'Ties jobs together; 1 to 255 characters.' }),
    ),
    subject: Optional(nullable(SubjectSchema)),
    max_attempts: Optional(Type.NullableInteger({ description: 'Runs in all, 1 to 1000.' })),
    tags: Optional(Type.Array(Type.String(), { description: 'At most 20, each of 1 to 64 characters.' })),
    metadata: Optional(
      Type.Json({ description: 'Notes of your own: an object of at most 4096 bytes, or null.' }),
    ),
  },
  { title: 'EnqueueJob', description: 'What to do, and when.', additionalProperties: false },
);
