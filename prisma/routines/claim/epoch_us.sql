-- Stable as date_part is: an immutable one would not be inlined, and calls cost more than the claim of the
-- row.
create or replace function millrace.epoch_us(p_at timestamptz) returns bigint language sql stable parallel safe
return round(date_part('epoch', p_at) * 1000000)::bigint;
