import { DUE_SQL, type JobConditions, ofDefinitions, ofTenant } from './job-walk-parts.ts';
import type { Parameters } from './parameters.ts';
import { timeBounds } from './time-order.ts';

/**
 * A SELECT of the lanes that a tenant's queued jobs stand in, each a part of jobs_ready_idx that is in the
 * order of their times: of a definition and a priority, ready or delayed. One look at the index a lane,
 * however many jobs it has.
 */
export function lanesOf(conditions: JobConditions, parameters: Parameters): string {
  const next = (behind: string): string =>
    `${ofTenant({ ...conditions, idBounds: [] }, parameters, 'j.definition_id, j.priority')}
      and j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed = d.is_delayed${behind}${ofDefinitions(conditions, parameters)}
      order by j.definition_id, j.priority limit 1`;
  return `select d.is_delayed, n.definition_id, n.priority
    from (values (false), (true)) d (is_delayed)
    cross join lateral (
      with recursive lane (definition_id, priority) as (
        (${next('')})
        union all
        select n.* from lane l
        cross join lateral (${next(' and (j.definition_id, j.priority) > (l.definition_id, l.priority)')}) n)
      select l.definition_id, l.priority from lane l) n`;
}

/**
 * A SELECT of ids and times of the jobs that are due, in that order, `limit` of each lane: what a page takes
 * of a hundred thousand is as much as it takes of a hundred.
 */
export function dueInLanes(conditions: JobConditions, parameters: Parameters, limit: string): string {
  const { direction, places = [] } = conditions;
  // Bounds of the ids would be looked for along the index, beyond the limit: they are conditions on what was
  // found.
  const due = ofTenant({ ...conditions, idBounds: [] }, parameters, 'j.id, j.scheduled_for');
  return `select e.id, e.scheduled_for from (${lanesOf(conditions, parameters)}) w
    cross join lateral (
      ${due} and ${DUE_SQL} and j.is_delayed = w.is_delayed and j.definition_id = w.definition_id
        and j.priority = w.priority${timeBounds('scheduled', places, parameters)}
      order by j.scheduled_for ${direction}, j.id ${direction} limit ${limit}) e`;
}
