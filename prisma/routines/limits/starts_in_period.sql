-- Starts that still count at `p_slot`.
create or replace function millrace.starts_in_period(p_starts integer[], p_newest_slot bigint, p_slot bigint)
returns integer language sql immutable parallel safe
return (select coalesce(sum(p_starts[1 + s % 21]), 0)::integer
        from generate_series(greatest(p_slot, p_newest_slot) - 20, p_newest_slot) s);
