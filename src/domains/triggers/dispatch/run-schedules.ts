import { toError } from '../../../core/errors.ts';
import type { CheckedJob } from '../../../core/producer-queue.ts';
import { type DueTicks, dueTicks } from '../../../core/schedule/due-ticks.ts';
import { dueAt, type Schedule } from '../../../core/schedule/schedule.ts';
import type { Transaction } from '../../../db/database.ts';
import { definitionsByKey } from '../../../db/definitions-by-key.ts';
import { advanceSchedules } from '../sql/advance-schedules.ts';
import { type DueScheduleRow, lockDueSchedules } from '../sql/lock-due-schedules.ts';
import type { DispatchDeps } from './deps.ts';
import { inRounds } from './in-rounds.ts';
import { insertOrdered, type Placed } from './insert-ordered.ts';
import { scheduleOf } from './row-schedule.ts';
import { type TriggerRun, writeRuns } from './run-log.ts';
import { scheduleContext } from './template-context.ts';
import { type NoJob, orderedJob } from './trigger-job.ts';

/** Schedules of one transaction: some tens of milliseconds. */
const BATCH_SIZE = 1_000;

interface Due {
  readonly row: DueScheduleRow;
  readonly schedule: Schedule;
  readonly ticks: DueTicks;
}

interface Tick {
  readonly due: Due;
  readonly at: Date;
  /** The schedule's last job, or the tick before this one, is still active. */
  readonly isHeldBack: boolean;
}

/**
 * Enqueues the ticks that are due. The jobs and the schedules' next ticks are one transaction that holds the
 * schedules' rows: two schedulers, or one that was frozen and comes back, cannot enqueue the same tick.
 * @returns how many schedules were moved on
 */
export async function runSchedules(deps: DispatchDeps): Promise<number> {
  return await inRounds(BATCH_SIZE, (size) =>
    deps.db.transaction({ role: 'worker' }, (tx) => batch(tx, deps, size)),
  );
}

async function batch(tx: Transaction, deps: DispatchDeps, size: number): Promise<number> {
  const { rows } = await tx.query<DueScheduleRow>(lockDueSchedules, [size]);
  if (rows.length === 0) return 0;
  // One time for all, the last that the statement read: none of its rows was due after it.
  const now = (rows.at(-1) as DueScheduleRow).now;
  const known = new Map<string, DueTicks>();
  const dues = rows.map((row) => dueOf(row, now, known, deps));
  const ticks = dues.flatMap((due) =>
    due.ticks.run.map(
      (at, index): Tick => ({
        due,
        at,
        isHeldBack: due.row.is_last_active || (index > 0 && due.row.skip_while_active),
      }),
    ),
  );
  const placed = await place(tx, deps, ticks);
  await writeRuns(tx, [
    ...dues.flatMap((due) => missedRun(due)),
    ...ticks.map((tick, index) => runOf(tick, placed[index] as Placed)),
  ]);
  const lastJobs = new Map<string, string>();
  for (const [index, { due }] of ticks.entries()) {
    const { outcome, jobId } = placed[index] as Placed;
    if (outcome === 'enqueued' && jobId !== null) lastJobs.set(due.row.id, jobId);
  }
  await tx.query(advanceSchedules, [
    dues.map(({ row }) => row.id),
    dues.map(({ ticks: { next } }) => next),
    dues.map(({ schedule, ticks: { next } }) => (next === null ? null : dueAt(schedule, next))),
    dues.map(({ ticks: { run } }) => run.at(-1) ?? null),
    dues.map(({ row }) => lastJobs.get(row.id) ?? null),
  ]);
  return rows.length;
}

/**
 * A row that cannot be read any more (a zone that the runtime has dropped) is stopped instead of holding up
 * all others.
 * @param known what this batch has computed: many schedules have the same expression, which takes some 0.2 ms
 *   to walk
 */
function dueOf(row: DueScheduleRow, now: Date, known: Map<string, DueTicks>, { log }: DispatchDeps): Due {
  const schedule = scheduleOf(row, row.next_at);
  try {
    const key = sharedKey(row);
    const policy = { missedRuns: row.missed_runs, backfillLimit: row.backfill_limit };
    const ticks = (key === null ? undefined : known.get(key)) ?? dueTicks(schedule, row.next_at, now, policy);
    if (key !== null) known.set(key, ticks);
    return { row, schedule, ticks };
  } catch (error) {
    log.error(
      { trigger_id: row.id, tenant_id: row.tenant_id, reason: toError(error).message },
      'schedules: cannot be computed, stopped',
    );
    return { row, schedule, ticks: { run: [], missed: null, next: null } };
  }
}

/**
 * Rows alike in all that decides their ticks; null where the jitter, which depends on the row's id, is one of
 * these.
 */
function sharedKey(row: DueScheduleRow): string | null {
  if (row.jitter_seconds > 0) return null;
  return JSON.stringify([
    row.cron,
    row.every_seconds,
    row.run_at,
    row.time_zone,
    row.missing_hour,
    row.repeated_hour,
    row.starts_at,
    row.ends_at,
    row.next_at,
    row.missed_runs,
    row.backfill_limit,
  ]);
}

async function place(
  tx: Transaction,
  deps: DispatchDeps,
  ticks: readonly Tick[],
): Promise<readonly Placed[]> {
  const definitions = await definitionsByKey(
    deps.db,
    ticks.map(({ due }) => due.row.definition_key),
  );
  const orders: (CheckedJob | NoJob | undefined)[] = [];
  for (const tick of ticks) {
    const { row } = tick.due;
    const definition = definitions.get(row.definition_key);
    orders.push(tick.isHeldBack ? undefined : await orderedJob(orderOf(tick), definition, deps));
  }
  const inserted = (
    await insertOrdered(
      deps,
      tx,
      orders.filter((order) => order !== undefined),
    )
  ).values();
  return orders.map((order) =>
    order === undefined
      ? { outcome: 'still_active', jobId: null, reason: 'The job of an earlier tick has not ended.' }
      : (inserted.next().value as Placed),
  );
}

function orderOf({ due: { row }, at }: Tick): Parameters<typeof orderedJob>[0] {
  return {
    trigger: row,
    source: 'schedule',
    sourceRef: row.id,
    correlationId: null,
    context: scheduleContext(at, row),
    // Each tick is enqueued once by its row; two ticks with one payload are two jobs.
    dedupeWindowSeconds: 0,
  };
}

function runOf({ due: { row }, at }: Tick, placed: Placed): TriggerRun {
  return { tenantId: row.tenant_id, triggerId: row.id, eventId: null, scheduledAt: at, ...placed };
}

/** One row for all missed ticks of a gap. */
function missedRun({ row, ticks: { missed } }: Due): readonly TriggerRun[] {
  if (missed === null) return [];
  const count = missed.isCounted ? `${missed.count}` : `more than ${missed.count}`;
  const reason = `${count} ticks from ${missed.first.toISOString()} to ${missed.last.toISOString()} were missed.`;
  return [
    {
      tenantId: row.tenant_id,
      triggerId: row.id,
      eventId: null,
      scheduledAt: missed.first,
      outcome: 'missed',
      jobId: null,
      reason,
    },
  ];
}
