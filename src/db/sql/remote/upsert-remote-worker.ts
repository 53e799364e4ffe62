import { statement } from '../../statement.ts';

/**
 * A remote worker has been seen: $1 its id, $2 its host, $3 version, $4 definition keys (null: as
 * before), $5 slots (null: as before), $6 running jobs, $7 metadata. Locks its own row. Index:
 * job_workers_pkey.
 */
export const upsertRemoteWorker = statement(
  'upsert_remote_worker',
  `
insert into millrace.job_workers as w
  (worker_id, hostname, pid, version, definition_keys, concurrency, running_count, started_at, last_seen_at, metadata)
values ($1, $2, 0, $3, coalesce($4::text[], '{}'), coalesce($5::integer, 1), $6, clock_timestamp(), clock_timestamp(), $7::jsonb)
on conflict (worker_id) do update
set running_count = excluded.running_count, last_seen_at = excluded.last_seen_at,
    version = case when $4::text[] is null then w.version else excluded.version end,
    definition_keys = coalesce($4::text[], w.definition_keys), concurrency = coalesce($5::integer, w.concurrency)`,
);
