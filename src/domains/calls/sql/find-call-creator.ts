import { statement } from '../../../db/statement.ts';

/** Who submitted tenant $1's call $2. Locks nothing. Index: calls_pkey. */
export const findCallCreator = statement(
  'find_call_creator',
  `
select created_by from millrace.calls where tenant_id = $1 and id = $2`,
);
