-- A wake-up must never fail the write that it announces. NOTIFY's queue is one for the whole cluster and ends when one session of any
-- database has listened and then kept a transaction open for too long; from then on each commit that notifies fails. So nobody notifies
-- while the queue is half full or more: those who wait look every half second by themselves. To ask for the usage also frees what everybody
-- has read, which nothing else does while nobody notifies.

create function millrace.can_notify() returns boolean language sql volatile parallel restricted
return pg_notification_queue_usage() < 0.5;

create or replace function millrace.ring_bell() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_watch', '');
    if tg_table_name = 'jobs' and tg_op <> 'DELETE' then
      perform pg_notify('millrace_work', '');
    end if;
  end if;
  return null;
end $$;

create or replace function millrace.ring_identity_bell() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', coalesce(new.tenant_id, old.tenant_id)::text);
  end if;
  return null;
end $$;

create or replace function millrace.ring_tenant_bell() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', new.id::text);
  end if;
  return null;
end $$;
