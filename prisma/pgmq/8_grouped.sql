-- Reading in order within groups: messages are of the group that their header `x-pgmq-group` names, those
-- without one of one group. A message is read only while none before it in its group is invisible.
create or replace function pgmq._read_grouped(queue_name text, vt integer, qty integer, mode text) returns setof pgmq.message_record
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_queue   constant pgmq.meta := pgmq._queue(_read_grouped.queue_name);
  v_setting constant text := pgmq._hush();
  v_groups  text[];
  v_now     timestamptz;
  v_vt      timestamptz;
begin
  -- Groups whose first message is visible, each taken by one reader at a time to the end of its transaction.
  with heads as materialized (
    select distinct on (coalesce(j.metadata -> 'headers' ->> 'x-pgmq-group', ''))
           coalesce(j.metadata -> 'headers' ->> 'x-pgmq-group', '') as name, j.source_ref::bigint as head, j.scheduled_for
    from millrace.jobs j
    where j.is_delayed in (false, true) and j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id
      and j.status = 'queued' and j.pending_dependencies = 0
    order by 1, 2
  ), candidates as materialized (
    select h.name from heads h where h.scheduled_for <= clock_timestamp() order by h.head limit _read_grouped.qty
  )
  select array_agg(c.name) into v_groups from candidates c
  where pg_try_advisory_xact_lock(hashtextextended('millrace:pgmq:' || v_queue.queue_name || ':' || c.name, 0));
  -- Read again with the groups held: another reader may have ended between.
  v_now := clock_timestamp();
  v_vt := v_now + make_interval(secs => _read_grouped.vt);
  return query
    with live as materialized (
      select j.id, j.source_ref::bigint as msg_id, j.scheduled_for <= v_now as is_visible,
             coalesce(j.metadata -> 'headers' ->> 'x-pgmq-group', '') as name
      from millrace.jobs j
      where j.is_delayed in (false, true) and j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id
        and j.status = 'queued' and j.pending_dependencies = 0
        and coalesce(j.metadata -> 'headers' ->> 'x-pgmq-group', '') = any (v_groups)
    ), ranked as (
      select l.*, min(l.msg_id) over (partition by l.name) as head, row_number() over (partition by l.name order by l.msg_id) as place,
             bool_and(l.is_visible) over (partition by l.name order by l.msg_id) as is_next
      from live l
    ), placed as (
      select r.id,
             case _read_grouped.mode when 'fill' then row_number() over (order by r.head, r.place) else row_number() over (order by r.place, r.head) end as turn
      from ranked r where r.is_next and (_read_grouped.mode <> 'head' or r.place = 1)
    ), picked as materialized (
      select p.id, p.turn from placed p join millrace.jobs j on j.id = p.id
      where p.turn <= _read_grouped.qty and j.status = 'queued' and j.scheduled_for <= v_now
      for no key update of j skip locked
    ), had as (
      update millrace.jobs j
      set scheduled_for = v_vt, snooze_count = j.snooze_count + 1, claimed_at = v_now, is_delayed = v_vt > v_now + interval '1 second',
          version = j.version + 1, changed_xid = pg_current_xact_id()
      from picked p
      where j.id = p.id
      returning p.turn, j.source_ref::bigint as msg_id, j.snooze_count, j.queued_at, j.scheduled_for, nullif(j.payload, 'null') as message,
                j.metadata -> 'headers' as headers, j.claimed_at
    )
    select h.msg_id, h.snooze_count, h.queued_at, h.scheduled_for, h.message, h.headers, h.claimed_at from had h order by h.turn;
  perform set_config('millrace.notify', v_setting, true);
end $$;

create or replace function pgmq._poll_grouped(queue_name text, vt integer, qty integer, mode text, max_poll_seconds integer, poll_interval_ms integer)
returns setof pgmq.message_record language plpgsql volatile as $$
declare
  v_stop_at constant timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  while clock_timestamp() < v_stop_at loop
    return query select * from pgmq._read_grouped(queue_name, vt, qty, mode);
    if found then
      return;
    end if;
    perform pg_sleep(poll_interval_ms::numeric / 1000);
  end loop;
end $$;

-- As many messages as there are of the group that waits longest, then of the next.
create or replace function pgmq.read_grouped(queue_name text, vt integer, qty integer) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq._read_grouped(queue_name, vt, qty, 'fill') $$;
create or replace function pgmq.read_grouped_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100
) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq._poll_grouped(queue_name, vt, qty, 'fill', max_poll_seconds, poll_interval_ms) $$;

-- The first message of each group, then the second of each.
create or replace function pgmq.read_grouped_rr(queue_name text, vt integer, qty integer) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq._read_grouped(queue_name, vt, qty, 'turns') $$;
create or replace function pgmq.read_grouped_rr_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100
) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq._poll_grouped(queue_name, vt, qty, 'turns', max_poll_seconds, poll_interval_ms) $$;

-- The first message of each group alone.
create or replace function pgmq.read_grouped_head(queue_name text, vt integer, qty integer) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq._read_grouped(queue_name, vt, qty, 'head') $$;

-- The jobs of a queue have the index that this takes.
create or replace function pgmq.create_fifo_index(queue_name text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pgmq._queue(create_fifo_index.queue_name);
end $$;
create or replace function pgmq.create_fifo_indexes_all() returns void
language sql volatile as $f$ select $f$;
