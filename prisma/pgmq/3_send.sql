-- Sending. Workers that run the queue's messages as jobs wake by the commit, and so do listeners of a queue
-- that notifies. What a job may be is checked already: its tenant and definition by what `pgmq.meta`
-- references, its values by being made here (`millrace.checked`).
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz) returns setof bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue   constant pgmq.meta := pgmq._queue(send_batch.queue_name);
  v_now     constant timestamptz := clock_timestamp();
  v_checked constant text := coalesce(current_setting('millrace.checked', true), '');
  v_notify  constant text := coalesce(current_setting('millrace.notify', true), '');
  v_ids     bigint[];
begin
  if exists (select from unnest(send_batch.headers) h (header) where octet_length(h.header::text) > 4000) then
    raise exception 'pgmq.send: headers take 4000 bytes of JSON' using errcode = 'program_limit_exceeded', column = 'headers';
  end if;
  perform set_config('millrace.checked', 'by_caller', true),
          set_config('millrace.notify', case when pgmq._is_served(v_queue.definition_id) then v_notify else 'after_commit' end, true);
  v_ids := array(select nextval(v_queue.sequence) from generate_series(1, cardinality(send_batch.msgs)));
  insert into millrace.jobs (id, tenant_id, definition_id, source, source_ref, payload, dedupe_key, metadata, scheduled_for, queued_at, created_by)
  select uuidv7(), v_queue.tenant_id, v_queue.definition_id, 'manual', m.msg_id::text, coalesce(m.msg, 'null'),
         pgmq._key(v_queue.queue_name, m.msg_id),
         case when m.header is not null then jsonb_build_object('headers', m.header) end,
         coalesce(send_batch.delay, v_now), v_now, 'sql:' || session_user
  from unnest(v_ids, send_batch.msgs, send_batch.headers) with ordinality m (msg_id, msg, header, position)
  where m.position <= cardinality(v_ids)
  order by m.position;
  perform set_config('millrace.checked', v_checked, true), set_config('millrace.notify', v_notify, true);
  if v_queue.notify_every_ms is not null then
    perform pgmq._notify(v_queue);
  end if;
  return query select unnest(v_ids);
end $$;

create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue   record;
  v_now     constant timestamptz := clock_timestamp();
  v_checked constant text := coalesce(current_setting('millrace.checked', true), '');
  v_notify  constant text := coalesce(current_setting('millrace.notify', true), '');
  -- Assigned and not performed: an expression is a tenth of a statement.
  v_set     text := set_config('millrace.checked', 'by_caller', true);
  v_id      bigint;
begin
  if octet_length(send.headers::text) > 4000 then
    raise exception 'pgmq.send: headers take 4000 bytes of JSON' using errcode = 'program_limit_exceeded', column = 'headers';
  end if;
  select q.*, pgmq._is_served(q.definition_id) as is_served into v_queue from pgmq._queue(send.queue_name) q;
  if not v_queue.is_served then
    v_set := set_config('millrace.notify', 'after_commit', true);
  end if;
  v_id := nextval(v_queue.sequence);
  insert into millrace.jobs (id, tenant_id, definition_id, source, source_ref, payload, dedupe_key, metadata, scheduled_for, queued_at, created_by)
  values (uuidv7(), v_queue.tenant_id, v_queue.definition_id, 'manual', v_id::text, coalesce(send.msg, 'null'),
          pgmq._key(v_queue.queue_name, v_id), case when send.headers is not null then jsonb_build_object('headers', send.headers) end,
          coalesce(send.delay, v_now), v_now, 'sql:' || session_user);
  v_set := set_config('millrace.checked', v_checked, true);
  v_set := set_config('millrace.notify', v_notify, true);
  if v_queue.notify_every_ms is not null then
    perform pgmq._notify(pgmq._queue(send.queue_name));
  end if;
  return next v_id;
end $$;

-- The most frequent one, not by way of the other: a call of it would be a tenth of a send.
create or replace function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue   record;
  v_now     constant timestamptz := clock_timestamp();
  v_checked constant text := coalesce(current_setting('millrace.checked', true), '');
  v_notify  constant text := coalesce(current_setting('millrace.notify', true), '');
  v_set     text := set_config('millrace.checked', 'by_caller', true);
  v_id      bigint;
begin
  select q.*, pgmq._is_served(q.definition_id) as is_served into v_queue from pgmq._queue(send.queue_name) q;
  if not v_queue.is_served then
    v_set := set_config('millrace.notify', 'after_commit', true);
  end if;
  v_id := nextval(v_queue.sequence);
  insert into millrace.jobs (id, tenant_id, definition_id, source, source_ref, payload, dedupe_key, scheduled_for, queued_at, created_by)
  values (uuidv7(), v_queue.tenant_id, v_queue.definition_id, 'manual', v_id::text, coalesce(send.msg, 'null'),
          pgmq._key(v_queue.queue_name, v_id),
          v_now, v_now, 'sql:' || session_user);
  v_set := set_config('millrace.checked', v_checked, true);
  v_set := set_config('millrace.notify', v_notify, true);
  if v_queue.notify_every_ms is not null then
    perform pgmq._notify(pgmq._queue(send.queue_name));
  end if;
  return next v_id;
end $$;

create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language sql volatile as $$ select * from pgmq.send(queue_name, msg, headers, clock_timestamp()) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
language sql volatile as $$ select * from pgmq.send(queue_name, msg, null::jsonb, clock_timestamp() + make_interval(secs => delay)) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language sql volatile as $$ select * from pgmq.send(queue_name, msg, null::jsonb, delay) $$;
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
language sql volatile as $$ select * from pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay)) $$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], clock_timestamp()) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], clock_timestamp() + make_interval(secs => delay)) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], delay) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;

-- For drivers that send parameters without types: text is what Postgres then prefers, where the others would
-- be ambiguous. A number is seconds, an object headers, all else a time.
create or replace function pgmq._time_of(delay text) returns timestamptz
language sql volatile as $$
  select case when delay is null then clock_timestamp()
              when delay ~ '^\s*[+-]?[0-9]+\s*$' then clock_timestamp() + make_interval(secs => delay::integer)
              else delay::timestamptz end
$$;
create or replace function pgmq.send(queue_name text, msg jsonb, delay text) returns setof bigint
language sql volatile as $$
  select s.* from pgmq.send(
    queue_name, msg, case when delay ~ '^\s*\{' then delay::jsonb end,
    case when delay ~ '^\s*\{' then clock_timestamp() else pgmq._time_of(delay) end) s
$$;
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay text) returns setof bigint
language sql volatile as $$ select * from pgmq.send(queue_name, msg, headers, pgmq._time_of(delay)) $$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay text) returns setof bigint
language sql volatile as $$
  select s.* from pgmq.send_batch(
    queue_name, msgs, case when delay ~ '^\s*\{' then delay::jsonb[] end,
    case when delay ~ '^\s*\{' then clock_timestamp() else pgmq._time_of(delay) end) s
$$;
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay text) returns setof bigint
language sql volatile as $$ select * from pgmq.send_batch(queue_name, msgs, headers, pgmq._time_of(delay)) $$;
