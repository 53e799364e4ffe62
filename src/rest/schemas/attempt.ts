import { ATTEMPT_STATUSES } from '../../core/job.ts';
import { nullable, Type } from '../schema.ts';
import { JobErrorSchema } from './job.ts';

export const AttemptSchema = Type.Object(
  {
    attempt_no: Type.Integer({ description: 'The job’s `run_no` of that run; grows, may have gaps.' }),
    status: Type.Words(['running', ...ATTEMPT_STATUSES], { description: 'How it ended.' }),
    worker_id: Type.String({ description: 'The worker process that had it.' }),
    claimed_at: Type.Time({ description: 'When the worker took it.' }),
    started_at: Type.NullableTime({ description: 'When its handler started; null when it never did.' }),
    finished_at: Type.NullableTime({ description: 'When it ended; null while it runs.' }),
    error: nullable(JobErrorSchema, { description: 'Why it failed, where it did.' }),
    wall_ms: Type.NullableInteger({ description: 'Milliseconds from start to end.' }),
    cpu_ms: Type.NullableInteger({ description: 'Milliseconds of processor time, where measured.' }),
    pid: Type.NullableInteger({ description: 'Process id of the command, where it ran one.' }),
    exit_code: Type.NullableInteger({ description: 'Exit code of the command, where it ran one.' }),
    signal: Type.NullableString({ description: 'Signal that ended the command: `SIGKILL`.' }),
    stdout_tail: Type.NullableString({ description: 'End of the command’s output.' }),
    stderr_tail: Type.NullableString({ description: 'End of the command’s error output.' }),
  },
  { title: 'JobAttempt', description: 'One run of a job.', additionalProperties: false },
);

export const AttemptListSchema = Type.Object(
  { data: Type.Array(AttemptSchema, { description: 'Oldest first, at most the newest 100.' }) },
  { title: 'JobAttemptList', additionalProperties: false },
);
