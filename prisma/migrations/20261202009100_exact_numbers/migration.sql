-- jsonb keeps numbers of any size, and who reads them as doubles (JavaScript, jq, most of JSON's readers) gets another number:
-- 9007199254740993 becomes …992, and 1e400 infinite or null. millrace.enqueue refuses such a payload by the number's path, as the API does.
-- Only a payload with sixteen digits in a row is looked through; no statement of ours calls this.

create function millrace.refuse_inexact_numbers(p_payload jsonb) returns void
language plpgsql immutable set search_path = pg_catalog, pg_temp set extra_float_digits = 1 as $$
declare
  v_found record;
begin
  with recursive part (path, value) as (
    select 'payload', p_payload
    union all
    select left(p.path || c.step, 200), c.value
    from part p
    cross join lateral (
      select '.' || left(e.key, 100), e.value
      from jsonb_each(case jsonb_typeof(p.value) when 'object' then p.value else '{}' end) e (key, value)
      union all
      select '[' || e.place - 1 || ']', e.value
      from jsonb_array_elements(case jsonb_typeof(p.value) when 'array' then p.value else '[]' end) with ordinality e (value, place)
    ) c (step, value)
  )
  select p.path, left(p.value::text, 60) as number into v_found
  from part p
  where case
    when jsonb_typeof(p.value) <> 'number' then false
    -- Fractions are rounded by everybody, and expected to be.
    when abs(p.value::numeric) <= 9007199254740991 then false
    when abs(p.value::numeric) > 1.7976931348623157e308 then true
    -- Not `float8::numeric`, which keeps fifteen digits only.
    else p.value::numeric::float8::text::numeric <> p.value::numeric end
  limit 1;
  if found then
    raise exception 'millrace.enqueue: % is %; allowed: integers from -9007199254740991 to 9007199254740991, and larger numbers that a double holds exactly; others as text',
      v_found.path, v_found.number using errcode = 'invalid_parameter_value', column = 'payload';
  end if;
end $$;

-- One more check in the body of millrace.enqueue, which stays as it is otherwise: owner, rights and settings too.
do $$
declare
  v_worker constant text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace') || '_worker';
  v_login  constant text := current_setting('role');
  v_before constant text := '  if enqueue.priority is null or';
  v_check  constant text := $check$  if enqueue.payload::text ~ '[0-9]{16}' then
    perform millrace.refuse_inexact_numbers(enqueue.payload);
  end if;
$check$;
  v_source constant text := pg_get_functiondef('millrace.enqueue'::regproc);
  v_text   text;
begin
  if array_length(string_to_array(v_source, v_before), 1) <> 2 then
    raise exception 'millrace.enqueue is not the function that this migration knows';
  end if;
  v_text := replace(v_source, v_before, v_check || v_before);
  execute format('grant create on schema millrace to %I', v_worker);
  execute format('alter function millrace.refuse_inexact_numbers(jsonb) owner to %I', v_worker);
  perform set_config('role', v_worker, true);
  execute v_text;
  revoke all on function millrace.refuse_inexact_numbers(jsonb) from public;
  perform set_config('role', v_login, true);
  execute format('revoke create on schema millrace from %I', v_worker);
end $$;
