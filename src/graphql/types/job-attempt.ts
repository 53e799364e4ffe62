import type { JobRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';
import type { AttemptRow } from '../loaders.ts';
import { type ATTEMPT_OR_RUNNING, JobAttemptStatusEnum } from './enums.ts';
import { JobErrorType, storedError } from './job-error.ts';

/** A settled run, or the one that is under way. */
export type Attempt = Omit<AttemptRow, 'finishedAt'> & { readonly finishedAt: Date | null };

export const JobAttemptType = builder.objectRef<Attempt>('JobAttempt').implement({
  description: 'One run of a job.',
  fields: (t) => ({
    attemptNo: t.exposeInt('attemptNo', {
      description: 'The job’s `runNo` of that run; grows, may have gaps.',
    }),
    status: t.field({
      type: JobAttemptStatusEnum,
      description: 'How it ended.',
      resolve: ({ status }) => status as (typeof ATTEMPT_OR_RUNNING)[number],
    }),
    worker: t.exposeString('workerId', { description: 'The worker process that had it.' }),
    claimedAt: t.expose('claimedAt', { type: 'DateTime', description: 'When the worker took it.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its handler started; null when it never did.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it runs.',
    }),
    error: t.field({
      type: JobErrorType,
      nullable: true,
      description: 'Why it failed, where it did.',
      resolve: ({ error }) => storedError(error),
    }),
    wallMs: t.exposeInt('wallMs', { nullable: true, description: 'Milliseconds from start to end.' }),
    cpuMs: t.exposeInt('cpuMs', {
      nullable: true,
      description: 'Milliseconds of processor time, where measured.',
    }),
    pid: t.exposeInt('pid', { nullable: true, description: 'Process id of the command, where it ran one.' }),
    signal: t.exposeString('signal', {
      nullable: true,
      description: 'Signal that ended the command: `SIGKILL`.',
    }),
    exitCode: t.exposeInt('exitCode', {
      nullable: true,
      description: 'Exit code of the command, where it ran one.',
    }),
    stdoutTail: t.exposeString('stdoutTail', { nullable: true, description: 'End of the command’s output.' }),
    stderrTail: t.exposeString('stderrTail', {
      nullable: true,
      description: 'End of the command’s error output.',
    }),
  }),
});

/** The run under way, which has no row of its own before it ends. */
export function runningAttempt(job: JobRow): Attempt | null {
  if (job.status !== 'running' || job.claimedAt === null) return null;
  return {
    jobId: job.id,
    attemptNo: job.runNo,
    workerId: job.claimedByWorker ?? '',
    status: 'running',
    claimedAt: job.claimedAt,
    startedAt: job.startedAt,
    finishedAt: null,
    error: null,
    wallMs: null,
    cpuMs: null,
    pid: null,
    exitCode: null,
    signal: null,
    stdoutTail: null,
    stderrTail: null,
  };
}
