-- owner: worker
-- needs: search_asked, search_bounds, search_ranked, search_newest, search_shown, search_is_rare
-- One page of a search of the transaction's tenant. Takes and gives JSON, whose form
-- src/jobs/search-videos.ts declares. What it costs is bounded by the choice of its way, for which the
-- vocabulary says beforehand how often each word occurs:
--   relevance  at most 3,000 texts can match (or, of several common words, do): all are fetched by the text index and ranked;
--   newest     more match: it walks through the videos from the newest on, reading whole videos, until the page is full.
create or replace function millrace.search_videos_page(p_request jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  c_ranked  constant integer := 3000;
  q         constant millrace.search_query := millrace.search_asked(p_request);
  v_size    constant integer := (p_request ->> 'size')::integer;
  v_after   constant uuid := (p_request #>> '{after,videoId}')::uuid;
  v_order   text := p_request #>> '{after,order}';
  v_found   record;
  v_hits    millrace.search_hits;
  v_result  jsonb;
begin
  if v_order is null and q.least > c_ranked then
    v_order := case when q.bounds > 1 and millrace.search_is_rare(q, 2 * c_ranked) then 'perhaps' else 'newest' end;
  end if;
  v_order := coalesce(v_order, 'relevance');
  if q.least = 0 then
    v_order := 'relevance';
  elsif v_order <> 'newest' then
    -- Twice as many: they may have grown since the first page, which was ranked.
    v_found := millrace.search_ranked(q, case v_order when 'perhaps' then c_ranked + 1 else 2 * c_ranked end);
    v_hits := v_found.hits;
    if v_order = 'perhaps' then
      v_order := case when v_found.candidate_count > c_ranked then 'newest' else 'relevance' end;
    end if;
  end if;
  if v_order = 'newest' then
    v_hits := millrace.search_newest(q, v_after, v_size);
  end if;

  v_result := millrace.search_shown(q, v_hits, v_order, v_after, (p_request #>> '{after,score}')::double precision, v_size,
                                    (p_request ->> 'hits')::integer);
  if (p_request ->> 'hasFacets')::boolean then
    v_result := v_result || jsonb_build_object('facets', millrace.search_facets(
      q.mark, array(select f.id from unnest(v_hits.segment_ids, v_hits.video_ids) as f (id, video_id) where f.id <> f.video_id), v_order = 'relevance'));
  end if;
  return v_result;
end $$;

revoke all on function millrace.search_videos_page from public;
grant execute on function millrace.search_videos_page to :"api";
