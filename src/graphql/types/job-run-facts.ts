import { timeOfUuid } from '../../core/uuid-time.ts';
import { builder } from '../builder.ts';
import { JobType } from './job.ts';

/** Counts and times of a job's runs. */
builder.objectFields(JobType, (t) => ({
  attemptCount: t.exposeInt('attemptCount', {
    description: 'Runs that ended in an error, a timeout or a lost lease.',
  }),
  maxAttempts: t.exposeInt('maxAttempts', { description: 'Runs in all before it goes to DEAD_LETTER.' }),
  runNo: t.exposeInt('runNo', { description: 'How often it was claimed; never goes back.' }),
  snoozeCount: t.exposeInt('snoozeCount', { description: 'How often it put itself off.' }),
  lostLeaseCount: t.exposeInt('lostLeaseCount', { description: 'Runs lost in a row with their workers.' }),
  createdAt: t.field({
    type: 'DateTime',
    description: 'When it was enqueued.',
    resolve: (job) => timeOfUuid(job.id) ?? job.queuedAt,
  }),
  requestedFor: t.expose('requestedFor', {
    type: 'DateTime',
    nullable: true,
    description: 'The time asked for, where that lay in the past.',
  }),
  scheduledFor: t.expose('scheduledFor', { type: 'DateTime', description: 'Not to be run before.' }),
  queuedAt: t.expose('queuedAt', { type: 'DateTime', description: 'When it last came into the queue.' }),
  claimedAt: t.expose('claimedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When a worker last took it.',
  }),
  startedAt: t.expose('startedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When its handler last started.',
  }),
  finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  leaseExpiresAt: t.expose('leaseExpiresAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When its worker loses it unless it renews; null while nobody has it.',
  }),
  worker: t.exposeString('claimedByWorker', {
    nullable: true,
    description: 'The worker process that has or last had it.',
  }),
  createdBy: t.exposeString('createdBy', {
    nullable: true,
    description: 'Who enqueued it: `user:<sub>`, `key:<id>` or `system`.',
  }),
}));
