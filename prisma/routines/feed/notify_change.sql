-- The notification: a wake-up and never data, so losing it costs time only. NOTIFY takes a cluster-wide lock
-- at commit, so our own processes say `millrace.notify = after_commit` and notify on another connection once
-- they have committed.
-- No transition table here: it would copy every row of every hot statement. A foreign write notifies of work
-- even when nothing became ready, which costs one empty claim.
create or replace function millrace.notify_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_watch', '');
    if tg_table_name = 'jobs' and tg_op <> 'DELETE' then
      perform pg_notify('millrace_work', pg_current_xact_id()::text);
    end if;
  end if;
  return null;
end $$;
