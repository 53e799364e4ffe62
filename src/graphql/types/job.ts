import type { JobSource, JobStatus } from '../../core/job.ts';
import { maskPayload } from '../../core/redaction/secret-fields.ts';
import { isFinal } from '../../core/states.ts';
import type { JobRow } from '../../db/prisma.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobSourceEnum, JobStatusEnum } from './enums.ts';
import { JobAttemptType, runningAttempt } from './job-attempt.ts';
import { JobDefinitionType } from './job-definition.ts';
import { JobErrorType, storedError } from './job-error.ts';
import { JobProgressType } from './job-progress.ts';
import { SubjectType } from './subject.ts';
import { WaitingForType } from './waiting-for.ts';

export const JobType = builder.objectRef<JobRow>('Job');

builder.node(JobType, {
  description: 'One piece of work: what to do, where it stands, and what came of it.',
  id: { resolve: (job) => job.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loadersOf(context).job.load(id)),
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'The plain key, as SQL, logs and object names have it.',
    }),
    definition: t.field({
      type: JobDefinitionType,
      description: 'What kind of job it is.',
      resolve: async (job, _args, context) => {
        const definition = await loadersOf(context).definition.load(job.definitionId);
        if (definition !== null) return definition;
        throw new Error(`Job ${job.id} has no definition`);
      },
    }),
    status: t.field({
      type: JobStatusEnum,
      description: 'Current status.',
      resolve: (job) => job.status as JobStatus,
    }),
    isFinal: t.boolean({
      description: 'Whether it has ended; only an operator’s retry moves it again.',
      resolve: (job) => isFinal(job.status as JobStatus),
    }),
    waitingFor: t.field({
      type: WaitingForType,
      nullable: true,
      description: 'While it is queued: what it waits for.',
      resolve: (job, _args, context) =>
        job.status === 'queued' ? loadersOf(context).waitingFor.load(job.id) : null,
    }),
    isCancelRequested: t.boolean({
      description: 'Whether somebody asked to cancel it. While it runs, its worker is about to stop it.',
      resolve: (job) => job.cancelRequestedAt !== null,
    }),
    source: t.field({
      type: JobSourceEnum,
      description: 'What asked for it.',
      resolve: (job) => job.source as JobSource,
    }),
    sourceRef: t.exposeString('sourceRef', {
      nullable: true,
      description: 'Which trigger, event or earlier job asked for it.',
    }),
    priority: t.exposeInt('priority', { description: 'Lower runs first; 100 by default.' }),
    error: t.field({
      type: JobErrorType,
      nullable: true,
      description: 'Why its last run failed, where it did.',
      resolve: (job) => storedError(job.lastError),
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it was skipped, canceled or put off, in words.',
    }),
    dedupeKey: t.exposeString('dedupeKey', {
      nullable: true,
      description: 'At most one active job of the tenant carries the same key.',
    }),
    correlationId: t.exposeString('correlationId', { nullable: true, description: 'Ties jobs together.' }),
    tags: t.stringList({
      description: 'What it is found and grouped by.',
      // Null where a statement of our own has read the row: most jobs have none.
      resolve: ({ tags }: { readonly tags: readonly string[] | null }) => [...(tags ?? [])],
    }),
    metadata: t.field({
      type: 'JSON',
      nullable: true,
      resolve: ({ metadata }) => maskPayload({}, metadata),
      description: 'An object with notes of the caller that enqueued it; null without any.',
    }),
    subject: t.field({
      type: SubjectType,
      nullable: true,
      description: 'What it is about.',
      resolve: ({ subjectType, subjectId }) =>
        subjectType === null || subjectId === null ? null : { type: subjectType, id: subjectId },
    }),
    progress: t.field({
      type: JobProgressType,
      nullable: true,
      description: 'How far its last run is or was; null when that run said nothing.',
      resolve: async (job, _args, context) => {
        const progress = await loadersOf(context).progress.load(job.id);
        return progress?.runNo === job.runNo ? progress : null;
      },
    }),
    attempts: t.field({
      type: [JobAttemptType],
      description: 'Its runs, oldest first, at most the newest 100; the one under way is the last.',
      resolve: async (job, _args, context) => {
        const settled = await loadersOf(context).attempts.load(job.id);
        const running = runningAttempt(job);
        return running === null ? settled : [...settled, running];
      },
    }),
    version: t.expose('version', {
      type: 'BigInt',
      description: 'Grows with each change; a stream never shows a lower one after a higher.',
    }),
  }),
});
