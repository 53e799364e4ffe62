import type { LaneLimit } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * A tenant's own limits for a definition ($2, its key). The caller holds the tenant (lock_tenant). Index:
 * lane_limits_pkey.
 */
export const findLaneLimit = statement(
  'find_lane_limit',
  `
select d.id as definition_id, l.tenant_id is not null as is_set, l.max_running, l.rate_limit_count, l.rate_limit_period_seconds
from millrace.job_definitions d
left join millrace.lane_limits l on l.tenant_id = $1 and l.definition_id = d.id
where d.key = $2`,
);

export interface LaneLimitRow
  extends Columns<
    LaneLimit,
    'definition_id' | 'max_running' | 'rate_limit_count' | 'rate_limit_period_seconds'
  > {
  /** False: the tenant has none of its own. */
  readonly is_set: boolean;
}
