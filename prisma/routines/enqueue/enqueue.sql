-- owner: worker
-- Enqueues a job from SQL, in the caller's transaction: docs/sql-api.md. Answers `created` or `existing`.
-- Every refusal names the argument.
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
  v_now        constant timestamptz := clock_timestamp();
  -- Who calls: SET ROLE, else the login. (current_user is the function's owner here.)
  v_is_worker  constant boolean := pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user), current_user, 'usage');
  v_tenant_id  uuid;
  v_definition record;
  v_parents    uuid[];
  v_held       record;
  v_pending    integer := 0;
  v_doom       text;
  v_id         uuid;
begin
  -- It runs as the workers' role, which is believed where it says so: its caller is not.
  if current_setting('millrace.checked', true) = 'by_caller' then
    perform set_config('millrace.checked', '', true);
  end if;
  v_tenant_id := millrace.named_tenant('enqueue', enqueue.tenant);

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
  perform millrace.check_enqueue(
    v_now, v_is_worker, enqueue.payload, enqueue.priority, enqueue.scheduled_for, enqueue.dedupe_key, enqueue.dedupe_window_seconds,
    enqueue.max_attempts, enqueue.timeout_seconds, enqueue.expires_at, enqueue.dependency_policy, enqueue.correlation_id, enqueue.subject_type,
    enqueue.subject_id, enqueue.source_ref, enqueue.tags, enqueue.metadata);

  -- Parents before the new row, the order in which everybody locks.
  if cardinality(enqueue.depends_on) > 0 then
    v_parents := array(select distinct unnest(enqueue.depends_on));
    v_held := millrace.hold_parents(v_tenant_id, v_parents, enqueue.dependency_policy);
    v_pending := v_held.pending;
    v_doom := v_held.doom;
  end if;

  -- The key that the trigger jobs_single_subject gives it, so that the one that is active is found.
  if v_definition.is_single and enqueue.subject_id is not null then
    enqueue.dedupe_key := 'millrace:' || enqueue.definition_key || ':' || enqueue.subject_id;
  end if;
  for v_round in 1..5 loop
    if enqueue.dedupe_key is not null then
      v_id := millrace.active_duplicate(v_tenant_id, enqueue.dedupe_key, enqueue.dedupe_window_seconds);
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
      (uuidv7(), v_tenant_id, v_definition.id, 'manual', enqueue.source_ref, enqueue.priority, enqueue.payload, enqueue.dedupe_key,
       enqueue.correlation_id, enqueue.subject_type, enqueue.subject_id,
       case when enqueue.scheduled_for < v_now then enqueue.scheduled_for end, greatest(enqueue.scheduled_for, v_now), v_now, enqueue.expires_at,
       enqueue.timeout_seconds, coalesce(enqueue.max_attempts, v_definition.max_attempts), 'sql:' || session_user,
       case when v_doom is null then v_pending else 0 end, case when v_doom is not null then v_now end, v_doom,
       (select array_agg(t.tag order by t.position)
        from (select u.tag, min(u.position) as position from unnest(enqueue.tags) with ordinality as u (tag, position) group by u.tag) t),
       nullif(enqueue.metadata, '{}'))
    on conflict (tenant_id, dedupe_key) where dedupe_key is not null and status in ('queued', 'running') do nothing
    returning id into v_id;
    if v_id is not null then
      insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id, policy)
      select v_id, p.id, v_tenant_id, enqueue.dependency_policy from unnest(v_parents) as p (id);
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
