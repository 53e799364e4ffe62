import { statement } from '../../statement.ts';

/** Takes a tenant's own limits for a definition away. Locks the row. Index: lane_limits_pkey. */
export const deleteLaneLimit = statement(
  'delete_lane_limit',
  `delete from millrace.lane_limits where tenant_id = $1 and definition_id = $2`,
);
