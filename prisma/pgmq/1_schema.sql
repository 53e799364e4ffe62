-- The schema of pgmq on Millrace's jobs: docs/pgmq.md. Made by `millrace migrate --pgmq`, owned by the worker
-- role; may be run any number of times. A queue is a job definition of one tenant, a message one of its jobs:
-- queued while it waits or somebody has read it (invisible until its time), succeeded once it is archived,
-- gone once it is deleted.
create table if not exists pgmq.meta (
  queue_name      varchar primary key,
  is_partitioned  boolean not null default false,
  is_unlogged     boolean not null default false,
  created_at      timestamptz not null default now(),
  tenant_id       uuid not null references millrace.tenants (id),
  definition_id   uuid not null references millrace.job_definitions (id),
  -- Numbers the messages.
  sequence        regclass not null
);

-- Whom to notify of what is sent: listeners of `pgmq.q_<queue>.INSERT`, at most once in N milliseconds; null:
-- nobody.
alter table pgmq.meta add column if not exists notify_every_ms integer check (notify_every_ms between 0 and 86400000);
alter table pgmq.meta add column if not exists notified_at timestamptz;
-- The name as it was given, where that has capitals: queues are found in lower case, and listed as they were
-- named.
alter table pgmq.meta add column if not exists shown_name varchar;

-- Whose the queues are that are made in a transaction that names no tenant.
create table if not exists pgmq.settings (
  only_row   boolean primary key default true check (only_row),
  tenant_id  uuid references millrace.tenants (id)
);

do $$ begin
  create type pgmq.message_record as (
    msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
  );
exception when duplicate_object then null;
end $$;
-- The last column of it, though newer versions of the extension have it in the middle: programs that read
-- columns by their place keep theirs.
do $$ begin
  alter type pgmq.message_record add attribute last_read_at timestamptz;
exception when duplicate_column then null;
end $$;
do $$ begin
  create type pgmq.queue_record as (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
exception when duplicate_object then null;
end $$;
do $$ begin
  create type pgmq.metrics_result as (
    queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
    scrape_time timestamptz, queue_visible_length bigint
  );
exception when duplicate_object then null;
end $$;

-- A queue by its name. A transaction that names a tenant, and the API's role, reach that tenant's queues
-- alone. It has no search path of its own, whose setting and resetting would cost each message more than the
-- look-up: who calls it has.
create or replace function pgmq._queue(queue_name text) returns pgmq.meta
language plpgsql stable as $$
declare
  v_own    constant uuid := millrace.current_tenant_id();
  v_caller constant text := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_api    constant text := regexp_replace(current_user, '_worker$', '_api');
  v_queue  pgmq.meta;
begin
  select m.* into v_queue from pgmq.meta m where m.queue_name = lower(_queue.queue_name);
  if v_queue.queue_name is null
     or (v_own is not null and v_own <> v_queue.tenant_id)
     or (v_own is null and v_caller = v_api) then
    raise exception 'relation "pgmq.q_%" does not exist', lower(_queue.queue_name)
      using errcode = 'undefined_table', hint = 'Make the queue first: select pgmq.create(''…'').';
  end if;
  return v_queue;
end $$;

-- What marks a message's job: at most one live job has it, by which it is found.
create or replace function pgmq._key(queue_name text, msg_id bigint) returns text
language sql immutable parallel safe
return 'millrace:pgmq:' || queue_name || ':' || msg_id;

-- Keeps the statements that follow from notifying at the commit, which is one at a time in the whole cluster;
-- watchers find their changes by the look that they take twice a second. Answers the setting that was there,
-- to be put back.
create or replace function pgmq._hush() returns text
language plpgsql volatile as $$
declare
  v_before constant text := coalesce(current_setting('millrace.notify', true), '');
begin
  perform set_config('millrace.notify', 'after_commit', true);
  return v_before;
end $$;

-- Whether workers run the messages of a queue as jobs, and so are to be woken.
create or replace function pgmq._is_served(definition_id uuid) returns boolean
language sql stable
return exists (
  select from millrace.job_workers w join millrace.job_definitions d on d.key = any (w.definition_keys)
  where d.id = _is_served.definition_id
);
