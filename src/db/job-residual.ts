import { jobSearchText } from './job-search-text.ts';
import { boundsOf, DUE_SQL, finishedIn, type JobConditions } from './job-walk-parts.ts';
import type { Parameters } from './parameters.ts';

/** All conditions on a job's row but those on its id, which a walk in an order by a time has here. */
export function residualOf(conditions: JobConditions, parameters: Parameters): string {
  const { ids, statuses, withoutAsked, definitionIds, subject, correlationId, tags, creators, errorTypes } =
    conditions;
  const { sources, text, minAttemptCount, payload, due, order = 'created' } = conditions;
  const parts = [
    ids != null && `j.id = any (${parameters.add(ids, 'uuid[]')})`,
    statuses != null && `j.status = any (${parameters.add(statuses, 'text[]')})`,
    (due === true || order === 'scheduled') && DUE_SQL,
    due === false && `not (${DUE_SQL})`,
    withoutAsked === true && `not (j.status = 'running' and j.cancel_requested_at is not null)`,
    definitionIds != null && `j.definition_id = any (${parameters.add(definitionIds, 'uuid[]')})`,
    subject != null &&
      `j.subject_type = ${parameters.add(subject.type, 'text')} and j.subject_id = ${parameters.add(subject.id, 'text')}`,
    correlationId != null && `j.correlation_id = ${parameters.add(correlationId, 'text')}`,
    tags != null && `j.tags && ${parameters.add(tags, 'text[]')}`,
    ...(creators ?? []).map((creator) => `j.created_by = ${parameters.add(creator, 'text')}`),
    errorTypes != null && `j.last_error ->> 'type' = any (${parameters.add(errorTypes, 'text[]')})`,
    sources != null && `j.source = any (${parameters.add(sources, 'text[]')})`,
    text != null && `strpos(${jobSearchText('j')}, lower(${parameters.add(text, 'text')})) > 0`,
    minAttemptCount != null && `j.attempt_count >= ${parameters.add(minAttemptCount, 'integer')}`,
    payload != null &&
      payload.withoutDefinitions.length > 0 &&
      `j.definition_id <> all (${parameters.add(payload.withoutDefinitions, 'uuid[]')})`,
  ].filter((part) => part !== false);
  const isFinishedAsked = conditions.finishedAfter != null || conditions.finishedBefore != null;
  return [
    ...parts.map((part) => ` and ${part}`),
    order === 'created' ? '' : boundsOf('j.id', conditions, parameters),
    isFinishedAsked ? finishedIn(conditions, parameters) : '',
    // The last one: only payloads of jobs that meet all others are read.
    payload == null ? '' : ` and j.payload @> ${parameters.add(payload.json, 'jsonb')}`,
  ].join('');
}
