import { creatorOf } from '../../jobs/creator-filter.ts';
import type { JobFilter } from '../../jobs/job-filter.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { uuidOf } from '../ids.ts';
import { JobSourceEnum, JobStatusEnum } from './enums.ts';
import { SubjectInput, subjectOf } from './subject.ts';

/** What the filter `text` looks in. */
export const SEARCHED_TEXT =
  'With this text in the type or the first 500 characters of the message of the error of its last run, in the correlation id, in the subject or in a tag, in whatever case; 1 to 200 characters. Payloads are not looked at.';

/** What the filter `payloadContains` takes. */
const CONTAINED_PAYLOAD =
  'Whose payload has these fields with these values: an object, at most 4,000 characters; `{"order": {"id": 7}}` finds it whatever else the payload has, an item of a list at any place in it. There is no index on payloads: a page looks at a bounded number of jobs (see `isPartial`), so join it with other conditions. Secret fields are not searched: names of secrets are refused, and jobs of a definition that marks one of the fields as secret are not found.';

export const JobFilterInput = builder.inputType('JobFilter', {
  description: 'Which jobs. Conditions are joined by "and"; what is omitted does not matter.',
  fields: (t) => ({
    ids: t.idList({ description: 'One of these, at most 1000: global ids or UUIDs.' }),
    statuses: t.field({ type: [JobStatusEnum], description: 'One of these.' }),
    due: t.boolean({
      description:
        'True: only jobs that are due, that is queued ones that wait for no other job and whose `scheduledFor` has come, whether or not a limit or a pause holds them (see `waitingFor`). False: only all others.',
    }),
    definitions: t.stringList({ description: 'Keys of definitions, one of them.' }),
    subject: t.field({ type: SubjectInput, description: 'About this.' }),
    correlationId: t.string({ description: 'With this correlation id.' }),
    tags: t.stringList({ description: 'With at least one of these tags.' }),
    createdBy: t.string({ description: 'Enqueued by: `user:<sub>`, `key:<id>`, `system`.' }),
    createdByMe: t.boolean({
      description:
        'Enqueued by the caller; in place of `createdBy`. False, as leaving it out, restricts nothing.',
    }),
    createdAfter: t.field({ type: 'DateTime', description: 'Enqueued at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Enqueued before.' }),
    finishedAfter: t.field({ type: 'DateTime', description: 'Ended at or after; none that has not ended.' }),
    finishedBefore: t.field({ type: 'DateTime', description: 'Ended before; none that has not ended.' }),
    errorTypes: t.stringList({
      description: 'Whose last run failed with an error of one of these types (`error.type`), at most 100.',
    }),
    text: t.string({ description: SEARCHED_TEXT }),
    sources: t.field({ type: [JobSourceEnum], description: 'Asked for by one of these.' }),
    minAttemptCount: t.int({
      description: 'With at least N runs that ended in an error, a timeout or a lost lease; from 1.',
    }),
    payloadContains: t.field({ type: 'JSON', description: CONTAINED_PAYLOAD }),
  }),
});

/** The input as the use-cases take it. @throws DomainError `InvalidArgument` naming an id */
export function jobFilterOf(
  input: typeof JobFilterInput.$inferInput | null | undefined,
  { actor, deps }: GraphqlContext,
): JobFilter {
  const { ids, definitions, subject, createdBy, createdByMe, ...rest } = input ?? {};
  return {
    ...rest,
    createdBy: creatorOf(createdBy, createdByMe, actor),
    ids: ids?.map((id, at) => uuidOf('Job', id, `filter.ids[${at}]`)),
    definitionKeys: definitions,
    subject: subjectOf(deps.access, subject, 'filter.subject'),
  };
}
