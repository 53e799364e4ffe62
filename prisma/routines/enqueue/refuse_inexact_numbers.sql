-- owner: worker
-- Refuses a payload with a number that JSON readers would round, and says where it is.
create or replace function millrace.refuse_inexact_numbers(p_payload jsonb) returns void
language plpgsql immutable set search_path = pg_catalog, pg_temp set extra_float_digits = 1
as $$
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

revoke all on function millrace.refuse_inexact_numbers from public;
