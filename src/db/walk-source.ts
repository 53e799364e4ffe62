import { finishBounds } from './finish-order.ts';
import {
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

/** What a walk takes its jobs from, in the order that is asked for. */
export interface OrderedSource {
  /** A SELECT of ids, and of ends in their order. */
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
  const { direction, order } = conditions;
  if (order !== 'finished' && source !== 'finishes')
    return { from: sourceOf(source, conditions, parameters, limit), orderBy: `w.id ${direction}` };
  const inOrder = (from: string): string =>
    `${from} order by finished_at ${direction}, id ${direction} limit ${limit}`;
  const ended = (): string =>
    `${finishedIn(conditions, parameters)}${finishBounds(conditions.places ?? [], parameters)}`;
  const from =
    source === 'finishes'
      ? // Bounds of the ids would be looked for along the index, beyond the limit: they are conditions on what was found.
        inOrder(`${ofTenant({ ...conditions, idBounds: [] }, parameters, 'j.id, j.finished_at')}${ended()}`)
      : inOrder(
          `select g.id, g.finished_at from (${ofTenant(conditions, parameters, 'j.id, j.finished_at')}${chosenBy(source, conditions, parameters)}${ended()} offset 0) g`,
        );
  return { from, orderBy: `w.finished_at ${direction}, w.id ${direction}` };
}

/** A SELECT of what a source holds, to be counted: without what no index entry says. */
export function countedFrom(source: WalkSource, conditions: JobConditions, parameters: Parameters): string {
  if (conditions.order !== 'finished' && isGathered(source))
    return gatheredFrom(source, conditions, parameters);
  return `${ofTenant(conditions, parameters)}${chosenBy(source, conditions, parameters)}`;
}

function isGathered(source: WalkSource): source is GatheredSource {
  return GATHERED_SOURCES.includes(source);
}

/** The condition of the index of a source that is gathered before it is put in the order of ends. */
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
