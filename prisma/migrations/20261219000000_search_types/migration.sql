-- What a search of videos asks for, as its routines hand it on: words as queries of the text index, bounds, and what is to be marked in the texts.
create type millrace.search_query as (
  tenant_id      uuid,
  mark           text,
  -- The fewest segments that one of its words has, and how many of them have a number.
  least          bigint,
  bounds         integer,
  has_words      boolean,
  full_query     tsquery,
  index_query    tsquery,
  wide_query     tsquery,
  exact_query    tsquery,
  near_query     tsquery,
  beside_query   tsquery,
  priced_query   tsquery,
  has_price      boolean,
  price_min      numeric,
  price_max      numeric,
  currency       text,
  t_from         bigint,
  t_to           bigint,
  id_from        uuid,
  id_to          uuid,
  video_ids      uuid[],
  marked         text[],
  begun          text[]
);

-- One word of what was typed: the words that it may stand for, as parts of a query.
create type millrace.search_term as (
  said           text,
  segment_count  bigint,
  exact_words    text,
  near_words     text,
  marked         text[],
  begun          text[],
  is_open        boolean
);

-- Segments that match, with their videos, points and beginnings.
create type millrace.search_hits as (
  segment_ids    uuid[],
  video_ids      uuid[],
  points         double precision[],
  starts         bigint[]
);
