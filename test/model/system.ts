import { isDeepStrictEqual } from 'node:util';
import type { ClaimedJob, JobQueue } from '../../src/core/queue.ts';
import type { TestQueue } from '../support/queue.ts';
import { type DefinitionKey, type Model, type ModelJob, TENANT_COUNT } from './model.ts';

/** One run that a worker believes to hold, or once held. */
export interface Held {
  readonly worker: number;
  readonly claimed: ClaimedJob;
}

/** The real queue under test, with what its actors remember. */
export interface System {
  readonly q: TestQueue;
  readonly queue: JobQueue;
  readonly tenantIds: readonly string[];
  /** Runs that their workers still hold, as far as those know. */
  held: Held[];
  /** Runs whose lease is gone: settled, rescued, or claimed by somebody else since. */
  readonly stale: Held[];
  /** Each row as it was after the last step. */
  rows: Map<string, Row>;
  /** Rows that have succeeded, as they were then. */
  readonly succeeded: Map<string, string>;
}

export interface Row {
  readonly id: string;
  readonly version: bigint;
  readonly scheduled_for: Date;
  /** The whole row but for its lease's end, which a heartbeat moves without it being a change. */
  readonly whole: string;
  readonly seen: Record<string, unknown>;
}

const LOOK = `
select j.id, j.version, j.scheduled_for, (to_jsonb(j) - 'lease_expires_at')::text as whole,
       j.status, j.run_no, j.attempt_count, j.lost_lease_count, j.snooze_count, j.priority,
       j.cancel_requested_at is not null as cancel_requested, j.lease_token is not null as leased,
       j.claimed_by_worker, j.finished_at is not null as finished,
       j.scheduled_for <= clock_timestamp() as due, j.lease_expires_at < clock_timestamp() as lease_ended,
       (select coalesce(array_agg(a.status order by a.attempt_no), '{}') from millrace.job_attempts a where a.job_id = j.id) as attempts,
       (select coalesce(array_agg(a.attempt_no order by a.attempt_no), '{}') from millrace.job_attempts a where a.job_id = j.id) as attempt_nos
from millrace.jobs j`;

/** An empty queue with two tenants. Whatever an earlier sequence left is gone. */
export async function emptySystem(q: TestQueue, queue: JobQueue = q.queue): Promise<System> {
  // Deleted, not truncated: a dozen new files for the indexes of each table would take longer than the
  // sequence.
  await q.superuser.query('delete from millrace.jobs; delete from millrace.stored_usage_events');
  await q.superuser.query('update millrace.job_definitions set paused_at = null');
  await q.superuser.query('update millrace.tenants set paused_at = null');
  const tenantIds: string[] = [];
  for (let tenant = 0; tenant < TENANT_COUNT; tenant++) {
    const { rows } = await q.superuser.query(
      `insert into millrace.tenants (slug, name) values ($1, $1)
       on conflict (slug) do update set name = excluded.name returning id`,
      [`model-${tenant}`],
    );
    tenantIds.push(rows[0].id as string);
  }
  return { q, queue, tenantIds, held: [], stale: [], rows: new Map(), succeeded: new Map() };
}

export const workerName = (worker: number): string => `model-worker-${worker}`;

/** Gives up a run; from here on whatever it writes must change nothing. */
export function letGo(system: System, held: Held): void {
  system.held = system.held.filter((other) => other !== held);
  system.stale.push(held);
}

/** Compares every row with the model; a row that the step did not touch must be the same to the last bit. */
export async function compare(system: System, model: Model, step: string): Promise<void> {
  const { rows } = await system.q.superuser.query(LOOK);
  const before = system.rows;
  system.rows = new Map(
    rows.map(({ id, version, scheduled_for, whole, ...seen }) => [
      id,
      { id, version: BigInt(version), scheduled_for, whole, seen },
    ]),
  );
  if (system.rows.size !== model.jobs.size)
    throw new Error(`after ${step}: ${system.rows.size} rows instead of ${model.jobs.size}`);
  for (const [id, job] of model.jobs) {
    const row = system.rows.get(id);
    if (row === undefined) throw new Error(`after ${step}: job ${id} is gone`);
    const expected = expectedRow(job);
    const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, row.seen[name]]));
    if (!isDeepStrictEqual(actual, expected))
      throw new Error(
        `after ${step}: job ${id} is ${JSON.stringify(actual)}, the model says ${JSON.stringify(expected)}`,
      );
    const last = before.get(id);
    if (model.touched.has(id)) {
      if (last !== undefined && row.version <= last.version)
        throw new Error(`after ${step}: job ${id} changed, its version ${row.version} did not grow`);
    } else if (row.whole !== last?.whole) {
      throw new Error(`after ${step}: job ${id} was not to change: ${last?.whole} → ${row.whole}`);
    }
    keepSucceeded(system, id, job, row, step);
  }
  model.touched.clear();
}

/** Only what must be equal: when a time means nothing, it is left out. */
function expectedRow(job: ModelJob): Record<string, unknown> {
  const attempts = job.runs.filter(leavesRow);
  return {
    status: job.status,
    run_no: job.runNo,
    attempt_count: job.attemptCount,
    lost_lease_count: job.lostLeaseCount,
    snooze_count: job.snoozeCount,
    priority: job.priority,
    leased: job.status === 'running',
    finished: ['succeeded', 'failed', 'canceled', 'dead_letter'].includes(job.status),
    attempts,
    attempt_nos: job.runs.flatMap((note, index) => (leavesRow(note) ? [index + 1] : [])),
    ...(job.status === 'queued' ? { due: job.due } : {}),
    ...(job.status === 'queued' || job.status === 'running' ? { cancel_requested: job.cancelRequested } : {}),
    ...(job.status === 'running'
      ? { lease_ended: job.leaseEnded, claimed_by_worker: workerName(job.worker ?? -1) }
      : {}),
  };
}

function leavesRow(note: string): boolean {
  return note !== 'snoozed' && note !== 'unrun';
}

function keepSucceeded(system: System, id: string, job: ModelJob, row: Row, step: string): void {
  if (job.status !== 'succeeded') return;
  const first = system.succeeded.get(id);
  if (first === undefined) system.succeeded.set(id, row.whole);
  else if (first !== row.whole) throw new Error(`after ${step}: job ${id} had succeeded and changed`);
}

/** The ids of the definitions that the queue knows by these keys. */
export function definitionIds(system: System, keys: readonly DefinitionKey[]): readonly string[] {
  return keys.map((key) => system.q.definitionId(key));
}
