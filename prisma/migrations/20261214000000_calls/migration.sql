-- Calls: recordings, their transcripts turn by turn, and what an analysis says of them.

create table millrace.calls (
  id             uuid not null default uuidv7(),
  tenant_id      uuid not null,
  title          text not null,
  status         text not null,
  -- Names of those who speak, in the order of the channels where each has one.
  speakers       text[] not null default '{}',
  -- As the caller says: `en-US`.
  language       text,
  metadata       jsonb not null default '{}',
  recording_key  text,
  source_url     text,
  content_type   text,
  size_bytes     bigint,
  -- False: the recording is removed once its sound has been taken out.
  keep_recording boolean not null default true,
  duration_ms    bigint,
  channel_count  integer,
  loudness_lufs  double precision,
  is_silent      boolean,
  error          jsonb,
  created_by     text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  version        bigint not null default 1,
  changed_xid    xid8 not null default pg_current_xact_id(),
  constraint calls_pkey primary key (id),
  constraint calls_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint calls_status_check check (status in ('awaiting_upload', 'queued', 'transcribing', 'analyzing', 'ready', 'failed')),
  constraint calls_recording_check check (recording_key is not null or source_url is not null)
);
create index calls_history_idx on millrace.calls (tenant_id, id);
create index calls_changed_xid_idx on millrace.calls (changed_xid);

-- What was said, as one provider heard it; the turns are below.
create table millrace.call_transcripts (
  call_id       uuid not null,
  tenant_id     uuid not null,
  -- SHA-256 of the turns, in hexadecimal.
  hash          text not null,
  provider      text not null,
  model         text,
  language      text,
  -- Of a recogniser whose words need a look before they are used.
  is_draft      boolean not null,
  -- False: times and speakers alone.
  has_text      boolean not null,
  -- Why there is no text; null where there is.
  empty_reason  text,
  word_count    integer not null,
  turn_count    integer not null,
  audio_ms      bigint not null,
  created_at    timestamptz not null default now(),
  constraint call_transcripts_pkey primary key (call_id),
  constraint call_transcripts_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict,
  constraint call_transcripts_call_id_fkey foreign key (call_id) references millrace.calls(id) on delete cascade,
  constraint call_transcripts_empty_check check (has_text = (empty_reason is null))
);
create index call_transcripts_usage_idx on millrace.call_transcripts (tenant_id, created_at);

create table millrace.call_turns (
  call_id     uuid not null,
  position    integer not null,
  tenant_id   uuid not null,
  -- From 0; a channel is a speaker where there are several.
  speaker     integer not null,
  start_ms    bigint not null,
  end_ms      bigint not null,
  text        text not null,
  -- [{text, startMs, endMs, confidence}]
  words       jsonb not null default '[]',
  confidence  real,
  tsv         tsvector not null,
  constraint call_turns_pkey primary key (call_id, position),
  constraint call_turns_call_id_fkey foreign key (call_id) references millrace.call_transcripts(call_id) on delete cascade,
  constraint call_turns_times_check check (start_ms >= 0 and end_ms >= start_ms)
);
create index call_turns_tsv_idx on millrace.call_turns using gin (tsv);

-- The words of a tenant's transcripts, for a search that forgives a letter.
create table millrace.call_words (
  tenant_id  uuid not null,
  word       text not null,
  typo_keys  bigint[] not null,
  constraint call_words_pkey primary key (tenant_id, word),
  constraint call_words_tenant_id_fkey foreign key (tenant_id) references millrace.tenants(id) on delete restrict
);
create index call_words_typo_keys_idx on millrace.call_words using gin (typo_keys);

-- Once for a transcript and a version of the analysis.
create table millrace.call_analyses (
  call_id          uuid not null,
  transcript_hash  text not null,
  version          integer not null,
  tenant_id        uuid not null,
  result           jsonb not null,
  created_at       timestamptz not null default now(),
  constraint call_analyses_pkey primary key (call_id, transcript_hash, version),
  constraint call_analyses_call_id_fkey foreign key (call_id) references millrace.calls(id) on delete cascade
);

alter table millrace.deleted_media drop constraint deleted_media_kind_check;
alter table millrace.deleted_media add constraint deleted_media_kind_check check (kind in ('video', 'clip', 'call'));
