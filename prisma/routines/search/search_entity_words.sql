-- needs: search_fold, search_price_shelf
-- What a video's texts have to do with entities, as words without a place.
create or replace function millrace.search_entity_words(p_type text, p_subtype text, p_value text, p_domain text, p_amount numeric, p_currency text)
returns setof text
language sql immutable parallel safe
begin atomic
  select case p_type when 'mention' then '@' else '#' end || left(ltrim(millrace.search_fold(p_value), '@#'), 64)
  where p_type in ('mention', 'hashtag')
  union all
  -- The host, and what is above it down to the domain: example.com finds shop.example.com, too.
  select 'site:' || left(array_to_string(h.labels[n:], '.'), 100)
  from (select string_to_array(substring(p_value from '^[^/?#:]+'), '.') as labels) h,
       generate_series(1, cardinality(h.labels) - cardinality(string_to_array(p_domain, '.'))) n
  where p_type = 'url' and p_domain is not null
  union all
  select 'site:' || left(lower(p_domain), 100) where p_type = 'url' and p_domain is not null
  union all
  -- What it is, whatever its value: an address, a price.
  select 'is:' || coalesce(p_subtype, p_type) where p_subtype is distinct from 'plain'
  union all
  select 'price:' || c.currency || ':' || millrace.search_price_shelf(p_amount)
  from (values (''), (upper(p_currency))) c (currency)
  where p_type = 'number' and p_subtype = 'price' and p_amount is not null and c.currency is not null;
end;
