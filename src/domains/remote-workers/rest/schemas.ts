import { JOB_LOG_LEVELS } from '../../../core/job-log.ts';
import { nullable, Type } from '../../../rest/schema.ts';
import { LEASE_STATES } from '../use-cases/heartbeat-jobs.ts';

const { Object: Obj, Optional } = Type;

export const RUN = {
  run_no: Type.Integer({ description: 'Number of the run, as the claim gave it.' }),
  token: Type.Uuid({ description: 'The secret of its lease, as the claim gave it.' }),
};

export const LeaseSchema = Obj(
  { job_id: Type.Uuid({ description: 'The job.' }), ...RUN },
  { title: 'JobLease', description: 'The right to settle one run of a job.', additionalProperties: false },
);

export const ClaimSchema = Obj(
  {
    worker: Type.String({
      description:
        'What the worker calls itself, another name for each process: 1 to 100 of a-z, A-Z, 0-9, _, -, ., :, @.',
    }),
    job_types: Type.Array(Type.String(), {
      description: 'Keys of the definitions that it can run, 1 to 100.',
    }),
    limit: Optional(
      Type.Integer({ description: 'Free slots: jobs that it takes at most, 1 to 100; 1 by default.' }),
    ),
    wait_seconds: Optional(
      Type.Integer({
        description: 'How long it waits for a job where there is none, 0 to 60; 20 by default.',
      }),
    ),
    running: Optional(Type.Integer({ description: 'Jobs that it runs at this moment; 0 by default.' })),
    concurrency: Optional(Type.Integer({ description: 'Jobs that it runs at a time; 1 by default.' })),
    version: Optional(Type.String({ description: 'Version of the program.' })),
  },
  { title: 'ClaimJobs', additionalProperties: false },
);

export const ClaimedJobSchema = Obj(
  {
    job_id: Type.Uuid({ description: 'The job.' }),
    ...RUN,
    definition_key: Type.String({ description: 'What is to be done.' }),
    payload: Type.Json({ description: 'What to do it with; secret fields are readable.' }),
    tenant_id: Type.Uuid({ description: 'Whose job it is.' }),
    subject: nullable(
      Obj(
        {
          type: Type.String({ description: 'Kind of thing.' }),
          key: Type.String({ description: 'Which one.' }),
        },
        { title: 'ClaimedSubject', additionalProperties: false },
      ),
      { description: 'What it is about.' },
    ),
    correlation_id: Type.NullableString({ description: 'What it belongs to.' }),
    attempt_count: Type.Integer({ description: 'Attempts that are spent.' }),
    max_attempts: Type.Integer({ description: 'Attempts in all.' }),
    lease_seconds: Type.Integer({
      description:
        'How long the lease is good for after the claim and each heartbeat. Send one three times in that time.',
    }),
    lease_expires_at: Type.NullableTime({ description: 'When it ends unless it is renewed.' }),
    timeout_seconds: Type.Integer({ description: 'How long the run may take; a later heartbeat ends it.' }),
  },
  { title: 'ClaimedJob', description: 'A job as its worker gets it.', additionalProperties: false },
);

export const ClaimAnswerSchema = Obj(
  { jobs: Type.Array(ClaimedJobSchema, { description: 'None when the time was over.' }) },
  { title: 'ClaimedJobs', additionalProperties: false },
);

export const HeartbeatSchema = Obj(
  {
    worker: Optional(Type.String({ description: 'What the worker calls itself, as in the claim.' })),
    leases: Type.Array(LeaseSchema, { description: 'The leases of its current runs, 1 to 500.' }),
  },
  { title: 'HeartbeatJobs', additionalProperties: false },
);

export const HeartbeatAnswerSchema = Obj(
  {
    heartbeats: Type.Array(
      Obj(
        {
          job_id: Type.Uuid({ description: 'The job.' }),
          state: Type.Words(LEASE_STATES, {
            description:
              '`cancel_requested`: renewed, but end the job soon. `lost`, `timed_out`: the job is somebody else’s or has ended; drop it.',
          }),
          lease_expires_at: Type.NullableTime({ description: 'When it ends; null when it is gone.' }),
          cancel_reason: Type.NullableString({ description: 'Why the job is to be canceled.' }),
        },
        { title: 'JobHeartbeat', additionalProperties: false },
      ),
      { description: 'One for each lease, in order.' },
    ),
  },
  { title: 'JobHeartbeats', additionalProperties: false },
);

export const RunSchema = Obj({ ...RUN }, { title: 'JobRun', additionalProperties: false });

export const ProgressSchema = Obj(
  {
    ...RUN,
    percent: Optional(Type.NullableNumber({ description: '0 to 100.' })),
    stage: Optional(Type.NullableString({ description: 'What is being done, in a word.' })),
    message: Optional(Type.NullableString({ description: 'The same for people.' })),
    eta_seconds: Optional(Type.NullableNumber({ description: 'How long it will still take.' })),
  },
  { title: 'ReportProgress', additionalProperties: false },
);

export const LogSchema = Obj(
  {
    ...RUN,
    lines: Type.Array(
      Obj(
        {
          level: Optional(Type.Words(JOB_LOG_LEVELS, { description: '`info` by default.' })),
          message: Type.String({ description: 'The text.' }),
          data: Optional(Type.Map({ description: 'Facts beside the text; secrets in it are masked.' })),
        },
        { title: 'AppendedLogLine', additionalProperties: false },
      ),
      { description: '1 to 1000 lines.' },
    ),
  },
  { title: 'AppendLog', additionalProperties: false },
);

