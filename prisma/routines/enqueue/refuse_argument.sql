-- owner: worker
-- Raises the error of `enqueue` for one argument.
create or replace function millrace.refuse_argument(p_argument text, p_value text, p_allowed text) returns void
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'millrace.enqueue: % is %; allowed: %', p_argument, coalesce(quote_literal(left(p_value, 80)), 'null'), p_allowed
    using errcode = 'invalid_parameter_value', column = p_argument;
end $$;

revoke all on function millrace.refuse_argument from public;
