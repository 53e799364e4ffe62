import { statement } from '../../statement.ts';

/**
 * Archives ($2) a definition that the transaction holds (lock_definition), or takes it back. Index:
 * job_definitions_pkey.
 */
export const setDefinitionArchived = statement(
  'set_definition_archived',
  `
update millrace.job_definitions
set archived_at = case when $2::boolean then clock_timestamp() end,
    is_active = not $2::boolean and coalesce((override ->> 'isActive')::boolean, true), updated_at = now()
where id = $1`,
);
