-- Topics: what is sent by a routing key goes to every queue whose pattern matches it; `*` is one part between
-- dots, `#` any number of characters.
create table if not exists pgmq.topic_bindings (
  pattern        text not null,
  queue_name     varchar not null references pgmq.meta (queue_name) on delete cascade,
  bound_at       timestamptz not null default now(),
  compiled_regex text not null,
  primary key (pattern, queue_name)
);

create or replace function pgmq.validate_routing_key(routing_key text) returns boolean
language plpgsql immutable as $$
begin
  if coalesce(length(routing_key), 0) not between 1 and 255 or routing_key !~ '^[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*$' then
    raise exception 'routing_key is %; allowed: 1 to 255 letters, digits, "-" and "_", in parts between dots', quote_nullable(routing_key)
      using errcode = 'invalid_parameter_value', column = 'routing_key';
  end if;
  return true;
end $$;

create or replace function pgmq.validate_topic_pattern(pattern text) returns boolean
language plpgsql immutable as $$
begin
  if coalesce(length(pattern), 0) not between 1 and 255 or pattern !~ '^[a-zA-Z0-9_*#-]+(\.[a-zA-Z0-9_*#-]+)*$' or pattern ~ '[*#][*#]' then
    raise exception 'pattern is %; allowed: 1 to 255 letters, digits, "-", "_" and the wildcards "*" and "#", no two of them side by side, in parts between dots',
      quote_nullable(pattern) using errcode = 'invalid_parameter_value', column = 'pattern';
  end if;
  return true;
end $$;

create or replace function pgmq.bind_topic(pattern text, queue_name text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(bind_topic.queue_name);
begin
  perform pgmq.validate_topic_pattern(bind_topic.pattern);
  insert into pgmq.topic_bindings (pattern, queue_name, compiled_regex)
  values (bind_topic.pattern, v_queue.queue_name,
          '^' || replace(replace(replace(bind_topic.pattern, '.', '\.'), '*', '[^.]+'), '#', '.*') || '$')
  on conflict do nothing;
end $$;

create or replace function pgmq.unbind_topic(pattern text, queue_name text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(unbind_topic.queue_name);
begin
  delete from pgmq.topic_bindings b where b.pattern = unbind_topic.pattern and b.queue_name = v_queue.queue_name;
  return found;
end $$;

-- Bindings of the queues of one tenant: the transaction's, or the one whose queues are made where none is
-- named.
create or replace function pgmq.list_topic_bindings()
returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caller constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_api    constant text := regexp_replace(current_user, '_worker$', '_api');
begin
  return query
    select b.pattern, coalesce(m.shown_name, m.queue_name)::text, b.bound_at, b.compiled_regex
    from pgmq.topic_bindings b join pgmq.meta m on m.queue_name = b.queue_name
    where m.tenant_id = coalesce(millrace.current_tenant_id(), (select s.tenant_id from pgmq.settings s where v_caller <> v_api))
    order by b.pattern, b.queue_name;
end $$;

create or replace function pgmq.list_topic_bindings(queue_name text)
returns table (pattern text, queue_name text, bound_at timestamptz, compiled_regex text)
language sql stable as $$ select b.* from pgmq.list_topic_bindings() b where lower(b.queue_name) = lower($1) $$;

create or replace function pgmq.test_routing(routing_key text)
returns table (pattern text, queue_name text, compiled_regex text)
language sql stable as $$
  select b.pattern, b.queue_name, b.compiled_regex from pgmq.list_topic_bindings() b
  where pgmq.validate_routing_key(routing_key) and routing_key ~ b.compiled_regex
$$;

-- @returns how many queues it went to
create or replace function pgmq.send_topic(routing_key text, msg jsonb, headers jsonb, delay integer) returns integer
language plpgsql volatile as $$
declare
  v_count integer;
begin
  perform pgmq.validate_routing_key(routing_key);
  if msg is null or delay < 0 then
    raise exception '%', case when msg is null then 'msg is null' else 'delay is ' || delay || '; allowed: 0 seconds or more' end
      using errcode = 'invalid_parameter_value', column = case when msg is null then 'msg' else 'delay' end;
  end if;
  select count(*) into v_count
  from (select distinct r.queue_name from pgmq.test_routing(routing_key) r) q cross join lateral pgmq.send(q.queue_name, msg, headers, delay);
  return v_count;
end $$;
create or replace function pgmq.send_topic(routing_key text, msg jsonb) returns integer
language sql volatile as $$ select pgmq.send_topic(routing_key, msg, null::jsonb, 0) $$;
create or replace function pgmq.send_topic(routing_key text, msg jsonb, headers jsonb) returns integer
language sql volatile as $$ select pgmq.send_topic(routing_key, msg, headers, 0) $$;
create or replace function pgmq.send_topic(routing_key text, msg jsonb, delay integer) returns integer
language sql volatile as $$ select pgmq.send_topic(routing_key, msg, null::jsonb, delay) $$;

create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns table (queue_name text, msg_id bigint)
language plpgsql volatile as $$
begin
  perform pgmq.validate_routing_key(routing_key);
  return query
    select q.queue_name, s.id
    from (select distinct r.queue_name from pgmq.test_routing(routing_key) r order by 1) q
    cross join lateral pgmq.send_batch(q.queue_name, msgs, send_batch_topic.headers, delay) s (id);
end $$;
create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[]) returns table (queue_name text, msg_id bigint)
language sql volatile as $$ select * from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp()) $$;
create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[]) returns table (queue_name text, msg_id bigint)
language sql volatile as $$ select * from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp()) $$;
create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay integer) returns table (queue_name text, msg_id bigint)
language sql volatile as $$ select * from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], clock_timestamp() + make_interval(secs => delay)) $$;
create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay timestamptz) returns table (queue_name text, msg_id bigint)
language sql volatile as $$ select * from pgmq.send_batch_topic(routing_key, msgs, null::jsonb[], delay) $$;
create or replace function pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay integer) returns table (queue_name text, msg_id bigint)
language sql volatile as $$ select * from pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;
