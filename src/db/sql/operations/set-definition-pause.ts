import { statement } from '../../statement.ts';

/**
 * Pauses ($2 true) or resumes a definition that the transaction holds (lock_definition). Index:
 * job_definitions_pkey.
 */
export const setDefinitionPause = statement(
  'set_definition_pause',
  `
update millrace.job_definitions
set paused_at = case when $2::boolean then clock_timestamp() end, updated_at = now()
where id = $1`,
);
