import { statement } from '../../statement.ts';

/**
 * A worker process says that it lives: registers at the first beat, and comes back by itself if its row was
 * removed as stale during an outage. Locks its own row. Index: job_workers_pkey.
 */
export const upsertWorker = statement(
  'upsert_worker',
  `
insert into millrace.job_workers as w
  (worker_id, hostname, pid, version, definition_keys, concurrency, running_count, started_at, last_seen_at, stopping_at, metadata)
values ($1, $2, $3, $4, $5::text[], $6, $7, $8, clock_timestamp(), case when $9 then clock_timestamp() end, $10::jsonb)
on conflict (worker_id) do update
set running_count = excluded.running_count, last_seen_at = excluded.last_seen_at,
    stopping_at = coalesce(w.stopping_at, excluded.stopping_at)`,
);
