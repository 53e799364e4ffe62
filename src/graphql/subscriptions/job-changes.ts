import { checkCount } from '../../core/filter-values.ts';
import type { FeedEvent } from '../../events/change.ts';
import { definitionIds } from '../../jobs/job-filter.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { JobSourceEnum, JobStatusEnum } from '../types/enums.ts';
import { JobChangeEvent } from '../types/job-change-event.ts';
import { SEARCHED_TEXT } from '../types/job-filter.ts';
import { SubjectInput, subjectOf } from '../types/subject.ts';
import { creatorOf } from './creator-of.ts';
import { jobTopic } from './job-topic.ts';

const MAX_IDS = 1_000;

const JobChangesFilterInput = builder.inputType('JobChangesFilter', {
  description:
    'Which jobs to watch, and how much of the past to begin with. Of the conditions of JobFilter it has all but two: `payloadContains`, since the stream carries no payloads, and `due`, which a job becomes without any change of it.',
  fields: (t) => ({
    ids: t.idList({ description: 'These jobs, at most 1000.' }),
    statuses: t.field({
      type: [JobStatusEnum],
      description: 'One of these; a job that leaves them is sent as JobLeft.',
    }),
    tags: t.stringList({
      description: 'With at least one of these tags; a job that loses them is sent as JobLeft.',
    }),
    definitions: t.stringList({ description: 'Keys of definitions, one of them.' }),
    subject: t.field({ type: SubjectInput, description: 'About this.' }),
    correlationId: t.string({ description: 'With this correlation id.' }),
    createdBy: t.string({ description: 'Enqueued by: `user:<sub>`, `key:<id>`, `system`.' }),
    createdByMe: t.boolean({
      description:
        'Enqueued by the caller; in place of `createdBy`. False, as omitting it, restricts nothing.',
    }),
    createdAfter: t.field({ type: 'DateTime', description: 'Enqueued at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Enqueued before.' }),
    finishedAfter: t.field({
      type: 'DateTime',
      description:
        'Ended at or after; none that has not ended. A job that is put back into the queue is sent as JobLeft.',
    }),
    finishedBefore: t.field({ type: 'DateTime', description: 'Ended before; none that has not ended.' }),
    sources: t.field({ type: [JobSourceEnum], description: 'Asked for by one of these.' }),
    errorTypes: t.stringList({
      description:
        'Whose last run failed with an error of one of these types (`error.type`), at most 100; a job that fails otherwise, or is retried with success, is sent as JobLeft.',
    }),
    text: t.string({ description: `${SEARCHED_TEXT} A job that loses it is sent as JobLeft.` }),
    minAttemptCount: t.int({
      description:
        'With at least N runs that ended in an error, a timeout or a lost lease, from 1; a job that is retried, with none, is sent as JobLeft.',
    }),
    sinceSeconds: t.int({
      description:
        'Finished jobs of the initial state: of the last N seconds, 0 to 604800; 3600 by default, with `finishedAfter` as far back as that.',
    }),
    initialLimit: t.int({ description: 'Jobs of the initial state, 1 to 10000; 1000 by default.' }),
  }),
});

builder.subscriptionField('jobChanges', (t) =>
  t.field({
    type: JobChangeEvent,
    authScopes: { member: true },
    description:
      'The state of the jobs that match, then FeedReady, then every change. Go on after a broken connection with `after`: nothing is missed, some may come twice, no job ever goes back to an older version.',
    args: {
      filter: t.arg({
        type: JobChangesFilterInput,
        description: 'Which jobs; all of the tenant by default.',
      }),
      after: t.arg.string({
        description: 'Cursor of the last event that was seen: no initial state, all changes since.',
      }),
    },
    subscribe: async (_root, { filter, after }, context) => {
      const { ids, definitions, subject, createdBy, createdByMe, ...rest } = filter ?? {};
      checkCount('filter.ids', ids ?? [], MAX_IDS);
      return jobTopic(
        context.deps,
        {
          ...withoutUndefined(rest),
          tenantId: context.actor.tenantId,
          ids: ids?.map((id, at) => uuidOf('Job', id, `filter.ids[${at}]`)) ?? null,
          definitionIds:
            definitions == null ? null : await definitionIds(context.operation.transaction, definitions),
          subject: subjectOf(context.deps.access, subject, 'filter.subject'),
          createdBy: creatorOf(createdBy, createdByMe, context.actor),
        },
        after ?? null,
        () => (event) => ({ value: event }),
      );
    },
    resolve: (event: FeedEvent) => event,
  }),
);

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
