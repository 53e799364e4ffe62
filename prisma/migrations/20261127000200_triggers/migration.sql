-- What the database guarantees whoever writes: legal moves, versions and feed stamps, tombstones, and the bell.
-- The WHEN clauses do the tests: a PL/pgSQL body that always runs costs twice as much a row.

create function millrace.refuse_job_move() returns trigger language plpgsql as $$
begin
  raise exception 'job %: % (run %) -> % (run %) is not a legal move', old.id, old.status, old.run_no, new.status, new.run_no
    using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = 'jobs_legal_move';
end $$;

create trigger jobs_legal_move before update on millrace.jobs for each row
when (
  (old.status <> new.status and not (
        (old.status = 'queued' and new.status in ('running', 'canceled'))
     or (old.status = 'running' and new.status in ('succeeded', 'failed', 'dead_letter', 'canceled', 'queued'))
     or (old.status in ('failed', 'dead_letter', 'canceled') and new.status = 'queued')))
  -- Each claim is a new run; nothing else makes one, and none is given back.
  or new.run_no <> old.run_no + (case when old.status = 'queued' and new.status = 'running' then 1 else 0 end)
  or new.tenant_id <> old.tenant_id
  or new.id <> old.id
  or (old.status = 'succeeded' and (
        new.result is distinct from old.result
     or new.finished_at is distinct from old.finished_at
     or new.started_at is distinct from old.started_at
     or new.claimed_at is distinct from old.claimed_at
     or new.queued_at is distinct from old.queued_at
     or new.claimed_by_worker is distinct from old.claimed_by_worker
     or new.reason is distinct from old.reason
     or new.definition_id <> old.definition_id
     or new.lost_lease_count <> old.lost_lease_count
     or new.snooze_count <> old.snooze_count
     or new.attempt_count <> old.attempt_count))
)
execute function millrace.refuse_job_move();

create function millrace.stamp_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.version := old.version + 1;
  end if;
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;

-- Our own statements set both columns; the triggers are for everybody else (psql, Prisma), so that the feed sees them too.
create trigger jobs_stamp_insert before insert on millrace.jobs for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
-- A lease renewed by our own heartbeat is no news: without the exception, a thousand running jobs would send watchers
-- a hundred events a second that say nothing.
create trigger jobs_stamp_update before update on millrace.jobs for each row
when ((new.version is distinct from old.version + 1 or new.changed_xid is distinct from pg_current_xact_id())
      and not (old.status = 'running' and new.status = 'running' and new.version = old.version
               and new.lease_expires_at is distinct from old.lease_expires_at
               and coalesce(current_setting('millrace.bell', true), '') = 'after_commit'))
execute function millrace.stamp_change();

create trigger videos_stamp_insert before insert on millrace.videos for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
create trigger videos_stamp_update before update on millrace.videos for each row
when (new.version is distinct from old.version + 1 or new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();

create function millrace.bury_jobs() returns trigger language plpgsql as $$
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  return null;
end $$;
create trigger jobs_bury after delete on millrace.jobs
referencing old table as gone for each statement execute function millrace.bury_jobs();

-- The bell: a wake-up and never data, so losing it costs time only. NOTIFY takes a cluster-wide lock at commit, so our
-- own processes say `millrace.bell = after_commit` and ring on another connection once they have committed.
-- No transition table here: it would copy every row of every hot statement. A foreign write rings for work even when
-- nothing became ready, which costs one empty claim.
create function millrace.ring_bell() returns trigger language plpgsql as $$
begin
  perform pg_notify('millrace_watch', '');
  if tg_table_name = 'jobs' and tg_op <> 'DELETE' then
    perform pg_notify('millrace_work', '');
  end if;
  return null;
end $$;

create trigger jobs_bell after insert or update or delete on millrace.jobs for each statement
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.ring_bell();
create trigger videos_bell after insert or update on millrace.videos for each statement
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.ring_bell();
