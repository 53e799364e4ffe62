import { statement } from '../../statement.ts';

/**
 * A tenant's own limits for a definition; the caller holds the tenant (lock_tenant). Locks the row. Index:
 * lane_limits_pkey.
 */
export const setLaneLimit = statement(
  'set_lane_limit',
  `
insert into millrace.lane_limits (tenant_id, definition_id, max_running, rate_limit_count, rate_limit_period_seconds)
values ($1, $2, $3, $4, $5)
on conflict (tenant_id, definition_id) do update
set max_running = excluded.max_running, rate_limit_count = excluded.rate_limit_count,
    rate_limit_period_seconds = excluded.rate_limit_period_seconds, updated_at = now()`,
);
