import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { onEvent, onTick } from './definitions.ts';
import { persistently } from './persistently.ts';

/** Of each event name: one that listens to the name, and one to a pattern that it is of. */
const PATTERNS = ['chaos.done', 'chaos.*'];
const EVERY_SECONDS = 1;
/** Beyond all plans: it distinguishes their jobs. */
const UNPLANNED = 1_000_000;

/** What a triggered job does: nothing for long. */
const TEMPLATE = { n: UNPLANNED, ms: 5, fails: 0, permanent: false, snoozes: 0, deaf: false };

/** Two triggers a tenant for each event; one schedule a tenant, whose missed ticks are all made up for. */
export async function makeTriggers(client: pg.Client, tenantIds: readonly string[]): Promise<void> {
  await client.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern, payload_template, dedupe_window_seconds)
     select t, d.id, p, 'event', p, $3::jsonb, 0 from unnest($1::uuid[]) t, unnest($2::text[]) p, millrace.job_definitions d where d.key = $4`,
    [tenantIds, PATTERNS, JSON.stringify({ ...TEMPLATE, of: '{{event.no}}' }), onEvent.key],
  );
  await client.query(
    `insert into millrace.triggers
       (tenant_id, definition_id, label, kind, every_seconds, payload_template, missed_runs, backfill_limit, next_at, due_at)
     select t, d.id, 'each second', 'schedule', $2, $3::jsonb, 'backfill', 1000, date_trunc('second', clock_timestamp()), clock_timestamp()
     from unnest($1::uuid[]) t, millrace.job_definitions d where d.key = $4`,
    [tenantIds, EVERY_SECONDS, JSON.stringify({ ...TEMPLATE, of: '{{schedule.scheduledAt}}' }), onTick.key],
  );
}

export interface EmitterDeps {
  readonly pool: pg.Pool;
  readonly tenantIds: readonly string[];
  readonly events: number;
  /** They are spread over this time. */
  readonly overMs: number;
  readonly signal: AbortSignal;
}

/**
 * A worker that leads begins its first look at the schedules after it has started: on a busy machine, late.
 */
const FIRST_TICKS_WITHIN_MS = 120_000;

/**
 * Emits the events as an application would that does not give up, and stops the schedules when the last event
 * is there and each schedule has made a job. One that makes none within two minutes is the judges' to find.
 */
export async function emitEvents({ pool, tenantIds, events, overMs, signal }: EmitterDeps): Promise<void> {
  const beganMs = performance.now();
  for (let no = 0; no < events; no++) {
    signal.throwIfAborted();
    const tenantId = tenantIds[no % tenantIds.length];
    await persistently(signal, () =>
      // In one statement: where it was committed before the answer got lost, nothing is emitted again.
      pool.query(
        `select millrace.emit_event('chaos.done', jsonb_build_object('no', $1::text), tenant => $2)
         where not exists (select from millrace.app_events e where e.data ->> 'no' = $1::text)`,
        [String(no), tenantId],
      ),
    );
    const dueMs = beganMs + (overMs * (no + 1)) / events;
    await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal });
  }
  const untilMs = performance.now() + FIRST_TICKS_WITHIN_MS;
  while (performance.now() < untilMs && (await persistently(signal, () => idleSchedules(pool))) > 0)
    await sleep(100, undefined, { signal });
  await persistently(signal, () =>
    pool.query(`update millrace.triggers set is_enabled = false where kind = 'schedule'`),
  );
}

/** How many have made no job yet. */
async function idleSchedules(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as n from millrace.triggers t
     where t.kind = 'schedule'
       and not exists (select from millrace.jobs j where j.source = 'schedule' and j.source_ref = t.id::text)`,
  );
  return rows[0].n;
}
