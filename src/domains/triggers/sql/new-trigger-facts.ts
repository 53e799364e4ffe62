import { statement } from '../../../db/statement.ts';

/**
 * An id for a new trigger, the database's time, and how many triggers tenant $1 has (counted up to
 * 10,000). Index: triggers_tenant_idx.
 */
export const newTriggerFacts = statement(
  'new_trigger_facts',
  `
select uuidv7() as id, clock_timestamp() as now,
       (select count(*)::integer from (select from millrace.triggers t where t.tenant_id = $1 limit 10000) t) as trigger_count`,
);

export interface NewTriggerFactsRow {
  readonly id: string;
  readonly now: Date;
  readonly trigger_count: number;
}
