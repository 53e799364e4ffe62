import type { JobFilter } from '../../jobs/job-filter.ts';
import { builder } from '../builder.ts';
import { uuidOf } from '../ids.ts';
import { JobStatusEnum } from './enums.ts';
import { SubjectInput, subjectOf } from './subject.ts';

export const JobFilterInput = builder.inputType('JobFilter', {
  description: 'Which jobs. Conditions are joined by "and"; what is left away does not matter.',
  fields: (t) => ({
    ids: t.idList({ description: 'One of these, at most 1000: global ids or UUIDs.' }),
    statuses: t.field({ type: [JobStatusEnum], description: 'One of these.' }),
    definitions: t.stringList({ description: 'Keys of definitions, one of them.' }),
    subject: t.field({ type: SubjectInput, description: 'About this.' }),
    correlationId: t.string({ description: 'With this correlation id.' }),
    tags: t.stringList({ description: 'With at least one of these tags.' }),
    createdBy: t.string({ description: 'Enqueued by: `user:<sub>`, `key:<id>`, `system`.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Enqueued at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Enqueued before.' }),
  }),
});

/** The input as the use-cases take it. @throws DomainError `InvalidArgument` naming an id */
export function jobFilterOf(input: typeof JobFilterInput.$inferInput | null | undefined): JobFilter {
  const { ids, definitions, subject, ...rest } = input ?? {};
  return {
    ...rest,
    ids: ids?.map((id) => uuidOf('Job', id, 'filter.ids')),
    definitionKeys: definitions,
    subject: subjectOf(subject, 'filter.subject'),
  };
}
