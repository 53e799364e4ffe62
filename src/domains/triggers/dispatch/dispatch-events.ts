import type { CheckedJob } from '../../../core/producer-queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { definitionsByKey } from '../../../db/definitions-by-key.ts';
import { isSatisfied } from '../condition/condition.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import { patternsOf } from '../event-name.ts';
import { type EventTriggerRow, findEventTriggers } from '../sql/find-event-triggers.ts';
import { lockPendingEvents, type PendingEventRow } from '../sql/lock-pending-events.ts';
import { markEventsProcessed } from '../sql/mark-events-processed.ts';
import type { DispatchDeps } from './deps.ts';
import { inRounds } from './in-rounds.ts';
import { insertOrdered, type Placed } from './insert-ordered.ts';
import { type TriggerRun, writeRuns } from './run-log.ts';
import { eventContext } from './template-context.ts';
import { type NoJob, orderedJob } from './trigger-job.ts';

/** Events of one transaction. */
const BATCH_SIZE = 200;
/** Jobs of one transaction: events beyond it wait for the next. */
const MAX_MATCHES = 5_000;
/** Triggers in a row, each started by the end of the job before: more is a chain that starts itself. */
export const MAX_CHAIN_DEPTH = 10;

interface Match {
  readonly event: PendingEventRow;
  readonly trigger: EventTriggerRow;
}

/**
 * Makes the jobs of events that are not processed yet. The jobs, what became of each trigger and the event's
 * mark are one transaction, and the event's row is held meanwhile: whatever is killed or frozen at whatever
 * moment, each event's jobs are made once.
 * @returns how many events were processed; 0 when none was left
 */
export async function dispatchEvents(deps: DispatchDeps): Promise<number> {
  return await inRounds(BATCH_SIZE, (size) =>
    deps.db.transaction({ role: 'worker' }, (tx) => batch(tx, deps, size)),
  );
}

async function batch(tx: Transaction, deps: DispatchDeps, size: number): Promise<number> {
  const { rows: locked } = await tx.query<PendingEventRow>(lockPendingEvents, [size]);
  if (locked.length === 0) return 0;
  const { events, matches } = await matchesOf(tx, locked);
  const placed = await place(tx, deps, matches);
  await writeRuns(
    tx,
    matches.map((match, index) => runOf(match, placed[index] as Placed)),
  );
  const triggers = new Map(events.map(({ id }) => [id, 0]));
  const jobs = new Map(triggers);
  for (const [index, { event }] of matches.entries()) {
    triggers.set(event.id, (triggers.get(event.id) ?? 0) + 1);
    if (placed[index]?.outcome === 'enqueued') jobs.set(event.id, (jobs.get(event.id) ?? 0) + 1);
  }
  await tx.query(markEventsProcessed, [[...triggers.keys()], [...triggers.values()], [...jobs.values()]]);
  return events.length;
}

/** The events that fit in this transaction, at least one, each with its triggers. */
async function matchesOf(
  tx: Transaction,
  locked: readonly PendingEventRow[],
): Promise<{ readonly events: readonly PendingEventRow[]; readonly matches: readonly Match[] }> {
  const asked = locked.flatMap(({ tenant_id, name }) =>
    patternsOf(name).map((pattern) => ({ tenant_id, pattern })),
  );
  const { rows } = await tx.query<EventTriggerRow>(findEventTriggers, [
    asked.map(({ tenant_id }) => tenant_id),
    asked.map(({ pattern }) => pattern),
  ]);
  const byPattern = Map.groupBy(rows, ({ tenant_id, event_pattern }) => `${tenant_id} ${event_pattern}`);
  const events: PendingEventRow[] = [];
  const matches: Match[] = [];
  for (const event of locked) {
    const listening = patternsOf(event.name).flatMap(
      (pattern) => byPattern.get(`${event.tenant_id} ${pattern}`) ?? [],
    );
    const { trigger_id: only } = event;
    const triggers = only === null ? listening : listening.filter(({ id }) => id === only);
    if (events.length > 0 && matches.length + triggers.length > MAX_MATCHES) break;
    events.push(event);
    for (const trigger of triggers) matches.push({ event, trigger });
  }
  return { events, matches };
}

async function place(
  tx: Transaction,
  deps: DispatchDeps,
  matches: readonly Match[],
): Promise<readonly Placed[]> {
  const placed: Placed[] = new Array(matches.length);
  const ordered: { readonly index: number; readonly order: CheckedJob | NoJob }[] = [];
  const wanted = matches.map((match) => withoutJob(match));
  const definitions = await definitionsByKey(
    deps.db,
    matches.filter((_, index) => wanted[index] === undefined).map(({ trigger }) => trigger.definition_key),
  );
  for (const [index, match] of matches.entries()) {
    const none = wanted[index];
    if (none !== undefined) placed[index] = none;
    else {
      const definition = definitions.get(match.trigger.definition_key);
      ordered.push({ index, order: await orderedJob(orderOf(match), definition, deps) });
    }
  }
  const inserted = await insertOrdered(
    deps,
    tx,
    ordered.map(({ order }) => order),
  );
  for (const [at, { index }] of ordered.entries()) placed[index] = inserted[at] as Placed;
  return placed;
}

function orderOf({ event, trigger }: Match): Parameters<typeof orderedJob>[0] {
  return {
    trigger,
    source: 'event',
    sourceRef: event.id,
    correlationId: event.correlation_id ?? event.id,
    context: eventContext(event, trigger),
    dedupeWindowSeconds: trigger.dedupe_window_seconds,
  };
}

/** Why this trigger makes no job of this event, as far as that needs no job. */
function withoutJob({ event, trigger }: Match): Placed | undefined {
  if (!trigger.is_enabled) return { outcome: 'disabled', jobId: null, reason: 'The trigger is disabled.' };
  if (event.chain_depth >= MAX_CHAIN_DEPTH)
    return {
      outcome: 'chain_too_deep',
      jobId: null,
      reason: `${event.chain_depth} triggers in a row led to this event; allowed: ${MAX_CHAIN_DEPTH}. One of them may be starting itself.`,
    };
  if (trigger.condition === null || isSatisfied(parseCondition(trigger.condition), event.data))
    return undefined;
  return { outcome: 'condition_false', jobId: null, reason: 'The event does not satisfy the condition.' };
}

function runOf({ event, trigger }: Match, placed: Placed): TriggerRun {
  return {
    tenantId: event.tenant_id,
    triggerId: trigger.id,
    eventId: event.id,
    scheduledAt: null,
    ...placed,
  };
}
