-- owner: worker
-- The bounds of a request of `search_videos_page`: its tenant, times, videos and prices, and no words yet.
create or replace function millrace.search_bounds(p_request jsonb) returns millrace.search_query language plpgsql stable as $$
declare
  q millrace.search_query;
begin
  q.tenant_id := millrace.current_tenant_id();
  if q.tenant_id is null then
    raise exception 'The transaction names no tenant to search in' using errcode = 'invalid_parameter_value';
  end if;
  q.mark := millrace.search_mark(q.tenant_id);
  q.least := 9223372036854775807;
  q.bounds := 0;
  q.marked := '{}';
  q.begun := '{}';
  q.video_ids := (select array_agg(v.id::uuid) from jsonb_array_elements_text(p_request -> 'videoIds') as v (id));
  q.t_from := (p_request ->> 'tStartMs')::bigint;
  q.t_to := coalesce((p_request ->> 'tEndMs')::bigint, 9223372036854775807);
  q.id_from := coalesce((p_request ->> 'idFrom')::uuid, '00000000-0000-0000-0000-000000000000');
  q.id_to := coalesce((p_request ->> 'idTo')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  q.has_price := p_request -> 'price' is not null;
  if q.has_price then
    q.price_min := (p_request #>> '{price,min}')::numeric;
    q.price_max := (p_request #>> '{price,max}')::numeric;
    q.currency := upper(p_request #>> '{price,currency}');
    -- What stands on a shelf between the first and the last one is in the range; the others' prices are
    -- looked at.
    select string_agg(millrace.search_lexeme(q.mark, 'price:' || coalesce(q.currency, '') || ':' || shelf), '|')::tsquery into q.priced_query
    from generate_series(millrace.search_price_shelf(coalesce(q.price_min, 0)) + case when q.price_min is null then 0 else 1 end,
                         millrace.search_price_shelf(coalesce(q.price_max, 1000000000)) - case when q.price_max is null then 0 else 1 end) as shelf;
  end if;
  return q;
end $$;

revoke all on function millrace.search_bounds from public;
