import type { Static } from 'typebox';
import { DomainError } from '../core/errors.ts';
import { EXACT_NUMBERS, findInexactNumber } from '../core/exact-numbers.ts';
import { JOB_SOURCES, JOB_STATUSES, type Subject } from '../core/job.ts';
import { parseJson } from '../core/parse-json.ts';
import { subjectOf } from '../graphql/types/subject.ts';
import { creatorOf } from '../jobs/creator-filter.ts';
import type { JobFilter } from '../jobs/job-filter.ts';
import type { RestContext } from './context.ts';
import { Type } from './schema.ts';
import { timeOf } from './times.ts';

const { Optional } = Type;
const texts = (description: string) => Optional(Type.Array(Type.String(), { description }));

/** The filter of jobs as parameters of a query string, or as fields of a body. */
export const JOB_FILTER = {
  status: Optional(Type.Array(Type.Words(JOB_STATUSES), { description: 'In one of these statuses.' })),
  source: Optional(Type.Array(Type.Words(JOB_SOURCES), { description: 'Asked for by one of these.' })),
  due: Optional(
    Type.Boolean({
      description:
        'True: only jobs that are due, that is queued ones that wait for no other job and whose `scheduled_for` has come. False: only all others.',
    }),
  ),
  definition_key: texts('Only jobs of these definitions.'),
  ids: Optional(Type.Array(Type.Uuid(), { description: 'One of these, at most 1000.' })),
  subject_type: Optional(Type.String({ description: 'About a thing of this type; with `subject_key`.' })),
  subject_key: Optional(Type.String({ description: 'About the thing with this key; with `subject_type`.' })),
  correlation_id: Optional(Type.String({ description: 'With this correlation id.' })),
  tags: texts('With at least one of these tags.'),
  created_by: Optional(Type.String({ description: 'Enqueued by: `user:<sub>`, `key:<id>`, `system`.' })),
  created_by_me: Optional(Type.Boolean({ description: 'Enqueued by the caller.' })),
  created_after: Optional(Type.Time({ description: 'Enqueued at or after.' })),
  created_before: Optional(Type.Time({ description: 'Enqueued before.' })),
  finished_after: Optional(Type.Time({ description: 'Ended at or after.' })),
  finished_before: Optional(Type.Time({ description: 'Ended before.' })),
  error_types: texts('Whose last run failed with an error of one of these types.'),
  text: Optional(
    Type.String({
      description: 'With this text in the error, correlation id, subject or a tag, in whatever case.',
    }),
  ),
  min_attempt_count: Optional(
    Type.Integer({ description: 'With at least N runs that ended in an error, a timeout or a lost lease.' }),
  ),
  payload_contains: Optional(
    Type.String({
      description:
        'Whose payload has these fields with these values: a JSON object as text, `{"order": {"id": 7}}`. There is no index on payloads: a page looks at a bounded number of jobs and may be short. Secret fields are not searched.',
    }),
  ),
};

const FilterSchema = Type.Object(JOB_FILTER);
export type RestJobFilter = Static<typeof FilterSchema>;

/**
 * A filter as the use-cases take it.
 * @throws DomainError `InvalidArgument`
 */
export function jobFilterOf(given: RestJobFilter, { caller, deps }: RestContext): JobFilter {
  return {
    statuses: given.status,
    sources: given.source,
    due: given.due,
    definitionKeys: given.definition_key,
    ids: given.ids?.map((id) => id.toLowerCase()),
    subject: subjectFilter(given, deps),
    correlationId: given.correlation_id,
    tags: given.tags,
    createdBy: creatorOf(given.created_by, given.created_by_me, caller),
    createdAfter: timeOf('created_after', given.created_after),
    createdBefore: timeOf('created_before', given.created_before),
    finishedAfter: timeOf('finished_after', given.finished_after),
    finishedBefore: timeOf('finished_before', given.finished_before),
    errorTypes: given.error_types,
    text: given.text,
    minAttemptCount: given.min_attempt_count,
    payloadContains: containedIn(given.payload_contains),
  };
}

/**
 * @throws DomainError `InvalidArgument` for what is no JSON, or has a number that would become another one
 */
function containedIn(text: string | undefined): unknown {
  if (text === undefined) return null;
  const field = 'payload_contains';
  try {
    const value: unknown = parseJson(text);
    const inexact = findInexactNumber(text, field);
    if (inexact === null) return value;
    throw new DomainError(
      'InvalidArgument',
      `${inexact.path} is ${inexact.text}; allowed: ${EXACT_NUMBERS}.`,
      { field, allowed: EXACT_NUMBERS },
    );
  } catch (thrown) {
    if (thrown instanceof DomainError) throw thrown;
    const allowed = 'a JSON object as text';
    throw new DomainError('InvalidArgument', `${field} is no JSON; allowed: ${allowed}.`, { field, allowed });
  }
}

function subjectFilter(
  { subject_type: type, subject_key: key }: RestJobFilter,
  { access }: RestContext['deps'],
): Subject | null {
  if (type === undefined && key === undefined) return null;
  if (type !== undefined && key !== undefined) return subjectOf(access, { type, key }, 'filter.subject');
  const field = type === undefined ? 'subject_type' : 'subject_key';
  const allowed = 'subject_type and subject_key together';
  throw new DomainError('InvalidArgument', `${field} is missing; allowed: ${allowed}.`, { field, allowed });
}
