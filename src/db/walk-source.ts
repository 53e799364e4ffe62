import { dueInLanes, lanesOf } from './due-lanes.ts';
import {
  DUE_SQL,
  dueOf,
  ENDED_BADLY,
  ENDED_BADLY_SQL,
  finishedIn,
  GATHERED_SOURCES,
  type GatheredSource,
  gatheredFrom,
  type JobConditions,
  namedIn,
  ofTenant,
  sourceOf,
  type WalkSource,
} from './job-walk-parts.ts';
import type { Parameters } from './parameters.ts';
import { TIME_COLUMNS, timeBounds } from './time-order.ts';

/** What a walk takes its jobs from, in the order that is asked for. */
export interface OrderedSource {
  /** A SELECT of ids, and in an order by a time of that. */
  readonly from: string;
  /** The order of its rows, named `w`. */
  readonly orderBy: string;
}

/** A source of jobs in order, `limit` of them at most. */
export function orderedSource(
  source: WalkSource,
  conditions: JobConditions,
  parameters: Parameters,
  limit: string,
): OrderedSource {
  const { direction, order = 'created' } = conditions;
  if (order === 'created') {
    if (source === 'finishes' || source === 'lanes') throw new Error(`${source} is in no order of ids`);
    return { from: sourceOf(source, conditions, parameters, limit), orderBy: `w.id ${direction}` };
  }
  const column = TIME_COLUMNS[order];
  const inOrder = (from: string): string =>
    `${from} order by ${column} ${direction}, id ${direction} limit ${limit}`;
  const columns = `j.id, j.${column}`;
  const chosen = (): string =>
    `${order === 'finished' ? finishedIn(conditions, parameters) : ` and ${DUE_SQL}`}${timeBounds(order, conditions.places ?? [], parameters)}`;
  const from = (): string => {
    if (source === 'lanes') return inOrder(dueInLanes(conditions, parameters, limit));
    // Bounds of the ids would be looked for along the index, beyond the limit: they are conditions on what
    // was found.
    if (source === 'finishes')
      return inOrder(`${ofTenant({ ...conditions, idBounds: [] }, parameters, columns)}${chosen()}`);
    const all =
      source === 'due'
        ? dueOf(conditions, parameters, columns)
        : `${ofTenant(conditions, parameters, columns)}${chosenBy(source, conditions, parameters)}`;
    return inOrder(`select g.id, g.${column} from (${all}${chosen()} offset 0) g`);
  };
  return { from: from(), orderBy: `w.${column} ${direction}, w.id ${direction}` };
}

/** A SELECT of what a source holds, to be counted: without what no index entry says. */
export function countedFrom(source: WalkSource, conditions: JobConditions, parameters: Parameters): string {
  if (source === 'lanes') return lanesOf(conditions, parameters);
  const isById = (conditions.order ?? 'created') === 'created';
  if (source === 'due' || (isById && isGathered(source))) return gatheredFrom(source, conditions, parameters);
  return `${ofTenant(conditions, parameters)}${chosenBy(source, conditions, parameters)}`;
}

function isGathered(source: WalkSource): source is GatheredSource {
  return GATHERED_SOURCES.includes(source);
}

/** The condition of the index of a source that is gathered before it is put in an order by a time. */
function chosenBy(source: WalkSource, conditions: JobConditions, parameters: Parameters): string {
  switch (source) {
    case 'ids':
    case 'subject':
    case 'correlation':
      return namedIn(source, conditions, parameters);
    case 'ended': {
      const statuses = parameters.add(conditions.statuses ?? ENDED_BADLY, 'text[]');
      return ` and ${ENDED_BADLY_SQL} and j.status = any (${statuses})`;
    }
    default:
      return '';
  }
}
