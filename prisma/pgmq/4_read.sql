-- Reading: a message that is read is invisible until its time. It stays a queued job, for later; no lease
-- ends it, however often it is read.
create or replace function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}') returns setof pgmq.message_record
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(read.queue_name);
  v_now   constant timestamptz := clock_timestamp();
  v_vt    constant timestamptz := v_now + make_interval(secs => read.vt);
  v_setting  constant text := pgmq._hush();
begin
  -- Those whose time has come become ready ones, of which the index knows the order.
  update millrace.jobs j set is_delayed = false
  where j.id = any (array(
    select d.id from millrace.jobs d
    where d.is_delayed and d.tenant_id = v_queue.tenant_id and d.definition_id = v_queue.definition_id
      and d.status = 'queued' and d.pending_dependencies = 0 and d.scheduled_for <= v_now
    order by d.priority, d.scheduled_for, d.id
    limit read.qty
    for no key update skip locked));
  return query
    with picked as materialized (
      select j.id from millrace.jobs j
      where not j.is_delayed and j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id
        and j.status = 'queued' and j.pending_dependencies = 0 and j.scheduled_for <= v_now
        and (read.conditional = '{}' or j.payload @> read.conditional)
      order by j.priority, j.scheduled_for, j.id
      limit read.qty
      for no key update skip locked
    ), had as (
      update millrace.jobs j
      set scheduled_for = v_vt, snooze_count = j.snooze_count + 1, claimed_at = v_now, is_delayed = v_vt > v_now + interval '1 second',
          version = j.version + 1, changed_xid = pg_current_xact_id()
      where j.id = any (array(select p.id from picked p))
      returning j.source_ref::bigint as msg_id, j.snooze_count, j.queued_at, j.scheduled_for, nullif(j.payload, 'null') as message,
                j.metadata -> 'headers' as headers, j.claimed_at
    )
    select h.msg_id, h.snooze_count, h.queued_at, h.scheduled_for, h.message, h.headers, h.claimed_at from had h order by h.msg_id;
  perform set_config('millrace.notify', v_setting, true);
end $$;

create or replace function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100, conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql volatile as $$
declare
  v_stop_at constant timestamptz := clock_timestamp() + make_interval(secs => read_with_poll.max_poll_seconds);
begin
  while clock_timestamp() < v_stop_at loop
    return query select * from pgmq.read(read_with_poll.queue_name, read_with_poll.vt, read_with_poll.qty, read_with_poll.conditional);
    if found then
      return;
    end if;
    perform pg_sleep(read_with_poll.poll_interval_ms::numeric / 1000);
  end loop;
end $$;

create or replace function pgmq.pop(queue_name text, qty integer) returns setof pgmq.message_record
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(pop.queue_name);
  v_setting  constant text := pgmq._hush();
begin
  return query
    with popped as (
      delete from millrace.jobs j
      where j.id = any (array(
        select d.id from millrace.jobs d
        where d.is_delayed in (false, true) and d.tenant_id = v_queue.tenant_id and d.definition_id = v_queue.definition_id
          and d.status = 'queued' and d.pending_dependencies = 0 and d.scheduled_for <= clock_timestamp()
        order by d.priority, d.scheduled_for, d.id
        limit pop.qty
        for update skip locked))
      returning j.source_ref::bigint as msg_id, j.snooze_count, j.queued_at, j.scheduled_for, nullif(j.payload, 'null') as message,
                j.metadata -> 'headers' as headers, j.claimed_at
    )
    select p.msg_id, p.snooze_count, p.queued_at, p.scheduled_for, p.message, p.headers, p.claimed_at from popped p;
  perform set_config('millrace.notify', v_setting, true);
end $$;

create or replace function pgmq.pop(queue_name text) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq.pop(queue_name, 1) $$;

create or replace function pgmq.set_vt(queue_name text, msg_ids bigint[], vt timestamptz) returns setof pgmq.message_record
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(set_vt.queue_name);
begin
  return query
    update millrace.jobs j
    set scheduled_for = set_vt.vt, is_delayed = set_vt.vt > clock_timestamp() + interval '1 second', version = j.version + 1,
        changed_xid = pg_current_xact_id()
    where j.tenant_id = v_queue.tenant_id and j.status = 'queued'
      and j.dedupe_key = any (array(select pgmq._key(v_queue.queue_name, m.id) from unnest(set_vt.msg_ids) m (id)))
    returning j.source_ref::bigint, j.snooze_count, j.queued_at, j.scheduled_for, nullif(j.payload, 'null'), j.metadata -> 'headers', j.claimed_at;
end $$;

create or replace function pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq.set_vt(queue_name, msg_ids, clock_timestamp() + make_interval(secs => vt)) $$;
create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt timestamptz) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq.set_vt(queue_name, array[msg_id], vt) $$;
create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language sql volatile as $$ select * from pgmq.set_vt(queue_name, array[msg_id], clock_timestamp() + make_interval(secs => vt)) $$;
-- For drivers that send parameters without types, as for `send`.
create or replace function pgmq.set_vt(queue_name text, msg_id text, vt text) returns setof pgmq.message_record
language sql volatile as $$
  select * from pgmq.set_vt(
    queue_name, case when msg_id ~ '^\s*\{' then msg_id::bigint[] else array[msg_id::bigint] end, pgmq._time_of(vt))
$$;