export const LogAnswerSchema = Obj(
  {
    stored_count: Type.Integer({
      description: 'How many were stored; fewer than given once the log of the run is full.',
    }),
  },
  { title: 'AppendedLog', additionalProperties: false },
);

export const CompleteSchema = Obj(
  {
    ...RUN,
    result: Optional(Type.Json({ description: 'Kept on the job.' })),
    skipped_reason: Optional(
      Type.NullableString({ description: 'There was nothing to do, and why; counts as success.' }),
    ),
    artifacts: Optional(
      Type.Array(
        Obj(
          {
            kind: Type.String({
              description: 'What it is: 1 to 64 of a-z, 0-9, _, -, ., starting with a letter.',
            }),
            key: Type.String({ description: 'As the upload’s answer gave it.' }),
            metadata: Optional(Type.Map({ description: 'Facts about it.' })),
          },
          { title: 'JobArtifactInput', additionalProperties: false },
        ),
        { description: 'Files that the run has uploaded, for jobs with a subject.' },
      ),
    ),
    next: Optional(
      Type.Array(
        Obj(
          {
            definition_key: Type.String({ description: 'What is to be done.' }),
            payload: Optional(
              Type.Json({ description: 'Checked against the definition’s schema; `{}` by default.' }),
            ),
            key: Optional(Type.String({ description: 'A name within this list, for `after` of others.' })),
            after: Optional(
              Type.Array(Type.String(), { description: 'Names of jobs of this list that must end first.' }),
            ),
            delay_seconds: Optional(Type.Number({ description: 'Not before this many seconds from now.' })),
            priority: Optional(Type.Integer({ description: 'Lower runs first; the job’s own by default.' })),
            dedupe_key: Optional(
              Type.NullableString({ description: 'At most one active job of the tenant carries the same.' }),
            ),
          },
          { title: 'NextJob', additionalProperties: false },
        ),
        { description: 'Jobs that are to follow, enqueued in the same transaction.' },
      ),
    ),
  },
  { title: 'CompleteJob', additionalProperties: false },
);

export const FailSchema = Obj(
  {
    ...RUN,
    message: Type.String({ description: 'What went wrong, for people.' }),
    type: Optional(
      Type.NullableString({
        description: 'The same for programs, as the name of a class of errors; `Error` by default.',
      }),
    ),
    permanent: Optional(Type.Boolean({ description: 'No retry would help: the job ends as failed.' })),
    retry_after_seconds: Optional(
      Type.NullableNumber({ description: 'Instead of the delay of the retry policy.' }),
    ),
  },
  { title: 'FailJob', additionalProperties: false },
);

export const SnoozeSchema = Obj(
  {
    ...RUN,
    delay_seconds: Type.Number({ description: 'When it is claimed again: seconds from now.' }),
    reason: Optional(Type.NullableString({ description: 'What it waits for.' })),
  },
  { title: 'SnoozeJob', additionalProperties: false },
);

export const EndSchema = Obj(
  {
    job_id: Type.Uuid({ description: 'The job.' }),
    status: Type.Words(['succeeded', 'failed', 'dead_letter', 'canceled', 'queued'] as const, {
      description: 'Where the job stands now.',
    }),
  },
  { title: 'EndedRun', description: 'The run has ended.', additionalProperties: false },
);

export const FilesSchema = Obj(
  { ...RUN, kind: Optional(Type.NullableString({ description: 'Only files of this kind.' })) },
  { title: 'SignJobFiles', additionalProperties: false },
);

export const FilesAnswerSchema = Obj(
  {
    files: Type.Array(
      Obj(
        {
          kind: Type.String({ description: 'What it is.' }),
          key: Type.String({ description: 'Its name in the store.' }),
          size_bytes: Type.Integer({ description: 'Size.' }),
          sha256: Type.String({ description: 'Lower-case hex; empty where it is not known.' }),
          content_type: Type.String({ description: 'Media type.' }),
          url: Type.String({ description: 'Where to read it; signed.' }),
          url_expires_at: Type.Time({ description: 'Until when.' }),
        },
        { title: 'JobFile', additionalProperties: false },
      ),
      { description: 'At most 200, by key.' },
    ),
  },
  { title: 'JobFiles', additionalProperties: false },
);

export const UploadSchema = Obj(
  {
    ...RUN,
    name: Type.String({ description: 'Name of the file: 1 to 151 of a-z, A-Z, 0-9, _, -, ..' }),
    content_type: Optional(
      Type.NullableString({ description: 'Its media type, which the upload must then carry.' }),
    ),
    size_bytes: Optional(Type.NullableInteger({ description: 'Its exact size, where it is known.' })),
  },
  { title: 'CreateJobUpload', additionalProperties: false },
);

export const UploadAnswerSchema = Obj(
  {
    key: Type.String({ description: 'For the completion, which makes an artifact of it.' }),
    method: Type.String({ description: 'The HTTP method.' }),
    url: Type.String({ description: 'Where to; signed.' }),
    headers: Type.Map({ description: 'Headers to send with it.' }),
    expires_at: Type.Time({ description: 'Until when.' }),
  },
  { title: 'JobUpload', additionalProperties: false },
);
