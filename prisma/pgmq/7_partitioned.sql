-- Partitioned queues. Jobs need no partitions: such a queue is made as any other and listed as it was asked
-- for. Of its intervals one has a meaning here, a retention that is a time: archived messages are kept so
-- long. One that is a number of messages is not: they end by the platform's retention.
create or replace function pgmq._set_retention(definition_id uuid, retention_interval text) returns void
language plpgsql volatile as $$
declare
  v_seconds bigint;
begin
  if retention_interval ~ '^\s*[0-9]+\s*$' then
    return;
  end if;
  begin
    v_seconds := extract(epoch from retention_interval::interval)::bigint;
  exception when invalid_datetime_format or datetime_field_overflow or interval_field_overflow then
    raise exception 'retention_interval is %; allowed: a number of messages, or an interval', quote_nullable(retention_interval)
      using errcode = 'invalid_parameter_value', column = 'retention_interval';
  end;
  if v_seconds is null or v_seconds < 0 then
    raise exception 'retention_interval is %; allowed: a number of messages, or an interval of at least 0', quote_nullable(retention_interval)
      using errcode = 'invalid_parameter_value', column = 'retention_interval';
  end if;
  update millrace.job_definitions d set retention_seconds = v_seconds, updated_at = now() where d.id = _set_retention.definition_id;
end $$;

create or replace function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set row_security = on as $$
begin
  perform pgmq._create(create_partitioned.queue_name, false, true);
  perform pgmq._set_retention((pgmq._queue(create_partitioned.queue_name)).definition_id, create_partitioned.retention_interval);
end $$;

create or replace function pgmq.convert_archive_partitioned(
  table_name text, partition_interval text default '10000', retention_interval text default '100000', leading_partition integer default 10
) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_queue pgmq.meta;
begin
  begin
    v_queue := pgmq._queue(convert_archive_partitioned.table_name);
  exception when undefined_table then
    raise notice 'Table % does not exist', pgmq.format_table_name(convert_archive_partitioned.table_name, 'a');
    return;
  end;
  perform pgmq._set_retention(v_queue.definition_id, convert_archive_partitioned.retention_interval);
end $$;
