-- What was read in a video's pictures: the frames that were read, the texts with their times and boxes, and what was recognised in
-- them (handles, hashtags, addresses, emoji, numbers). Times are milliseconds from the start of the video, boxes pixels of the
-- source as displayed.

-- Languages that the texts of a video are in, as Tesseract names them; null: as the configuration says.
alter table millrace.videos add column languages text[] check (cardinality(languages) between 1 and 10);

-- One row a kept frame that has been read, written with its segments: what a run after a crash leaves out.
create table millrace.ocr_frames (
  tenant_id       uuid not null references millrace.tenants (id) on delete restrict,
  video_id        uuid not null references millrace.videos (id) on delete restrict,
  frame_ms        bigint not null check (frame_ms >= 0),
  -- SHA-256 of the manifest that the frame was kept by; another one means that the video was sampled anew.
  manifest_id     text not null,
  engine          text not null,
  engine_version  text not null,
  languages       text[] not null,
  min_confidence  real not null,
  segment_count   integer not null,
  read_at         timestamptz not null default now(),
  primary key (tenant_id, video_id, frame_ms)
);

create table millrace.segments (
  id               uuid primary key default uuidv7(),
  tenant_id        uuid not null references millrace.tenants (id) on delete restrict,
  video_id         uuid not null references millrace.videos (id) on delete restrict,
  owner_id         text,
  team_id          text,
  -- The kept frame that shows it: its thumbnail.
  frame_ms         bigint not null check (frame_ms >= 0),
  t_start          bigint not null check (t_start >= 0),
  t_end            bigint not null check (t_end >= t_start),
  text             text not null,
  -- Lower case, one space between words.
  normalized_text  text not null,
  -- SHA-256 of normalized_text, in hex.
  text_hash        text not null,
  -- 0 to 1.
  confidence       real not null check (confidence between 0 and 1),
  language         text not null,
  -- {x, y, width, height}
  bounding_box     jsonb not null,
  -- [{text, confidence, x, y, width, height}], in reading order.
  words            jsonb not null default '[]'::jsonb,
  -- Null as the reader of frames wrote it; set once segment_index has merged it.
  indexed_at       timestamptz,
  created_at       timestamptz not null default now()
);
create index segments_video_idx on millrace.segments (tenant_id, video_id, t_start, id);

create table millrace.entities (
  id                uuid primary key default uuidv7(),
  tenant_id         uuid not null references millrace.tenants (id) on delete restrict,
  video_id          uuid not null references millrace.videos (id) on delete restrict,
  segment_id        uuid not null references millrace.segments (id) on delete cascade,
  entity_type       text not null check (entity_type in ('mention', 'hashtag', 'url', 'emoji', 'number')),
  -- Of a number: what kind of one.
  subtype           text check (subtype in ('price', 'phone', 'count', 'percent', 'plain')),
  value             text not null,
  normalized_value  text not null,
  -- Of a url.
  domain            text,
  -- Of a number, and of a price its currency (ISO 4217).
  amount            numeric,
  currency          text,
  check ((entity_type = 'number') = (subtype is not null))
);
create index entities_segment_idx on millrace.entities (segment_id);
create index entities_value_idx on millrace.entities (tenant_id, entity_type, normalized_value);

-- Who may see and do what --------------------------------------------------------------------------------------------

alter table millrace.ocr_frames enable row level security, force row level security;
alter table millrace.segments enable row level security, force row level security;
alter table millrace.entities enable row level security, force row level security;

do $$
declare
  v_prefix text := coalesce(nullif(current_setting('millrace.role_prefix', true), ''), 'millrace');
  v_api    text := v_prefix || '_api';
  v_worker text := v_prefix || '_worker';
  v_admin  text := v_prefix || '_admin';
  v_table  text;
begin
  foreach v_table in array array['ocr_frames', 'segments', 'entities'] loop
    execute format('create policy tenant on millrace.%I for all to %I
                      using (tenant_id = (select millrace.current_tenant_id()))
                      with check (tenant_id = (select millrace.current_tenant_id()))', v_table, v_api);
    execute format('create policy worker on millrace.%I for all to %I using (true) with check (true)', v_table, v_worker);
    execute format('create policy admin on millrace.%I for select to %I using (true)', v_table, v_admin);
    execute format('grant select on millrace.%I to %I, %I, %I', v_table, v_api, v_worker, v_admin);
    -- Handlers write what they found as the API's role with their job's tenant, so that no payload can reach another's rows.
    execute format('grant insert, update, delete on millrace.%I to %I, %I', v_table, v_api, v_worker);
  end loop;
end $$;
