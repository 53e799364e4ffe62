import { statement } from '../../statement.ts';

/**
 * Notes that tenant $1's finished jobs of retention $2 were looked through up to $4 for definitions $3; $5:
 * one that was due could not go, so they are looked through again in $6 seconds. Locks the one row. Index:
 * retention_positions_pkey.
 */
export const storeRetentionPosition = statement(
  'store_retention_position',
  `
insert into millrace.retention_positions as p (tenant_id, seconds, definition_ids, position, look_again_at)
values ($1, $2::bigint, $3::uuid[], $4::timestamptz, case when $5::boolean then clock_timestamp() + make_interval(secs => $6::float8) end)
on conflict (tenant_id, seconds) do update
set definition_ids = excluded.definition_ids, position = excluded.position,
    look_again_at = case when p.look_again_at < clock_timestamp() then excluded.look_again_at
                         else coalesce(p.look_again_at, excluded.look_again_at) end`,
);
