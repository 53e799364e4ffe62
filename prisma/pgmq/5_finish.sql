-- Deleting and archiving. An archived message is a job that has succeeded, and is kept as long as those are.
create or replace function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue constant pgmq.meta := pgmq._queue("delete".queue_name);
  v_setting  constant text := pgmq._hush();
begin
  return query
    delete from millrace.jobs j
    where j.tenant_id = v_queue.tenant_id and j.status = 'queued'
      and j.dedupe_key = any (array(select pgmq._key(v_queue.queue_name, m.id) from unnest("delete".msg_ids) m (id)))
    returning j.source_ref::bigint;
  perform set_config('millrace.notify', v_setting, true);
end $$;

create or replace function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language sql volatile as $$ select exists (select from pgmq.delete(queue_name, array[msg_id])) $$;

create or replace function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue constant pgmq.meta := pgmq._queue(archive.queue_name);
  v_setting  constant text := pgmq._hush();
  v_now   constant timestamptz := clock_timestamp();
  v_jobs  uuid[];
begin
  -- A job runs before it succeeds: one that is archived runs for no time.
  with taken as (
    update millrace.jobs j
    set status = 'running', run_no = j.run_no + 1, lease_token = gen_random_uuid(), lease_expires_at = v_now + interval '1 minute',
        claimed_at = coalesce(j.claimed_at, v_now), started_at = v_now, claimed_by_worker = 'pgmq', version = j.version + 1, changed_xid = pg_current_xact_id()
    where j.tenant_id = v_queue.tenant_id and j.status = 'queued'
      and j.dedupe_key = any (array(select pgmq._key(v_queue.queue_name, m.id) from unnest(archive.msg_ids) m (id)))
    returning j.id
  )
  select array_agg(t.id) into v_jobs from taken t;
  return query
    update millrace.jobs j
    set status = 'succeeded', finished_at = v_now, lease_token = null, lease_expires_at = null, wall_ms = 0, cpu_ms = 0,
        version = j.version + 1, changed_xid = pg_current_xact_id()
    where j.id = any (v_jobs)
    returning j.source_ref::bigint;
  perform set_config('millrace.notify', v_setting, true);
end $$;

create or replace function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language sql volatile as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;

create or replace function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue  constant pgmq.meta := pgmq._queue(metrics.queue_name);
  v_result pgmq.metrics_result;
begin
  select metrics.queue_name, count(*), extract(epoch from now() - max(j.queued_at))::integer, extract(epoch from now() - min(j.queued_at))::integer,
         coalesce(pg_sequence_last_value(v_queue.sequence), 0), now(), count(*) filter (where j.scheduled_for <= now())
  into v_result
  from millrace.jobs j
  where j.tenant_id = v_queue.tenant_id and j.definition_id = v_queue.definition_id and j.status = 'queued';
  return v_result;
end $$;

create or replace function pgmq.metrics_all() returns setof pgmq.metrics_result
language sql stable as $$ select m.* from pgmq.list_queues() q cross join lateral pgmq.metrics(q.queue_name) m $$;

-- There is no table to take out of an extension.
create or replace function pgmq.detach_archive(queue_name text) returns void
language sql stable as $f$ select $f$;
