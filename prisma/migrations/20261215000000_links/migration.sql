-- Links: pages and videos that are scraped, summed up, and found by meaning.

create table millrace.links (
  id               uuid primary key default uuidv7(),
  tenant_id        uuid not null references millrace.tenants (id) on delete restrict,
  url              text not null check (length(url) between 1 and 4096),
  status           text not null default 'pending' check (status in ('pending', 'scraping', 'enriching', 'done', 'failed')),
  -- Why it failed, for people.
  processing_error text check (length(processing_error) <= 4000),
  -- The submitter's own id: a link with one is there once a tenant.
  source_ref       text check (length(source_ref) between 1 and 1024),
  -- Found by `scrape`.
  canonical_url    text check (length(canonical_url) <= 4096),
  title            text check (length(title) <= 1000),
  description      text check (length(description) <= 10000),
  author           text check (length(author) <= 1000),
  site_name        text check (length(site_name) <= 1000),
  image_url        text check (length(image_url) <= 4096),
  language         text check (length(language) <= 35),
  published_at     timestamptz,
  duration_seconds integer check (duration_seconds >= 0),
  -- What the text is: of captions or a provider, of the page's article; null where there was none.
  text_kind        text check (text_kind in ('transcript', 'article')),
  text_length      integer check (text_length >= 0),
  -- SHA-256, lower-case hex, of what `enrich` reads.
  content_hash     text check (content_hash ~ '^[0-9a-f]{64}$'),
  scraped_by       text check (length(scraped_by) <= 200),
  scraped_at       timestamptz,
  -- Made by `enrich`, of the content with this hash.
  summary          text check (length(summary) <= 20000),
  topics           text[] not null default '{}',
  entities         jsonb not null default '[]',
  enriched_hash    text check (enriched_hash ~ '^[0-9a-f]{64}$'),
  enriched_by      text check (length(enriched_by) <= 200),
  embedded_by      text check (length(embedded_by) <= 200),
  enriched_at      timestamptz,
  created_by       text,
  created_at       timestamptz not null default clock_timestamp(),
  updated_at       timestamptz not null default clock_timestamp(),
  version          bigint not null default 1,
  changed_xid      xid8 not null default pg_current_xact_id()
);
create index links_tenant_idx on millrace.links (tenant_id, id);
create index links_status_idx on millrace.links (tenant_id, status, id);
create unique index links_source_ref_idx on millrace.links (tenant_id, source_ref) where source_ref is not null;
create index links_changed_xid_idx on millrace.links (changed_xid);

-- The text of a link, apart from its row: lists and the feed never read it. Words of all tenants share an index, of which the tenant is a word.
create table millrace.link_texts (
  link_id   uuid primary key references millrace.links (id) on delete cascade,
  tenant_id uuid not null,
  text      text not null check (length(text) <= 1000000),
  -- Parts with their times, where the source has them: [{"startMs", "endMs", "text"}].
  segments  jsonb,
  words     tsvector not null
);
create index link_texts_words_idx on millrace.link_texts using gin (words) with (fastupdate = off);

-- One vector a link and model; vectors of two models are never compared. `code` holds the signs of its numbers: links that may be near are
-- found by it, and then measured by `vector` (little-endian float4, length 1).
create table millrace.link_vectors (
  link_id    uuid not null references millrace.links (id) on delete cascade,
  tenant_id  uuid not null,
  model      text not null check (length(model) between 1 and 200),
  dimensions integer not null check (dimensions between 1 and 16000),
  code       bit(512) not null,
  vector     bytea not null,
  primary key (link_id, model),
  check (octet_length(vector) = 4 * dimensions)
);
-- A search reads this index alone, and the vectors of the nearest few hundred.
create index link_vectors_codes_idx on millrace.link_vectors (tenant_id, model, link_id) include (code);
alter table millrace.link_vectors alter column vector set storage external;

-- When each host may be asked again, and its robots.txt. Of no tenant: hosts do not care who asks.
create table millrace.link_hosts (
  host       text primary key check (length(host) between 1 and 300),
  next_at    timestamptz not null default clock_timestamp(),
  robots     text check (length(robots) <= 600000),
  robots_at  timestamptz
);
create index link_hosts_next_idx on millrace.link_hosts (next_at);

alter table millrace.media_tombstones drop constraint media_tombstones_kind_check;
alter table millrace.media_tombstones add constraint media_tombstones_kind_check check (kind in ('video', 'clip', 'link'));
