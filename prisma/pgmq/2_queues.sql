-- Making, listing and dropping queues.
create or replace function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql immutable as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or ''' using errcode = 'invalid_parameter_value';
  end if;
  if length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters' using errcode = 'invalid_parameter_value';
  end if;
end $$;

-- What a queue's view is called.
create or replace function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql immutable as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or ''' using errcode = 'invalid_parameter_value';
  end if;
  return lower(prefix || '_' || queue_name);
end $$;

-- Held to the end of the transaction: a queue is made or dropped by one at a time.
create or replace function pgmq.acquire_queue_lock(queue_name text) returns void
language sql volatile as $$ select pg_advisory_xact_lock(hashtext('pgmq.queue_' || lower(queue_name))) $$;

-- The views of a queue's messages: those that wait or were read, and the archived ones.
create or replace function pgmq._create_views(queue_name text, tenant_id uuid, definition_id uuid) returns void
language plpgsql volatile as $$
begin
  execute format(
    'create or replace view pgmq.%I as
     select j.source_ref::bigint as msg_id, j.snooze_count as read_ct, j.queued_at as enqueued_at, j.scheduled_for as vt,
            nullif(j.payload, ''null'') as message, j.metadata -> ''headers'' as headers, j.id as job_id, j.claimed_at as last_read_at
     from millrace.jobs j
     where j.tenant_id = %L and j.definition_id = %L and j.status in (''queued'', ''running'')
       and starts_with(j.dedupe_key, %L)
       and (millrace.current_tenant_id() is null or millrace.current_tenant_id() = j.tenant_id)',
    'q_' || queue_name, tenant_id, definition_id, 'millrace:pgmq:' || queue_name || ':');
  execute format(
    'create or replace view pgmq.%I as
     select j.source_ref::bigint as msg_id, j.snooze_count as read_ct, j.queued_at as enqueued_at, j.finished_at as archived_at,
            j.scheduled_for as vt, nullif(j.payload, ''null'') as message, j.metadata -> ''headers'' as headers, j.id as job_id,
            case when j.snooze_count > 0 then j.claimed_at end as last_read_at
     from millrace.jobs j
     where j.tenant_id = %L and j.definition_id = %L and j.status = ''succeeded''
       and starts_with(j.dedupe_key, %L)
       and (millrace.current_tenant_id() is null or millrace.current_tenant_id() = j.tenant_id)',
    'a_' || queue_name, tenant_id, definition_id, 'millrace:pgmq:' || queue_name || ':');
end $$;

create or replace function pgmq._create(queue_name text, is_unlogged boolean, is_partitioned boolean) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_name       constant text := lower(_create.queue_name);
  v_caller     constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_api        constant text := regexp_replace(current_user, '_worker$', '_api');
  v_own        constant uuid := millrace.current_tenant_id();
  v_key        constant text := 'pgmq.' || case when v_name ~ '^[a-z0-9_.-]+$' then v_name else 'q' || md5(v_name) end;
  v_tenant     uuid := v_own;
  v_owner      uuid;
  v_definition uuid;
  v_sequence   constant text := 'q_' || v_name || '_msg_id_seq';
begin
  perform pgmq.validate_queue_name(v_name);
  perform pgmq.acquire_queue_lock(v_name);
  if v_tenant is null and v_caller <> v_api then
    select s.tenant_id into v_tenant from pgmq.settings s;
  end if;
  if v_tenant is null then
    raise exception 'pgmq.create: whose queue is it?' using errcode = 'insufficient_privilege',
      hint = 'Set millrace.tenant_id for the transaction, or name a tenant once: millrace migrate --pgmq --pgmq-tenant <slug>.';
  end if;
  select m.tenant_id into v_owner from pgmq.meta m where m.queue_name = v_name;
  if v_owner = v_tenant then
    return;
  elsif v_owner is not null then
    raise exception 'pgmq.create: the name % is taken', quote_literal(v_name) using errcode = 'unique_violation';
  end if;
  insert into millrace.job_definitions (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds)
  values (v_key, 'Messages of the queue ' || v_name || ' (pgmq).', '{}', 3600, 3, 30)
  on conflict (key) do update set is_active = true, archived_at = null, updated_at = now()
  returning id into v_definition;
  execute format('create sequence pgmq.%I', v_sequence);
  insert into pgmq.meta (queue_name, shown_name, is_unlogged, is_partitioned, tenant_id, definition_id, sequence)
  values (v_name, _create.queue_name, _create.is_unlogged, _create.is_partitioned, v_tenant, v_definition, format('pgmq.%I', v_sequence)::regclass);
  perform pgmq._create_views(v_name, v_tenant, v_definition);
end $$;

create or replace function pgmq.create_non_partitioned(queue_name text) returns void
language sql volatile begin atomic select pgmq._create(queue_name, false, false); end;

create or replace function pgmq."create"(queue_name text) returns void
language sql volatile begin atomic select pgmq.create_non_partitioned(queue_name); end;

-- Jobs are durable: an unlogged queue is made as any other, and listed as it was asked for.
create or replace function pgmq.create_unlogged(queue_name text) returns void
language sql volatile begin atomic select pgmq._create(queue_name, true, false); end;

drop function if exists pgmq._create(text, boolean);

-- Queues of before, whose views lack a column.
do $$ begin
  perform pgmq._create_views(m.queue_name, m.tenant_id, m.definition_id) from pgmq.meta m;
end $$;

create or replace function pgmq.list_queues() returns setof pgmq.queue_record
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(m.shown_name, m.queue_name), m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m
  where millrace.current_tenant_id() is null or millrace.current_tenant_id() = m.tenant_id
  order by m.created_at, m.queue_name
$$;

create or replace function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(purge_queue.queue_name);
  v_count bigint;
begin
  delete from millrace.jobs j
  where j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id and j.status = 'queued';
  get diagnostics v_count = row_count;
  return v_count;
end $$;

create or replace function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_name  constant text := lower(drop_queue.queue_name);
  v_queue pgmq.meta;
begin
  perform pgmq.acquire_queue_lock(v_name);
  begin
    v_queue := pgmq._queue(v_name);
  exception when undefined_table then
    raise notice 'pgmq queue `%` does not exist', v_name;
    return false;
  end;
  delete from millrace.jobs j where j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id;
  update millrace.job_definitions d set is_active = false, archived_at = now(), updated_at = now() where d.id = v_queue.definition_id;
  delete from pgmq.meta m where m.queue_name = v_name;
  execute format('drop view pgmq.%I', 'q_' || v_name);
  execute format('drop view pgmq.%I', 'a_' || v_name);
  execute format('drop sequence %s', v_queue.sequence);
  return true;
end $$;

create or replace function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language plpgsql volatile as $$
begin
  raise warning 'drop_queue(queue_name, partitioned) is deprecated. Use drop_queue(queue_name) instead';
  perform pgmq.drop_queue(drop_queue.queue_name);
  return true;
end $$;
