import { statement } from '../../../db/statement.ts';

/** In how many seconds the next schedule is due, and whether an event waits. Indexes: triggers_due_idx, app_events_pending_idx. */
export const readNextDue = statement(
  'read_next_due',
  `
select (select extract(epoch from t.due_at - clock_timestamp())::float8 from millrace.triggers t
        where t.is_enabled and t.due_at is not null order by t.due_at limit 1) as due_in_seconds,
       exists (select from millrace.app_events e where e.processed_at is null) as has_events`,
);

export interface NextDueRow {
  readonly due_in_seconds: number | null;
  readonly has_events: boolean;
}
