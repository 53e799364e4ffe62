import { statement } from '../../statement.ts';

/**
 * Writes the definitions declared in code. Locks their rows; touches none that is already as declared, so that many
 * processes starting at once do not wait for each other. An operator's is_active and paused_at stay as they are.
 * Index: job_definitions_key_key.
 */
export const syncDefinitions = statement(
  'sync_definitions',
  `
insert into millrace.job_definitions as d
  (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, enqueue_role)
select * from unnest($1::text[], $2::text[], $3::jsonb[], $4::integer[], $5::integer[], $6::integer[], $7::jsonb[], $8::integer[], $9::text[])
  as t (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, enqueue_role)
order by t.key
on conflict (key) do update
set description = excluded.description, arg_schema = excluded.arg_schema, timeout_seconds = excluded.timeout_seconds,
    max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds, retry_policy = excluded.retry_policy,
    max_snoozes = excluded.max_snoozes, enqueue_role = excluded.enqueue_role, updated_at = now()
where (d.description, d.arg_schema, d.timeout_seconds, d.max_attempts, d.lease_seconds, d.retry_policy, d.max_snoozes, d.enqueue_role)
  is distinct from
  (excluded.description, excluded.arg_schema, excluded.timeout_seconds, excluded.max_attempts, excluded.lease_seconds,
   excluded.retry_policy, excluded.max_snoozes, excluded.enqueue_role)`,
);
