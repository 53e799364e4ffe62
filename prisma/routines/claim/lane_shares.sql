-- How many jobs each lane that may have more gets of `p_left`, in rounds of turns: computed at once, so
-- that each lane is looked at once. The first has what it carried over (`p_carried`) before that. `last` and
-- `credit`: where the walk ends, and what that lane has left of its turn.
create or replace function millrace.lane_shares(
  p_lanes millrace.claim_lane[], p_open boolean[], p_left integer, p_total integer, p_quantum integer, p_carried integer,
  inout last integer, inout credit integer, out shares integer[]
) language plpgsql volatile as $$
declare
  n        constant integer := cardinality(p_lanes);
  v_spare  integer := p_left;
  v_share  integer;
  v_turn   integer;
  v_rounds integer;
  v_begin  integer;
  v_is_even boolean;
  i        integer;
begin
  shares := array_fill(0, array[n]);
  if p_carried > 0 then
    last := 1;
    v_share := least(p_carried, v_spare);
    shares[1] := v_share;
    v_spare := v_spare - v_share;
    credit := p_carried - v_share;
  end if;
  v_rounds := v_spare / p_total;
  v_is_even := v_rounds > 0 and v_spare = v_rounds * p_total;
  v_begin := last;
  for k in 1..n loop
    i := (v_begin + k - 1) % n + 1;
    continue when not p_open[i];
    v_turn := (p_lanes[i]).weight * p_quantum;
    v_share := least(v_turn, v_spare - v_rounds * p_total);
    shares[i] := shares[i] + v_rounds * v_turn + v_share;
    v_spare := v_spare - v_share;
    if v_share > 0 or v_is_even then
      last := i; credit := v_turn - case when v_is_even then v_turn else v_share end;
    end if;
  end loop;
end $$;
