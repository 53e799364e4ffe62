-- Waking readers: programs that LISTEN on the channel "pgmq.q_<queue>.INSERT" are notified by the commit of
-- what is sent, at most once in N milliseconds.
create or replace function pgmq._notify(queue pgmq.meta) returns void
language plpgsql volatile as $$
begin
  if queue.notify_every_ms > 0 then
    -- A queue whose row another transaction notes this moment is being notified of by that one.
    update pgmq.meta m set notified_at = clock_timestamp()
    where m.queue_name = (
      select o.queue_name from pgmq.meta o
      where o.queue_name = queue.queue_name
        and coalesce(o.notified_at < clock_timestamp() - make_interval(secs => o.notify_every_ms / 1000.0), true)
      for no key update skip locked);
    if not found then
      return;
    end if;
  end if;
  perform pg_notify('pgmq.q_' || queue.queue_name || '.INSERT', '');
end $$;

create or replace function pgmq.enable_notify_insert(queue_name text, throttle_interval_ms integer default 250) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(enable_notify_insert.queue_name);
begin
  if throttle_interval_ms is null or throttle_interval_ms not between 0 and 86400000 then
    raise exception 'throttle_interval_ms is %; allowed: 0 to 86400000', coalesce(throttle_interval_ms::text, 'null')
      using errcode = 'invalid_parameter_value', column = 'throttle_interval_ms';
  end if;
  update pgmq.meta m set notify_every_ms = throttle_interval_ms where m.queue_name = v_queue.queue_name;
end $$;

create or replace function pgmq.disable_notify_insert(queue_name text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(disable_notify_insert.queue_name);
begin
  update pgmq.meta m set notify_every_ms = null where m.queue_name = v_queue.queue_name;
end $$;

create or replace function pgmq.update_notify_insert(queue_name text, throttle_interval_ms integer) returns void
language sql volatile begin atomic select pgmq.enable_notify_insert(queue_name, throttle_interval_ms); end;

create or replace function pgmq.list_notify_insert_throttles()
returns table (queue_name text, throttle_interval_ms integer, last_notified_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(m.shown_name, m.queue_name), m.notify_every_ms, coalesce(m.notified_at, to_timestamp(0)) from pgmq.meta m
  where m.notify_every_ms is not null and (millrace.current_tenant_id() is null or millrace.current_tenant_id() = m.tenant_id)
  order by m.queue_name
$$;
