-- owner: worker
-- Enqueues a job from SQL, in the caller's transaction: docs/sql-api.md. Answers `created` or `existing`. Every refusal names the argument.
create or replace function millrace.enqueue(
  definition_key         text,
  payload                jsonb default '{}',
  tenant                 text default null,
  priority               integer default 100,
  scheduled_for          timestamptz default null,
  dedupe_key             text default null,
  dedupe_window_seconds  integer default null,
  max_attempts           integer default null,
  timeout_seconds        integer default null,
  expires_at             timestamptz default null,
  depends_on             uuid[] default null,
  dependency_policy      text default 'cancel',
  correlation_id         text default null,
  subject_type           text default null,
  subject_id             text default null,
  source_ref             text default null,
  tags                   text[] default null,
  metadata               jsonb default null
)
returns table (job_id uuid, kind text)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  c_epoch      constant timestamptz := '1970-01-01T00:00:00Z';
  c_end        constant timestamptz := '2200-01-01T00:00:00Z';
  v_now        constant timestamptz := clock_timestamp();
  v_worker     constant text := current_user;                       -- the owner
  v_api        constant text := regexp_replace(current_user, '_worker$', '_api');
  -- Who calls: SET ROLE, else the login. (current_user is the function's owner here.)
  v_caller     constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_is_worker  constant boolean := pg_has_role(v_caller, v_worker, 'usage');
  v_own        constant uuid := millrace.current_tenant_id();
  v_max_bytes  constant integer := coalesce(nullif(current_setting('millrace.max_payload_bytes', true), ''), '1048576')::integer;
  v_definition record;
  v_tenant     record;
  v_bytes      integer;
  v_starts_at  timestamptz;
  v_pending    integer := 0;
  v_doom       text;
  v_parents    uuid[];
  v_found      integer;
  v_id         uuid;
begin
  -- It runs as the workers' role, which is believed where it says so: its caller is not.
  if current_setting('millrace.checked', true) = 'by_caller' then
    perform set_config('millrace.checked', '', true);
  end if;
  -- The tenant: by id or slug, or the transaction's own. Where the transaction names one, or works as the API's role, no other.
  if enqueue.tenant is null then
    if v_own is null then
      perform millrace.refuse_argument('tenant', null, 'the slug or id of a tenant, or a transaction with millrace.tenant_id set');
    end if;
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = v_own;
  elsif enqueue.tenant ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.id = enqueue.tenant::uuid;
  else
    select t.id, t.deleted_at into v_tenant from millrace.tenants t where t.slug = enqueue.tenant;
  end if;
  if (v_own is not null or (pg_has_role(v_caller, v_api, 'usage') and not v_is_worker)) and v_tenant.id is distinct from v_own then
    raise exception 'millrace.enqueue: tenant is not the one of this transaction' using errcode = 'insufficient_privilege', column = 'tenant',
      hint = 'The transaction''s tenant is its setting millrace.tenant_id; leave the argument away.';
  end if;
  if v_tenant.id is null or v_tenant.deleted_at is not null then
    raise exception 'millrace.enqueue: there is no tenant %, or it has been deleted',
      quote_literal(left(coalesce(enqueue.tenant, v_own::text), 80)) using errcode = 'undefined_object', column = 'tenant';
  end if;

  select d.id, d.is_active, d.max_attempts, d.enqueue_role, coalesce((d.declared ->> 'isSinglePerSubject')::boolean, false) as is_single into v_definition
  from millrace.job_definitions d where d.key = enqueue.definition_key;
  if v_definition.id is null then
    raise exception 'millrace.enqueue: there is no job definition %', coalesce(quote_literal(left(enqueue.definition_key, 100)), 'null')
      using errcode = 'undefined_object', column = 'definition_key';
  end if;
  if not v_definition.is_active then
    raise exception 'millrace.enqueue: job definition % is not active', enqueue.definition_key
      using errcode = 'object_not_in_prerequisite_state', column = 'definition_key';
  end if;
  if v_definition.enqueue_role = 'system' and not v_is_worker then
    raise exception 'millrace.enqueue: only Millrace itself enqueues %', enqueue.definition_key
      using errcode = 'insufficient_privilege', column = 'definition_key';
  end if;

  if enqueue.payload is null then
    perform millrace.refuse_argument('payload', null, 'JSON; {} by default');
  end if;
  v_bytes := octet_length(enqueue.payload::text);
  if v_bytes > v_max_bytes then
    raise exception 'millrace.enqueue: payload is % bytes of JSON; allowed: at most %', v_bytes, v_max_bytes
      using errcode = 'program_limit_exceeded', column = 'payload';
  end if;
  if enqueue.payload::text ~ '[0-9]{16}' then
    perform millrace.refuse_inexact_numbers(enqueue.payload);
  end if;
  if enqueue.priority is null or enqueue.priority not between 0 and 1000000 then
    perform millrace.refuse_argument('priority', enqueue.priority::text, '0 to 1000000');
  end if;
  if enqueue.max_attempts not between 1 and 1000 then
    perform millrace.refuse_argument('max_attempts', enqueue.max_attempts::text, '1 to 1000');
  end if;
  if enqueue.timeout_seconds not between 1 and 604800 then
    perform millrace.refuse_argument('timeout_seconds', enqueue.timeout_seconds::text, '1 to 604800');
  end if;
  if enqueue.scheduled_for < c_epoch or enqueue.scheduled_for >= c_end then
    perform millrace.refuse_argument('scheduled_for', enqueue.scheduled_for::text, 'a time from 1970 to before 2200');
  end if;
  v_starts_at := greatest(enqueue.scheduled_for, v_now);
  if enqueue.expires_at <= v_starts_at or enqueue.expires_at >= c_end then
    perform millrace.refuse_argument('expires_at', enqueue.expires_at::text, 'a time after now and after scheduled_for, before 2200');
  end if;
  if length(enqueue.dedupe_key) not between 1 and 1024 or octet_length(enqueue.dedupe_key) > 2600 then
    perform millrace.refuse_argument('dedupe_key', enqueue.dedupe_key, '1 to 1024 characters, at most 2600 bytes');
  end if;
  if starts_with(enqueue.dedupe_key, 'millrace:') and not v_is_worker then
    perform millrace.refuse_argument('dedupe_key', enqueue.dedupe_key, 'a key that does not begin with "millrace:"');
  end if;
  if enqueue.dedupe_window_seconds not between 1 and 31536000
     or (enqueue.dedupe_window_seconds is not null and enqueue.dedupe_key is null) then
    perform millrace.refuse_argument('dedupe_window_seconds', enqueue.dedupe_window_seconds::text, '1 to 31536000, and only with a dedupe_key');
  end if;
  if length(enqueue.correlation_id) not between 1 and 255 then
    perform millrace.refuse_argument('correlation_id', enqueue.correlation_id, '1 to 255 characters');
  end if;
  if length(enqueue.subject_type) not between 1 and 100 or (enqueue.subject_type is null and enqueue.subject_id is not null) then
    perform millrace.refuse_argument('subject_type', enqueue.subject_type, '1 to 100 characters, together with subject_id');
  end if;
  if length(enqueue.subject_id) not between 1 and 255 or (enqueue.subject_id is null and enqueue.subject_type is not null) then
    perform millrace.refuse_argument('subject_id', enqueue.subject_id, '1 to 255 characters, together with subject_type');
  end if;
  if length(enqueue.source_ref) not between 1 and 1024 then
    perform millrace.refuse_argument('source_ref', enqueue.source_ref, '1 to 1024 characters');
  end if;
  if millrace.bad_job_label(enqueue.tags, null) is not null then
    perform millrace.refuse_argument('tags', enqueue.tags::text, 'at most 20, each of 1 to 64 characters');
  end if;
  if millrace.bad_job_label(null, enqueue.metadata) is not null or octet_length(enqueue.metadata::text) > 4096 then
    perform millrace.refuse_argument('metadata', enqueue.metadata::text, 'an object of at most 4096 bytes of JSON');
  end if;
  if enqueue.dependency_policy is null or enqueue.dependency_policy not in ('cancel', 'skip', 'run') then
    perform millrace.refuse_argument('dependency_policy', enqueue.dependency_policy, 'cancel, skip or run');
  end if;

  -- Parents before the new row, the order in which everybody locks; read as they are once they are held.
  if cardinality(enqueue.depends_on) > 0 then
    v_parents := array(select distinct unnest(enqueue.depends_on));
    if cardinality(v_parents) > 100 or array_position(v_parents, null) is not null then
      perform millrace.refuse_argument('depends_on', cardinality(v_parents) || ' jobs', 'at most 100 ids of jobs');
    end if;
    with held as materialized (
      select j.status, j.reason from millrace.jobs j
      where j.tenant_id = v_tenant.id and j.id = any (v_parents)
      order by j.id
      for share
    )
    select count(*), count(*) filter (where h.status in ('queued', 'running')),
           case when enqueue.dependency_policy <> 'run' and bool_or(millrace.ended_badly(h.status, h.reason))
                then case enqueue.dependency_policy when 'cancel' then 'parent_failed' else 'skipped' end end
    into v_found, v_pending, v_doom
    from held h;
    if v_found < cardinality(v_parents) then
      perform millrace.refuse_argument('depends_on', enqueue.depends_on::text, 'ids of jobs of the same tenant');
    end if;
  end if;

  -- The key that the trigger jobs_single_subject gives it, so that the one that is active is found.
  if v_definition.is_single and enqueue.subject_id is not null then
    enqueue.dedupe_key := 'millrace:' || enqueue.definition_key || ':' || enqueue.subject_id;
  end if;
  for v_round in 1..5 loop
    if enqueue.dedupe_key is not null then
      select j.id into v_id from millrace.jobs j
      where j.tenant_id = v_tenant.id and j.dedupe_key = enqueue.dedupe_key and j.status in ('queued', 'running');
      if v_id is null and enqueue.dedupe_window_seconds is not null then
        select r.id into v_id
        from (select j.id, j.queued_at from millrace.jobs j
              where j.tenant_id = v_tenant.id and j.dedupe_key = enqueue.dedupe_key
              order by j.id desc limit 1) r
        where r.queued_at > clock_timestamp() - enqueue.dedupe_window_seconds * interval '1 second';
      end if;
      if v_id is not null then
        job_id := v_id; kind := 'existing';
        return next;
        return;
      end if;
    end if;

    insert into millrace.jobs
      (id, tenant_id, definition_id, source, source_ref, priority, payload, dedupe_key, correlation_id, subject_type, subject_id,
       requested_for, scheduled_for, queued_at, expires_at, timeout_seconds, max_attempts, created_by, pending_dependencies,
       cancel_requested_at, reason, tags, metadata)
    values
      (uuidv7(), v_tenant.id, v_definition.id, 'manual', enqueue.source_ref, enqueue.priority, enqueue.payload, enqueue.dedupe_key,
       enqueue.correlation_id, enqueue.subject_type, enqueue.subject_id,
       case when enqueue.scheduled_for < v_now then enqueue.scheduled_for end, v_starts_at, v_now, enqueue.expires_at,
       enqueue.timeout_seconds, coalesce(enqueue.max_attempts, v_definition.max_attempts), 'sql:' || session_user,
       case when v_doom is null then v_pending else 0 end, case when v_doom is not null then v_now end, v_doom,
       (select array_agg(t.tag order by t.position)
        from (select u.tag, min(u.position) as position from unnest(enqueue.tags) with ordinality as u (tag, position) group by u.tag) t),
       nullif(enqueue.metadata, '{}'))
    on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
    returning id into v_id;
    if v_id is not null then
      insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id, policy)
      select v_id, p.id, v_tenant.id, enqueue.dependency_policy from unnest(v_parents) as p (id);
      job_id := v_id; kind := 'created';
      return next;
      return;
    end if;
    -- A rival has committed meanwhile; the next round, a new statement, sees it, or sees that it has ended.
  end loop;
  raise exception 'millrace.enqueue: dedupe_key % is busy; try again', quote_literal(left(enqueue.dedupe_key, 80))
    using errcode = 'lock_not_available', column = 'dedupe_key';
end $$;

revoke all on function millrace.enqueue from public;
grant execute on function millrace.enqueue to :"api";
