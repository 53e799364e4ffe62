-- Which twentieth of a period a moment is in, counted from the epoch: starts are counted by it, see
-- starts_in_period.
create or replace function millrace.rate_slot(p_at timestamptz, p_period_seconds integer)
returns bigint language sql stable parallel safe
return floor(date_part('epoch', p_at) * 20 / p_period_seconds)::bigint;
