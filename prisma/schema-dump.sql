-- Written by `npm run schema:dump` from the catalog of a migrated database; compared by a test. Not to be run.

-- Tables and types

create table claim_lane (
  tenant_id uuid,
  definition_id uuid,
  weight integer,
  is_limited boolean,
  is_marked boolean,
  definition_max integer,
  definition_rate integer,
  definition_period integer,
  tenant_max integer,
  tenant_rate integer,
  tenant_period integer,
  lane_max integer,
  lane_rate integer,
  lane_period integer
);
create table claimed_job (
  id uuid,
  tenant_id uuid,
  definition_id uuid,
  payload jsonb,
  priority integer,
  scheduled_us bigint,
  queued_us bigint,
  is_started boolean,
  run_no integer,
  max_attempts integer,
  version bigint,
  created_by text,
  rare jsonb
);
create table search_hits (
  segment_ids uuid[],
  video_ids uuid[],
  points double precision[],
  starts bigint[]
);
create table search_query (
  tenant_id uuid,
  mark text,
  "least" bigint,
  bounds integer,
  has_words boolean,
  full_query tsquery,
  index_query tsquery,
  wide_query tsquery,
  exact_query tsquery,
  near_query tsquery,
  beside_query tsquery,
  priced_query tsquery,
  has_price boolean,
  price_min numeric,
  price_max numeric,
  currency text,
  t_from bigint,
  t_to bigint,
  id_from uuid,
  id_to uuid,
  video_ids uuid[],
  marked text[],
  begun text[]
);
create table search_term (
  said text,
  segment_count bigint,
  exact_words text,
  near_words text,
  marked text[],
  begun text[],
  is_open boolean
);
create table api_key_uses (
  key_id uuid not null,
  tenant_id uuid not null,
  last_used_at timestamp with time zone not null
);
create table api_keys (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  name text not null,
  key_hash bytea not null,
  role text not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null default now(),
  scopes text[] not null default '{}'::text[],
  persisted_only boolean not null default false,
  job_types text[] not null default '{}'::text[]
);
create table app_events (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  name text not null,
  data jsonb not null default '{}'::jsonb,
  source text not null default 'api'::text,
  source_ref text,
  correlation_id text,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  processed_at timestamp with time zone,
  job_count integer not null default 0,
  trigger_count integer not null default 0,
  chain_depth integer not null default 0,
  origin_key text,
  trigger_id uuid
);
create table artifacts (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  job_id uuid,
  run_no integer,
  subject_type text not null,
  subject_id text not null,
  kind text not null,
  key text not null,
  size_bytes bigint not null,
  sha256 text not null,
  content_type text not null,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now()
);
create table audit_log (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  actor text not null,
  action text not null,
  target_type text not null,
  target_id text,
  details jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now()
);
create table bulk_actions (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  verb text not null,
  status text not null default 'running'::text,
  filter jsonb not null,
  reason text,
  spread_seconds double precision not null default 0,
  matched_count integer not null default 0,
  has_more boolean not null default true,
  done_count integer not null default 0,
  requested_count integer not null default 0,
  failed_count integer not null default 0,
  skipped jsonb not null default '{}'::jsonb,
  last_job_id uuid,
  holder uuid,
  held_until timestamp with time zone,
  stop_requested_at timestamp with time zone,
  error text,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone,
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id()
);
create table call_analyses (
  call_id uuid not null,
  transcript_hash text not null,
  version integer not null,
  tenant_id uuid not null,
  result jsonb not null,
  created_at timestamp with time zone not null default now()
);
create table call_transcripts (
  call_id uuid not null,
  tenant_id uuid not null,
  hash text not null,
  provider text not null,
  model text,
  language text,
  is_draft boolean not null,
  has_text boolean not null,
  empty_reason text,
  word_count integer not null,
  turn_count integer not null,
  audio_ms bigint not null,
  created_at timestamp with time zone not null default now(),
  operation_count integer not null default 1,
  cost_micros bigint
);
create table call_turns (
  call_id uuid not null,
  "position" integer not null,
  tenant_id uuid not null,
  speaker integer not null,
  start_ms bigint not null,
  end_ms bigint not null,
  text text not null,
  words jsonb not null default '[]'::jsonb,
  confidence real,
  tsv tsvector not null
);
create table call_words (
  tenant_id uuid not null,
  word text not null,
  typo_keys bigint[] not null
);
create table calls (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  title text not null,
  status text not null,
  speakers text[] not null default '{}'::text[],
  language text,
  metadata jsonb not null default '{}'::jsonb,
  recording_key text,
  source_url text,
  content_type text,
  size_bytes bigint,
  keep_recording boolean not null default true,
  duration_ms bigint,
  channel_count integer,
  loudness_lufs double precision,
  is_silent boolean,
  error jsonb,
  created_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id()
);
create table clips (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  video_id uuid,
  job_id uuid,
  t_start_ms bigint not null,
  t_end_ms bigint not null,
  padding_ms bigint not null,
  status text not null default 'queued'::text,
  object_key text,
  size_bytes bigint,
  sha256 text,
  start_ms bigint,
  end_ms bigint,
  width_px integer,
  height_px integer,
  error jsonb,
  kept_seconds bigint,
  expires_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id(),
  call_id uuid
);
create table deleted_job_logs (
  job_id uuid not null
);
-- with autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000; toast
create table deleted_media (
  id uuid not null,
  kind text not null,
  tenant_id uuid not null,
  video_id uuid not null,
  original_key text,
  upload_state jsonb,
  deleted_at timestamp with time zone not null default clock_timestamp(),
  next_sweep_at timestamp with time zone not null default clock_timestamp()
);
create table entities (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  video_id uuid not null,
  segment_id uuid not null,
  entity_type text not null,
  subtype text,
  value text not null,
  normalized_value text not null,
  domain text,
  amount numeric,
  currency text
);
create table idempotency_keys (
  tenant_id uuid not null,
  credential text not null,
  key text not null,
  fingerprint text not null,
  owner uuid not null,
  is_done boolean not null default false,
  status smallint,
  headers jsonb,
  body text,
  locked_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  outcome jsonb
);
create table job_definitions (
  id uuid not null default uuidv7(),
  key text not null,
  description text not null default ''::text,
  arg_schema jsonb not null default '{}'::jsonb,
  timeout_seconds integer not null default 3600,
  max_attempts integer not null default 3,
  lease_seconds integer not null default 30,
  retry_policy jsonb not null default '{}'::jsonb,
  max_snoozes integer,
  enqueue_role text not null default 'tenant_admin'::text,
  is_active boolean not null default true,
  paused_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  max_running integer,
  max_running_per_tenant integer,
  rate_limit_count integer,
  rate_limit_period_seconds integer,
  rate_limit_per_tenant_count integer,
  rate_limit_per_tenant_period_seconds integer,
  snooze_deadline_seconds integer,
  retention_seconds bigint,
  declared jsonb,
  override jsonb not null default '{}'::jsonb,
  archived_at timestamp with time zone
);
create table job_dependencies (
  job_id uuid not null,
  depends_on_id uuid not null,
  tenant_id uuid not null,
  policy text not null default 'cancel'::text,
  created_at timestamp with time zone not null default now()
);
-- with autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000; toast
create table job_files (
  key text not null,
  tenant_id uuid not null,
  job_id uuid,
  size_bytes bigint not null default 0,
  uploaded_at timestamp with time zone,
  held_until timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp()
);
create table job_log_lines (
  job_id uuid not null,
  run_no integer not null,
  line_no integer not null,
  tenant_id uuid not null,
  level text not null,
  message text not null,
  data jsonb,
  logged_at timestamp with time zone not null
);
-- with autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_max_threshold=100000, autovacuum_vacuum_cost_limit=2000; toast
create table job_progress (
  job_id uuid not null,
  tenant_id uuid not null,
  run_no integer not null,
  percent real,
  stage text,
  message text,
  eta_seconds real,
  updated_at timestamp with time zone not null default now(),
  changed_xid xid8 not null default pg_current_xact_id(),
  preview_key text
);
-- with fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=200, autovacuum_vacuum_cost_limit=2000; toast
create table job_tombstones (
  job_id uuid not null,
  tenant_id uuid not null,
  definition_id uuid not null,
  subject_type text,
  subject_id text,
  correlation_id text,
  created_by text,
  deleted_at timestamp with time zone not null default now(),
  changed_xid xid8 not null default pg_current_xact_id()
);
-- with autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000; toast
create table job_workers (
  worker_id text not null,
  hostname text not null,
  pid integer not null,
  version text not null default ''::text,
  definition_keys text[] not null default '{}'::text[],
  concurrency integer not null,
  running_count integer not null default 0,
  started_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  stopping_at timestamp with time zone,
  metadata jsonb not null default '{}'::jsonb,
  lost_run_count integer not null default 0
);
create table jobs (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  definition_id uuid not null,
  source text not null default 'manual'::text,
  source_ref text,
  status text not null default 'queued'::text,
  priority integer not null default 100,
  payload jsonb not null default '{}'::jsonb,
  result jsonb,
  dedupe_key text,
  correlation_id text,
  subject_type text,
  subject_id text,
  requested_for timestamp with time zone,
  scheduled_for timestamp with time zone not null default now(),
  queued_at timestamp with time zone not null default now(),
  claimed_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  attempt_count integer not null default 0,
  max_attempts integer not null default 3,
  run_no integer not null default 0,
  lost_lease_count integer not null default 0,
  snooze_count integer not null default 0,
  pending_dependencies integer not null default 0,
  lease_token uuid,
  lease_expires_at timestamp with time zone,
  claimed_by_worker text,
  cancel_requested_at timestamp with time zone,
  last_error jsonb,
  reason text,
  created_by text,
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id(),
  expires_at timestamp with time zone,
  timeout_seconds integer,
  wall_ms integer,
  cpu_ms integer,
  tags text[],
  metadata jsonb,
  replay_of uuid,
  redacted_at timestamp with time zone,
  is_delayed boolean not null default false
);
-- with fillfactor=80, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02, autovacuum_vacuum_cost_limit=2000, autovacuum_vacuum_max_threshold=100000; toast autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_limit=2000
create table lane_limits (
  tenant_id uuid not null,
  definition_id uuid not null,
  max_running integer,
  rate_limit_count integer,
  rate_limit_period_seconds integer,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table limit_gates (
  id bigint not null generated always as identity,
  scope text not null,
  tenant_id uuid,
  definition_id uuid,
  period_seconds integer,
  newest_slot bigint,
  starts integer[]
);
-- with fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=200, autovacuum_vacuum_cost_limit=2000; toast
create table link_hosts (
  host text not null,
  next_at timestamp with time zone not null default clock_timestamp(),
  robots text,
  robots_at timestamp with time zone
);
create table link_texts (
  link_id uuid not null,
  tenant_id uuid not null,
  text text not null,
  segments jsonb,
  words tsvector not null
);
create table link_vectors (
  link_id uuid not null,
  tenant_id uuid not null,
  model text not null,
  dimensions integer not null,
  code bit(1024) not null,
  vector bytea not null
);
create table links (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  url text not null,
  status text not null default 'pending'::text,
  processing_error text,
  source_ref text,
  canonical_url text,
  title text,
  description text,
  author text,
  site_name text,
  image_url text,
  language text,
  published_at timestamp with time zone,
  duration_seconds integer,
  text_kind text,
  text_length integer,
  content_hash text,
  scraped_by text,
  scraped_at timestamp with time zone,
  summary text,
  topics text[] not null default '{}'::text[],
  entities jsonb not null default '[]'::jsonb,
  enriched_hash text,
  enriched_by text,
  embedded_by text,
  enriched_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id()
);
create table maintenance_duties (
  name text not null,
  every_seconds double precision not null,
  ended_at timestamp with time zone not null,
  worked_ms bigint not null default 0,
  failure_count integer not null default 0,
  error text,
  lag_seconds double precision
);
create table maintenance_leader (
  id boolean not null default true,
  holder text,
  term bigint not null default 0,
  expires_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  renewed_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  reachable tstzmultirange not null default '{}'::tstzmultirange
);
-- with fillfactor=10, autovacuum_vacuum_threshold=200, autovacuum_vacuum_scale_factor=0; toast
create table media_tombstones (
  id uuid not null,
  kind text not null,
  tenant_id uuid not null,
  video_id uuid,
  created_by text,
  deleted_at timestamp with time zone not null default now(),
  changed_xid xid8 not null default pg_current_xact_id()
);
create table ocr_frames (
  tenant_id uuid not null,
  video_id uuid not null,
  frame_ms bigint not null,
  manifest_id text not null,
  engine text not null,
  engine_version text not null,
  languages text[] not null,
  min_confidence real not null,
  segment_count integer not null,
  read_at timestamp with time zone not null default now()
);
create table retention_positions (
  tenant_id uuid not null,
  seconds bigint not null,
  definition_ids uuid[] not null,
  "position" timestamp with time zone not null,
  look_again_at timestamp with time zone
);
create table revocations (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  subject text,
  token_id text,
  not_before timestamp with time zone not null default now(),
  created_by text,
  created_at timestamp with time zone not null default now()
);
create table search_materialized (
  segment_id uuid not null,
  tenant_id uuid not null,
  video_id uuid not null,
  t_start bigint not null,
  t_end bigint not null,
  confidence real not null,
  language text not null,
  tsv tsvector not null
);
create table search_pending (
  tenant_id uuid not null,
  video_id uuid not null,
  segment_id uuid not null
);
create table search_videos (
  tenant_id uuid not null,
  video_id uuid not null,
  segment_count integer not null
);
create table search_words (
  id bigint not null generated always as identity,
  tenant_id uuid not null,
  word text not null,
  segment_count integer not null,
  typo_keys bigint[] not null,
  shape text not null
);
-- with fillfactor=80; toast
create table segments (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  video_id uuid not null,
  owner_id text,
  team_id text,
  frame_ms bigint not null,
  t_start bigint not null,
  t_end bigint not null,
  text text not null,
  normalized_text text not null,
  text_hash text not null,
  confidence real not null,
  language text not null,
  bounding_box jsonb not null,
  words jsonb not null default '[]'::jsonb,
  indexed_at timestamp with time zone,
  created_at timestamp with time zone not null default now()
);
create table stored_attempts (
  job_id uuid not null,
  attempt_no integer not null,
  tenant_id uuid not null,
  worker_id text not null,
  status text not null,
  claimed_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone not null default now(),
  error jsonb,
  wall_ms integer,
  cpu_ms integer,
  exit_code integer,
  stdout_tail text,
  stderr_tail text,
  pid integer,
  signal text
);
-- with autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_vacuum_cost_limit=2000, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_max_threshold=100000; toast autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000
create table stored_usage_events (
  id bigint not null generated always as identity,
  tenant_id uuid not null,
  definition_id uuid not null,
  job_id uuid not null,
  attempt_no integer not null,
  outcome text not null,
  wall_ms integer not null,
  cpu_ms integer,
  created_at timestamp with time zone not null default now()
);
-- with autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=10000; toast
create table tenant_jobs (
  tenant_id uuid not null,
  job_id uuid not null
);
-- with autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.1, autovacuum_analyze_scale_factor=0.05; toast
create table tenant_members (
  tenant_id uuid not null,
  user_sub text not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  id uuid not null default uuidv7()
);
create table tenants (
  id uuid not null default uuidv7(),
  slug text not null,
  name text not null,
  weight integer not null default 1,
  paused_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  max_running integer,
  rate_limit_count integer,
  rate_limit_period_seconds integer,
  retention_seconds bigint,
  max_stored_bytes bigint
);
create table trigger_runs (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  trigger_id uuid not null,
  event_id uuid,
  scheduled_at timestamp with time zone,
  outcome text not null,
  job_id uuid,
  reason text,
  created_at timestamp with time zone not null default clock_timestamp()
);
create table triggers (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  definition_id uuid not null,
  label text not null,
  kind text not null,
  is_enabled boolean not null default true,
  event_pattern text,
  condition jsonb,
  cron text,
  every_seconds integer,
  run_at timestamp with time zone,
  time_zone text not null default 'UTC'::text,
  missing_hour text not null default 'after'::text,
  repeated_hour text not null default 'first'::text,
  missed_runs text not null default 'run_once'::text,
  backfill_limit integer not null default 10,
  jitter_seconds integer not null default 0,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  skip_while_active boolean not null default false,
  next_at timestamp with time zone,
  due_at timestamp with time zone,
  last_at timestamp with time zone,
  last_job_id uuid,
  payload_template jsonb not null default '{}'::jsonb,
  priority integer not null default 100,
  dedupe_window_seconds integer not null default 300,
  version bigint not null default 1,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  watched_definition text
);
create table uploads (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  video_id uuid not null,
  size_bytes bigint not null,
  content_type text,
  metadata text not null default ''::text,
  store_state jsonb not null default '{}'::jsonb,
  held_by uuid,
  held_until timestamp with time zone,
  is_wanted boolean not null default false,
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
);
create table usage_amounts (
  tenant_id uuid not null,
  day date not null,
  definition_id uuid not null,
  unit text not null,
  amount bigint not null
);
create table usage_days (
  tenant_id uuid not null,
  day date not null,
  definition_id uuid not null,
  outcome text not null,
  runs bigint not null,
  wall_ms bigint not null,
  cpu_ms bigint not null,
  cpu_runs bigint not null
);
create table usage_rollup (
  id boolean not null default true,
  rolled_until timestamp with time zone not null
);
create table video_puts (
  video_id uuid not null,
  tenant_id uuid not null,
  size_bytes bigint not null,
  stored_bytes bigint not null default 0,
  held_by uuid,
  held_until timestamp with time zone
);
create table videos (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  owner_id text,
  team_id text,
  title text not null,
  status text not null default 'awaiting_upload'::text,
  content_type text,
  original_key text not null,
  proxy_key text,
  thumb_key text,
  size_bytes bigint,
  duration_ms bigint,
  width_px integer,
  height_px integer,
  fps double precision,
  error jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version bigint not null default 1,
  changed_xid xid8 not null default pg_current_xact_id(),
  languages text[],
  processing jsonb,
  made_bytes bigint not null default 0
);
create table webhook_deliveries (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  endpoint_id uuid not null,
  job_id uuid not null,
  run_no integer not null,
  message_id text not null,
  event_name text not null,
  outcome text not null,
  status_code integer,
  error text,
  answer text,
  duration_ms integer not null default 0,
  attempted_at timestamp with time zone not null default clock_timestamp()
);
create table webhook_endpoints (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  label text not null,
  url text not null,
  pause_after_seconds integer not null default 86400,
  paused_at timestamp with time zone,
  pause_reason text,
  consecutive_failures integer not null default 0,
  failing_since timestamp with time zone,
  last_delivered_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  version bigint not null default 1
);
create table webhook_receipts (
  source_id uuid not null,
  tenant_id uuid not null,
  message_id text not null,
  event_id uuid not null,
  received_at timestamp with time zone not null default clock_timestamp()
);
create table webhook_secrets (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  owner_id uuid not null,
  secret jsonb not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp()
);
create table webhook_sources (
  id uuid not null default uuidv7(),
  tenant_id uuid not null,
  label text not null,
  event_name text not null,
  verification text not null,
  is_enabled boolean not null default true,
  received_count bigint not null default 0,
  last_received_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  version bigint not null default 1,
  trigger_id uuid,
  link_url_field text
);

-- Constraints

alter table api_key_uses add constraint api_key_uses_key_id_fkey FOREIGN KEY (key_id) REFERENCES millrace.api_keys(id) ON DELETE CASCADE;
alter table api_key_uses add constraint api_key_uses_pkey PRIMARY KEY (key_id);
alter table api_keys add constraint api_keys_job_types_check CHECK (((cardinality(job_types) <= 100) AND (array_position(job_types, NULL::text) IS NULL)));
alter table api_keys add constraint api_keys_key_hash_check CHECK ((length(key_hash) = 32));
alter table api_keys add constraint api_keys_key_hash_key UNIQUE (key_hash);
alter table api_keys add constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);
alter table api_keys add constraint api_keys_role_check CHECK ((role = ANY (ARRAY['worker'::text, 'member'::text, 'tenant_admin'::text, 'super_admin'::text])));
alter table api_keys add constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table app_events add constraint app_events_chain_depth_check CHECK ((chain_depth >= 0));
alter table app_events add constraint app_events_correlation_id_check CHECK ((length(correlation_id) <= 255));
alter table app_events add constraint app_events_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table app_events add constraint app_events_origin_key_check CHECK ((length(origin_key) <= 200));
alter table app_events add constraint app_events_pkey PRIMARY KEY (id);
alter table app_events add constraint app_events_source_check CHECK ((source = ANY (ARRAY['api'::text, 'sql'::text, 'system'::text, 'webhook'::text])));
alter table app_events add constraint app_events_source_ref_check CHECK ((length(source_ref) <= 1024));
alter table app_events add constraint app_events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table artifacts add constraint artifacts_pkey PRIMARY KEY (id);
alter table artifacts add constraint artifacts_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));
alter table artifacts add constraint artifacts_size_bytes_check CHECK ((size_bytes >= 0));
alter table artifacts add constraint artifacts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table artifacts add constraint artifacts_tenant_id_key_key UNIQUE (tenant_id, key);
alter table audit_log add constraint audit_log_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100)));
alter table audit_log add constraint audit_log_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300)));
alter table audit_log add constraint audit_log_pkey PRIMARY KEY (id);
alter table audit_log add constraint audit_log_target_id_check CHECK (((length(target_id) >= 1) AND (length(target_id) <= 300)));
alter table audit_log add constraint audit_log_target_type_check CHECK (((length(target_type) >= 1) AND (length(target_type) <= 100)));
alter table bulk_actions add constraint bulk_actions_end_check CHECK (((status = 'running'::text) = (finished_at IS NULL)));
alter table bulk_actions add constraint bulk_actions_pkey PRIMARY KEY (id);
alter table bulk_actions add constraint bulk_actions_status_check CHECK ((status = ANY (ARRAY['running'::text, 'succeeded'::text, 'stopped'::text, 'failed'::text])));
alter table bulk_actions add constraint bulk_actions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table bulk_actions add constraint bulk_actions_verb_check CHECK ((verb = ANY (ARRAY['cancel'::text, 'retry'::text])));
alter table call_analyses add constraint call_analyses_call_id_fkey FOREIGN KEY (call_id) REFERENCES millrace.calls(id) ON DELETE CASCADE;
alter table call_analyses add constraint call_analyses_pkey PRIMARY KEY (call_id, transcript_hash, version);
alter table call_transcripts add constraint call_transcripts_call_id_fkey FOREIGN KEY (call_id) REFERENCES millrace.calls(id) ON DELETE CASCADE;
alter table call_transcripts add constraint call_transcripts_empty_check CHECK ((has_text = (empty_reason IS NULL)));
alter table call_transcripts add constraint call_transcripts_pkey PRIMARY KEY (call_id);
alter table call_transcripts add constraint call_transcripts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table call_turns add constraint call_turns_call_id_fkey FOREIGN KEY (call_id) REFERENCES millrace.call_transcripts(call_id) ON DELETE CASCADE;
alter table call_turns add constraint call_turns_pkey PRIMARY KEY (call_id, "position");
alter table call_turns add constraint call_turns_times_check CHECK (((start_ms >= 0) AND (end_ms >= start_ms)));
alter table call_words add constraint call_words_pkey PRIMARY KEY (tenant_id, word);
alter table call_words add constraint call_words_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table calls add constraint calls_pkey PRIMARY KEY (id);
alter table calls add constraint calls_recording_check CHECK (((recording_key IS NOT NULL) OR (source_url IS NOT NULL)));
alter table calls add constraint calls_status_check CHECK ((status = ANY (ARRAY['awaiting_upload'::text, 'queued'::text, 'transcribing'::text, 'analyzing'::text, 'ready'::text, 'failed'::text])));
alter table calls add constraint calls_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table clips add constraint clips_call_id_fkey FOREIGN KEY (call_id) REFERENCES millrace.calls(id) ON DELETE CASCADE;
alter table clips add constraint clips_check CHECK ((t_end_ms > t_start_ms));
alter table clips add constraint clips_check1 CHECK ((end_ms >= start_ms));
alter table clips add constraint clips_check2 CHECK (((status <> 'ready'::text) OR ((object_key IS NOT NULL) AND (size_bytes IS NOT NULL) AND (sha256 IS NOT NULL) AND (start_ms IS NOT NULL) AND (end_ms IS NOT NULL))));
alter table clips add constraint clips_height_px_check CHECK ((height_px > 0));
alter table clips add constraint clips_kept_seconds_check CHECK ((kept_seconds > 0));
alter table clips add constraint clips_padding_ms_check CHECK ((padding_ms >= 0));
alter table clips add constraint clips_pkey PRIMARY KEY (id);
alter table clips add constraint clips_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));
alter table clips add constraint clips_size_bytes_check CHECK ((size_bytes >= 0));
alter table clips add constraint clips_source_check CHECK ((num_nonnulls(video_id, call_id) = 1));
alter table clips add constraint clips_start_ms_check CHECK ((start_ms >= 0));
alter table clips add constraint clips_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text, 'expired'::text])));
alter table clips add constraint clips_t_start_ms_check CHECK ((t_start_ms >= 0));
alter table clips add constraint clips_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table clips add constraint clips_tenant_id_video_id_t_start_ms_t_end_ms_padding_ms_key UNIQUE (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms);
alter table clips add constraint clips_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE RESTRICT;
alter table clips add constraint clips_width_px_check CHECK ((width_px > 0));
alter table deleted_job_logs add constraint deleted_job_logs_pkey PRIMARY KEY (job_id);
alter table deleted_media add constraint deleted_media_check CHECK (((kind = 'video'::text) = (original_key IS NOT NULL)));
alter table deleted_media add constraint deleted_media_kind_check CHECK ((kind = ANY (ARRAY['video'::text, 'clip'::text, 'call'::text, 'call_clip'::text])));
alter table deleted_media add constraint deleted_media_pkey PRIMARY KEY (id);
alter table deleted_media add constraint deleted_media_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table entities add constraint entities_check CHECK (((entity_type = 'number'::text) = (subtype IS NOT NULL)));
alter table entities add constraint entities_entity_type_check CHECK ((entity_type = ANY (ARRAY['mention'::text, 'hashtag'::text, 'url'::text, 'emoji'::text, 'number'::text])));
alter table entities add constraint entities_pkey PRIMARY KEY (id);
alter table entities add constraint entities_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES millrace.segments(id) ON DELETE CASCADE;
alter table entities add constraint entities_subtype_check CHECK ((subtype = ANY (ARRAY['price'::text, 'phone'::text, 'count'::text, 'percent'::text, 'plain'::text])));
alter table entities add constraint entities_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table entities add constraint entities_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE RESTRICT;
alter table idempotency_keys add constraint idempotency_keys_credential_check CHECK ((length(credential) <= 300));
alter table idempotency_keys add constraint idempotency_keys_fingerprint_check CHECK ((length(fingerprint) <= 100));
alter table idempotency_keys add constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)));
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, credential, key);
alter table idempotency_keys add constraint idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE CASCADE;
alter table job_definitions add constraint job_definitions_enqueue_role_check CHECK ((enqueue_role = ANY (ARRAY['member'::text, 'tenant_admin'::text, 'system'::text])));
alter table job_definitions add constraint job_definitions_key_check CHECK ((key ~ '^[a-z][a-z0-9_.-]{0,99}$'::text));
alter table job_definitions add constraint job_definitions_key_key UNIQUE (key);
alter table job_definitions add constraint job_definitions_lease_seconds_check CHECK (((lease_seconds >= 2) AND (lease_seconds <= 3600)));
alter table job_definitions add constraint job_definitions_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000)));
alter table job_definitions add constraint job_definitions_max_running_check CHECK ((max_running >= 1));
alter table job_definitions add constraint job_definitions_max_running_per_tenant_check CHECK ((max_running_per_tenant >= 1));
alter table job_definitions add constraint job_definitions_max_snoozes_check CHECK ((max_snoozes >= 0));
alter table job_definitions add constraint job_definitions_override_check CHECK ((jsonb_typeof(override) = 'object'::text));
alter table job_definitions add constraint job_definitions_pkey PRIMARY KEY (id);
alter table job_definitions add constraint job_definitions_rate_limit_count_check CHECK ((rate_limit_count >= 1));
alter table job_definitions add constraint job_definitions_rate_limit_per_tenant_count_check CHECK ((rate_limit_per_tenant_count >= 1));
alter table job_definitions add constraint job_definitions_rate_limit_per_tenant_period_seconds_check CHECK (((rate_limit_per_tenant_period_seconds >= 1) AND (rate_limit_per_tenant_period_seconds <= 86400)));
alter table job_definitions add constraint job_definitions_rate_limit_period_seconds_check CHECK (((rate_limit_period_seconds >= 1) AND (rate_limit_period_seconds <= 86400)));
alter table job_definitions add constraint job_definitions_rate_whole CHECK (((rate_limit_count IS NULL) = (rate_limit_period_seconds IS NULL)));
alter table job_definitions add constraint job_definitions_retention_seconds_check CHECK ((retention_seconds >= 0));
alter table job_definitions add constraint job_definitions_snooze_deadline_seconds_check CHECK ((snooze_deadline_seconds >= 1));
alter table job_definitions add constraint job_definitions_tenant_rate_whole CHECK (((rate_limit_per_tenant_count IS NULL) = (rate_limit_per_tenant_period_seconds IS NULL)));
alter table job_definitions add constraint job_definitions_timeout_seconds_check CHECK (((timeout_seconds >= 1) AND (timeout_seconds <= 604800)));
alter table job_dependencies add constraint job_dependencies_check CHECK ((job_id <> depends_on_id));
alter table job_dependencies add constraint job_dependencies_pkey PRIMARY KEY (job_id, depends_on_id);
alter table job_dependencies add constraint job_dependencies_policy_check CHECK ((policy = ANY (ARRAY['cancel'::text, 'skip'::text, 'run'::text])));
alter table job_files add constraint job_files_key_check CHECK ((length(key) <= 1024));
alter table job_files add constraint job_files_pkey PRIMARY KEY (key);
alter table job_files add constraint job_files_size_bytes_check CHECK ((size_bytes >= 0));
alter table job_files add constraint job_files_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table job_log_lines add constraint job_log_lines_level_check CHECK ((level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text])));
alter table job_log_lines add constraint job_log_lines_pkey PRIMARY KEY (job_id, run_no, line_no);
alter table job_progress add constraint job_progress_percent_check CHECK (((percent >= (0)::double precision) AND (percent <= (100)::double precision)));
alter table job_progress add constraint job_progress_pkey PRIMARY KEY (job_id);
alter table job_tombstones add constraint job_tombstones_pkey PRIMARY KEY (job_id);
alter table job_workers add constraint job_workers_pkey PRIMARY KEY (worker_id);
alter table jobs add constraint jobs_pkey PRIMARY KEY (id);
alter table jobs add constraint jobs_status_check CHECK (
CASE
    WHEN (lease_token IS NOT NULL) THEN ((status = 'running'::text) AND (lease_expires_at IS NOT NULL) AND (finished_at IS NULL))
    WHEN (finished_at IS NOT NULL) THEN ((status = ANY ('{succeeded,failed,canceled,dead_letter}'::text[])) AND (lease_expires_at IS NULL))
    ELSE ((status = 'queued'::text) AND (lease_expires_at IS NULL))
END);
alter table lane_limits add constraint lane_limits_check CHECK (((rate_limit_count IS NULL) = (rate_limit_period_seconds IS NULL)));
alter table lane_limits add constraint lane_limits_definition_id_fkey FOREIGN KEY (definition_id) REFERENCES millrace.job_definitions(id) ON DELETE RESTRICT;
alter table lane_limits add constraint lane_limits_max_running_check CHECK ((max_running >= 1));
alter table lane_limits add constraint lane_limits_pkey PRIMARY KEY (tenant_id, definition_id);
alter table lane_limits add constraint lane_limits_rate_limit_count_check CHECK ((rate_limit_count >= 1));
alter table lane_limits add constraint lane_limits_rate_limit_period_seconds_check CHECK (((rate_limit_period_seconds >= 1) AND (rate_limit_period_seconds <= 86400)));
alter table lane_limits add constraint lane_limits_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table limit_gates add constraint limit_gates_check CHECK (((tenant_id IS NOT NULL) = (scope = ANY (ARRAY['tenant'::text, 'lane'::text]))));
alter table limit_gates add constraint limit_gates_check1 CHECK (((definition_id IS NOT NULL) = (scope = ANY (ARRAY['definition'::text, 'lane'::text]))));
alter table limit_gates add constraint limit_gates_pkey PRIMARY KEY (id);
alter table limit_gates add constraint limit_gates_scope_check CHECK ((scope = ANY (ARRAY['definition'::text, 'tenant'::text, 'lane'::text])));
alter table limit_gates add constraint limit_gates_scope_tenant_id_definition_id_key UNIQUE NULLS NOT DISTINCT (scope, tenant_id, definition_id);
alter table link_hosts add constraint link_hosts_host_check CHECK (((length(host) >= 1) AND (length(host) <= 300)));
alter table link_hosts add constraint link_hosts_pkey PRIMARY KEY (host);
alter table link_hosts add constraint link_hosts_robots_check CHECK ((length(robots) <= 600000));
alter table link_texts add constraint link_texts_link_id_fkey FOREIGN KEY (link_id) REFERENCES millrace.links(id) ON DELETE CASCADE;
alter table link_texts add constraint link_texts_pkey PRIMARY KEY (link_id);
alter table link_texts add constraint link_texts_text_check CHECK ((length(text) <= 1000000));
alter table link_vectors add constraint link_vectors_check CHECK ((octet_length(vector) = (4 * dimensions)));
alter table link_vectors add constraint link_vectors_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 16000)));
alter table link_vectors add constraint link_vectors_link_id_fkey FOREIGN KEY (link_id) REFERENCES millrace.links(id) ON DELETE CASCADE;
alter table link_vectors add constraint link_vectors_model_check CHECK (((length(model) >= 1) AND (length(model) <= 200)));
alter table link_vectors add constraint link_vectors_pkey PRIMARY KEY (tenant_id, model, link_id) INCLUDE (code);
alter table links add constraint links_author_check CHECK ((length(author) <= 1000));
alter table links add constraint links_canonical_url_check CHECK ((length(canonical_url) <= 4096));
alter table links add constraint links_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text));
alter table links add constraint links_description_check CHECK ((length(description) <= 10000));
alter table links add constraint links_duration_seconds_check CHECK ((duration_seconds >= 0));
alter table links add constraint links_embedded_by_check CHECK ((length(embedded_by) <= 200));
alter table links add constraint links_enriched_by_check CHECK ((length(enriched_by) <= 200));
alter table links add constraint links_enriched_hash_check CHECK ((enriched_hash ~ '^[0-9a-f]{64}$'::text));
alter table links add constraint links_image_url_check CHECK ((length(image_url) <= 4096));
alter table links add constraint links_language_check CHECK ((length(language) <= 35));
alter table links add constraint links_pkey PRIMARY KEY (id);
alter table links add constraint links_processing_error_check CHECK ((length(processing_error) <= 4000));
alter table links add constraint links_scraped_by_check CHECK ((length(scraped_by) <= 200));
alter table links add constraint links_site_name_check CHECK ((length(site_name) <= 1000));
alter table links add constraint links_source_ref_check CHECK (((length(source_ref) >= 1) AND (length(source_ref) <= 1024)));
alter table links add constraint links_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'scraping'::text, 'enriching'::text, 'done'::text, 'failed'::text])));
alter table links add constraint links_summary_check CHECK ((length(summary) <= 20000));
alter table links add constraint links_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table links add constraint links_text_kind_check CHECK ((text_kind = ANY (ARRAY['transcript'::text, 'article'::text])));
alter table links add constraint links_text_length_check CHECK ((text_length >= 0));
alter table links add constraint links_title_check CHECK ((length(title) <= 1000));
alter table links add constraint links_url_check CHECK (((length(url) >= 1) AND (length(url) <= 4096)));
alter table maintenance_duties add constraint maintenance_duties_error_check CHECK ((length(error) <= 500));
alter table maintenance_duties add constraint maintenance_duties_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
alter table maintenance_duties add constraint maintenance_duties_pkey PRIMARY KEY (name);
alter table maintenance_leader add constraint maintenance_leader_id_check CHECK (id);
alter table maintenance_leader add constraint maintenance_leader_pkey PRIMARY KEY (id);
alter table media_tombstones add constraint media_tombstones_kind_check CHECK ((kind = ANY (ARRAY['video'::text, 'clip'::text, 'link'::text, 'call'::text])));
alter table media_tombstones add constraint media_tombstones_pkey PRIMARY KEY (id);
alter table ocr_frames add constraint ocr_frames_frame_ms_check CHECK ((frame_ms >= 0));
alter table ocr_frames add constraint ocr_frames_pkey PRIMARY KEY (tenant_id, video_id, frame_ms);
alter table ocr_frames add constraint ocr_frames_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table ocr_frames add constraint ocr_frames_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE RESTRICT;
alter table retention_positions add constraint retention_positions_pkey PRIMARY KEY (tenant_id, seconds);
alter table retention_positions add constraint retention_positions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE CASCADE;
alter table revocations add constraint revocations_check CHECK (((subject IS NOT NULL) OR (token_id IS NOT NULL)));
alter table revocations add constraint revocations_pkey PRIMARY KEY (id);
alter table revocations add constraint revocations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table search_materialized add constraint search_materialized_pkey PRIMARY KEY (segment_id);
alter table search_pending add constraint search_pending_pkey PRIMARY KEY (tenant_id, video_id, segment_id);
alter table search_videos add constraint search_videos_pkey PRIMARY KEY (tenant_id, video_id);
alter table search_words add constraint search_words_pkey PRIMARY KEY (id);
alter table segments add constraint segments_check CHECK ((t_end >= t_start));
alter table segments add constraint segments_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)));
alter table segments add constraint segments_frame_ms_check CHECK ((frame_ms >= 0));
alter table segments add constraint segments_pkey PRIMARY KEY (id);
alter table segments add constraint segments_t_start_check CHECK ((t_start >= 0));
alter table segments add constraint segments_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table segments add constraint segments_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE RESTRICT;
alter table stored_attempts add constraint stored_attempts_pkey PRIMARY KEY (job_id, attempt_no);
alter table stored_attempts add constraint stored_attempts_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'skipped'::text, 'failed'::text, 'timeout'::text, 'canceled'::text, 'lost'::text, 'interrupted'::text])));
alter table stored_usage_events add constraint stored_usage_events_pkey PRIMARY KEY (tenant_id, created_at, id);
alter table stored_usage_events add constraint usage_events_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'skipped'::text, 'failed'::text, 'timeout'::text, 'canceled'::text, 'lost'::text, 'snoozed'::text, 'handed_back'::text])));
alter table tenant_jobs add constraint tenant_jobs_pkey PRIMARY KEY (tenant_id, job_id);
alter table tenant_members add constraint tenant_members_pkey PRIMARY KEY (tenant_id, user_sub);
alter table tenant_members add constraint tenant_members_role_check CHECK ((role = ANY (ARRAY['member'::text, 'tenant_admin'::text])));
alter table tenant_members add constraint tenant_members_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table tenant_members add constraint tenant_members_user_sub_check CHECK (((length(user_sub) >= 1) AND (length(user_sub) <= 255)));
alter table tenants add constraint tenants_max_running_check CHECK ((max_running >= 1));
alter table tenants add constraint tenants_max_stored_bytes_check CHECK ((max_stored_bytes > 0));
alter table tenants add constraint tenants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)));
alter table tenants add constraint tenants_pkey PRIMARY KEY (id);
alter table tenants add constraint tenants_rate_limit_count_check CHECK ((rate_limit_count >= 1));
alter table tenants add constraint tenants_rate_limit_period_seconds_check CHECK (((rate_limit_period_seconds >= 1) AND (rate_limit_period_seconds <= 86400)));
alter table tenants add constraint tenants_rate_whole CHECK (((rate_limit_count IS NULL) = (rate_limit_period_seconds IS NULL)));
alter table tenants add constraint tenants_retention_seconds_check CHECK ((retention_seconds >= 0));
alter table tenants add constraint tenants_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text));
alter table tenants add constraint tenants_slug_key UNIQUE (slug);
alter table tenants add constraint tenants_weight_check CHECK (((weight >= 1) AND (weight <= 100)));
alter table trigger_runs add constraint trigger_runs_check CHECK ((num_nonnulls(event_id, scheduled_at) <= 1));
alter table trigger_runs add constraint trigger_runs_event_id_fkey FOREIGN KEY (event_id) REFERENCES millrace.app_events(id) ON DELETE CASCADE;
alter table trigger_runs add constraint trigger_runs_outcome_check CHECK ((outcome = ANY (ARRAY['enqueued'::text, 'duplicate'::text, 'disabled'::text, 'condition_false'::text, 'template_error'::text, 'payload_refused'::text, 'definition_inactive'::text, 'still_active'::text, 'missed'::text, 'chain_too_deep'::text])));
alter table trigger_runs add constraint trigger_runs_pkey PRIMARY KEY (id);
alter table trigger_runs add constraint trigger_runs_reason_check CHECK ((length(reason) <= 2000));
alter table trigger_runs add constraint trigger_runs_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES millrace.triggers(id) ON DELETE CASCADE;
alter table triggers add constraint triggers_backfill_limit_check CHECK (((backfill_limit >= 1) AND (backfill_limit <= 1000)));
alter table triggers add constraint triggers_check CHECK (((kind = 'event'::text) = (event_pattern IS NOT NULL)));
alter table triggers add constraint triggers_check1 CHECK (((kind = 'schedule'::text) OR (condition IS NULL) OR (jsonb_typeof(condition) = 'object'::text)));
alter table triggers add constraint triggers_check2 CHECK ((num_nonnulls(cron, every_seconds, run_at) =
CASE kind
    WHEN 'schedule'::text THEN 1
    ELSE 0
END));
alter table triggers add constraint triggers_check3 CHECK (((next_at IS NULL) = (due_at IS NULL)));
alter table triggers add constraint triggers_check4 CHECK ((starts_at < ends_at));
alter table triggers add constraint triggers_cron_check CHECK (((length(cron) >= 1) AND (length(cron) <= 200)));
alter table triggers add constraint triggers_dedupe_window_seconds_check CHECK (((dedupe_window_seconds >= 0) AND (dedupe_window_seconds <= 31622400)));
alter table triggers add constraint triggers_definition_id_fkey FOREIGN KEY (definition_id) REFERENCES millrace.job_definitions(id) ON DELETE RESTRICT;
alter table triggers add constraint triggers_event_pattern_check CHECK (((length(event_pattern) >= 1) AND (length(event_pattern) <= 200)));
alter table triggers add constraint triggers_every_seconds_check CHECK (((every_seconds >= 1) AND (every_seconds <= 31622400)));
alter table triggers add constraint triggers_jitter_seconds_check CHECK (((jitter_seconds >= 0) AND (jitter_seconds <= 86400)));
alter table triggers add constraint triggers_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'schedule'::text])));
alter table triggers add constraint triggers_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200)));
alter table triggers add constraint triggers_missed_runs_check CHECK ((missed_runs = ANY (ARRAY['skip'::text, 'run_once'::text, 'backfill'::text])));
alter table triggers add constraint triggers_missing_hour_check CHECK ((missing_hour = ANY (ARRAY['after'::text, 'skip'::text])));
alter table triggers add constraint triggers_pkey PRIMARY KEY (id);
alter table triggers add constraint triggers_priority_check CHECK (((priority >= 0) AND (priority <= 1000000)));
alter table triggers add constraint triggers_repeated_hour_check CHECK ((repeated_hour = ANY (ARRAY['first'::text, 'both'::text])));
alter table triggers add constraint triggers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table triggers add constraint triggers_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64)));
alter table triggers add constraint triggers_watched_definition_check CHECK ((length(watched_definition) <= 200));
alter table uploads add constraint uploads_check CHECK (((held_by IS NULL) = (held_until IS NULL)));
alter table uploads add constraint uploads_pkey PRIMARY KEY (id);
alter table uploads add constraint uploads_size_bytes_check CHECK ((size_bytes > 0));
alter table uploads add constraint uploads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table uploads add constraint uploads_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE RESTRICT;
alter table uploads add constraint uploads_video_id_key UNIQUE (video_id);
alter table usage_amounts add constraint usage_amounts_amount_check CHECK ((amount >= 0));
alter table usage_amounts add constraint usage_amounts_pkey PRIMARY KEY (tenant_id, day, definition_id, unit);
alter table usage_amounts add constraint usage_amounts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table usage_amounts add constraint usage_amounts_unit_check CHECK ((unit = ANY (ARRAY['audio_ms'::text, 'input_tokens'::text, 'output_tokens'::text, 'cost_micros'::text])));
alter table usage_days add constraint usage_days_pkey PRIMARY KEY (tenant_id, day, definition_id, outcome);
alter table usage_rollup add constraint usage_rollup_id_check CHECK (id);
alter table usage_rollup add constraint usage_rollup_pkey PRIMARY KEY (id);
alter table video_puts add constraint video_puts_check CHECK (((held_by IS NULL) = (held_until IS NULL)));
alter table video_puts add constraint video_puts_pkey PRIMARY KEY (video_id);
alter table video_puts add constraint video_puts_size_bytes_check CHECK ((size_bytes >= 0));
alter table video_puts add constraint video_puts_stored_bytes_check CHECK ((stored_bytes >= 0));
alter table video_puts add constraint video_puts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table video_puts add constraint video_puts_video_id_fkey FOREIGN KEY (video_id) REFERENCES millrace.videos(id) ON DELETE CASCADE;
alter table videos add constraint videos_duration_ms_check CHECK ((duration_ms >= 0));
alter table videos add constraint videos_height_px_check CHECK ((height_px > 0));
alter table videos add constraint videos_languages_check CHECK (((cardinality(languages) >= 1) AND (cardinality(languages) <= 10)));
alter table videos add constraint videos_pkey PRIMARY KEY (id);
alter table videos add constraint videos_processing_check CHECK ((jsonb_typeof(processing) = 'object'::text));
alter table videos add constraint videos_size_bytes_check CHECK ((size_bytes >= 0));
alter table videos add constraint videos_status_check CHECK ((status = ANY (ARRAY['awaiting_upload'::text, 'uploaded'::text, 'processing'::text, 'transcoded'::text, 'ready'::text, 'failed'::text])));
alter table videos add constraint videos_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table videos add constraint videos_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500)));
alter table videos add constraint videos_width_px_check CHECK ((width_px > 0));
alter table webhook_deliveries add constraint webhook_deliveries_answer_check CHECK ((length(answer) <= 2000));
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES millrace.webhook_endpoints(id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_error_check CHECK ((length(error) <= 1000));
alter table webhook_deliveries add constraint webhook_deliveries_event_name_check CHECK ((length(event_name) <= 200));
alter table webhook_deliveries add constraint webhook_deliveries_message_id_check CHECK ((length(message_id) <= 255));
alter table webhook_deliveries add constraint webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text, 'skipped'::text])));
alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (id);
alter table webhook_deliveries add constraint webhook_deliveries_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table webhook_endpoints add constraint webhook_endpoints_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200)));
alter table webhook_endpoints add constraint webhook_endpoints_pause_after_seconds_check CHECK (((pause_after_seconds >= 60) AND (pause_after_seconds <= 2592000)));
alter table webhook_endpoints add constraint webhook_endpoints_pause_reason_check CHECK ((length(pause_reason) <= 1000));
alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (id);
alter table webhook_endpoints add constraint webhook_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table webhook_endpoints add constraint webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 4096)));
alter table webhook_receipts add constraint webhook_receipts_message_id_check CHECK ((length(message_id) <= 255));
alter table webhook_receipts add constraint webhook_receipts_pkey PRIMARY KEY (source_id, message_id);
alter table webhook_receipts add constraint webhook_receipts_source_id_fkey FOREIGN KEY (source_id) REFERENCES millrace.webhook_sources(id) ON DELETE CASCADE;
alter table webhook_receipts add constraint webhook_receipts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table webhook_secrets add constraint webhook_secrets_pkey PRIMARY KEY (id);
alter table webhook_secrets add constraint webhook_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table webhook_sources add constraint webhook_sources_event_name_check CHECK (((length(event_name) >= 1) AND (length(event_name) <= 200)));
alter table webhook_sources add constraint webhook_sources_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200)));
alter table webhook_sources add constraint webhook_sources_link_url_field_check CHECK (((length(link_url_field) >= 1) AND (length(link_url_field) <= 200)));
alter table webhook_sources add constraint webhook_sources_pkey PRIMARY KEY (id);
alter table webhook_sources add constraint webhook_sources_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES millrace.tenants(id) ON DELETE RESTRICT;
alter table webhook_sources add constraint webhook_sources_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES millrace.triggers(id) ON DELETE CASCADE;
alter table webhook_sources add constraint webhook_sources_verification_check CHECK ((verification = ANY (ARRAY['standard'::text, 'github'::text, 'token'::text])));

-- Indexes

CREATE UNIQUE INDEX api_key_uses_pkey ON millrace.api_key_uses USING btree (key_id);
CREATE UNIQUE INDEX api_keys_key_hash_key ON millrace.api_keys USING btree (key_hash);
CREATE UNIQUE INDEX api_keys_pkey ON millrace.api_keys USING btree (id);
CREATE INDEX api_keys_tenant_idx ON millrace.api_keys USING btree (tenant_id, id);
CREATE INDEX app_events_name_idx ON millrace.app_events USING btree (tenant_id, name, id DESC);
CREATE UNIQUE INDEX app_events_origin_idx ON millrace.app_events USING btree (origin_key) WHERE (origin_key IS NOT NULL);
CREATE INDEX app_events_own_idx ON millrace.app_events USING btree (tenant_id, source_ref) WHERE (source = 'system'::text);
CREATE INDEX app_events_pending_idx ON millrace.app_events USING btree (id) WHERE (processed_at IS NULL);
CREATE UNIQUE INDEX app_events_pkey ON millrace.app_events USING btree (id);
CREATE INDEX app_events_tenant_idx ON millrace.app_events USING btree (tenant_id, id DESC);
CREATE INDEX artifacts_named_idx ON millrace.artifacts USING btree (job_id, kind, key COLLATE millrace.natural_order);
CREATE UNIQUE INDEX artifacts_pkey ON millrace.artifacts USING btree (id);
CREATE INDEX artifacts_subject_idx ON millrace.artifacts USING btree (tenant_id, subject_type, subject_id, kind);
CREATE UNIQUE INDEX artifacts_tenant_id_key_key ON millrace.artifacts USING btree (tenant_id, key);
CREATE UNIQUE INDEX audit_log_pkey ON millrace.audit_log USING btree (id);
CREATE INDEX audit_log_tenant_idx ON millrace.audit_log USING btree (tenant_id, id);
CREATE INDEX bulk_actions_changed_xid_idx ON millrace.bulk_actions USING btree (changed_xid);
CREATE INDEX bulk_actions_finished_idx ON millrace.bulk_actions USING btree (finished_at) WHERE (status <> 'running'::text);
CREATE INDEX bulk_actions_history_idx ON millrace.bulk_actions USING btree (tenant_id, id);
CREATE UNIQUE INDEX bulk_actions_pkey ON millrace.bulk_actions USING btree (id);
CREATE INDEX bulk_actions_running_idx ON millrace.bulk_actions USING btree (held_until) WHERE (status = 'running'::text);
CREATE UNIQUE INDEX call_analyses_pkey ON millrace.call_analyses USING btree (call_id, transcript_hash, version);
CREATE UNIQUE INDEX call_transcripts_pkey ON millrace.call_transcripts USING btree (call_id);
CREATE INDEX call_transcripts_usage_idx ON millrace.call_transcripts USING btree (tenant_id, created_at);
CREATE UNIQUE INDEX call_turns_pkey ON millrace.call_turns USING btree (call_id, "position");
CREATE INDEX call_turns_tsv_idx ON millrace.call_turns USING gin (tsv);
CREATE UNIQUE INDEX call_words_pkey ON millrace.call_words USING btree (tenant_id, word);
CREATE INDEX call_words_typo_keys_idx ON millrace.call_words USING gin (typo_keys);
CREATE INDEX calls_changed_xid_idx ON millrace.calls USING btree (changed_xid);
CREATE INDEX calls_history_idx ON millrace.calls USING btree (tenant_id, id);
CREATE INDEX calls_in_work_idx ON millrace.calls USING btree (tenant_id, id) WHERE (status = ANY (ARRAY['queued'::text, 'transcribing'::text, 'analyzing'::text]));
CREATE UNIQUE INDEX calls_pkey ON millrace.calls USING btree (id);
CREATE INDEX clips_call_idx ON millrace.clips USING btree (tenant_id, call_id, id) WHERE (call_id IS NOT NULL);
CREATE UNIQUE INDEX clips_call_range_key ON millrace.clips USING btree (call_id, t_start_ms, t_end_ms, padding_ms) WHERE (call_id IS NOT NULL);
CREATE INDEX clips_changed_xid_idx ON millrace.clips USING btree (changed_xid);
CREATE INDEX clips_expiry_idx ON millrace.clips USING btree (expires_at) WHERE (status = ANY (ARRAY['ready'::text, 'failed'::text]));
CREATE INDEX clips_history_idx ON millrace.clips USING btree (tenant_id, id);
CREATE INDEX clips_in_work_idx ON millrace.clips USING btree (tenant_id, id) WHERE (status = 'queued'::text);
CREATE INDEX clips_job_idx ON millrace.clips USING btree (job_id);
CREATE UNIQUE INDEX clips_pkey ON millrace.clips USING btree (id);
CREATE UNIQUE INDEX clips_tenant_id_video_id_t_start_ms_t_end_ms_padding_ms_key ON millrace.clips USING btree (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms);
CREATE INDEX clips_video_idx ON millrace.clips USING btree (tenant_id, video_id, id);
CREATE UNIQUE INDEX deleted_job_logs_pkey ON millrace.deleted_job_logs USING btree (job_id);
CREATE UNIQUE INDEX deleted_media_pkey ON millrace.deleted_media USING btree (id);
CREATE INDEX deleted_media_sweep_idx ON millrace.deleted_media USING btree (next_sweep_at);
CREATE INDEX deleted_media_tenant_idx ON millrace.deleted_media USING btree (tenant_id);
CREATE UNIQUE INDEX entities_pkey ON millrace.entities USING btree (id);
CREATE INDEX entities_segment_idx ON millrace.entities USING btree (segment_id);
CREATE INDEX idempotency_keys_expires_idx ON millrace.idempotency_keys USING btree (expires_at);
CREATE UNIQUE INDEX idempotency_keys_pkey ON millrace.idempotency_keys USING btree (tenant_id, credential, key);
CREATE UNIQUE INDEX job_definitions_key_key ON millrace.job_definitions USING btree (key);
CREATE UNIQUE INDEX job_definitions_pkey ON millrace.job_definitions USING btree (id);
CREATE INDEX job_dependencies_parent_idx ON millrace.job_dependencies USING btree (depends_on_id, job_id);
CREATE UNIQUE INDEX job_dependencies_pkey ON millrace.job_dependencies USING btree (job_id, depends_on_id);
CREATE INDEX job_files_gone_idx ON millrace.job_files USING btree (created_at) WHERE (job_id IS NULL);
CREATE INDEX job_files_held_idx ON millrace.job_files USING btree (held_until) WHERE (uploaded_at IS NULL);
CREATE INDEX job_files_job_idx ON millrace.job_files USING btree (job_id);
CREATE UNIQUE INDEX job_files_pkey ON millrace.job_files USING btree (key);
CREATE INDEX job_files_tenant_idx ON millrace.job_files USING btree (tenant_id) INCLUDE (size_bytes, uploaded_at, held_until);
CREATE UNIQUE INDEX job_log_lines_pkey ON millrace.job_log_lines USING btree (job_id, run_no, line_no);
CREATE INDEX job_progress_changed_idx ON millrace.job_progress USING brin (millrace.xid_number(changed_xid)) WITH (pages_per_range='4', autosummarize='on');
CREATE UNIQUE INDEX job_progress_pkey ON millrace.job_progress USING btree (job_id);
CREATE INDEX job_tombstones_changed_idx ON millrace.job_tombstones USING btree (changed_xid, tenant_id);
CREATE INDEX job_tombstones_deleted_idx ON millrace.job_tombstones USING btree (deleted_at);
CREATE UNIQUE INDEX job_tombstones_pkey ON millrace.job_tombstones USING btree (job_id);
CREATE UNIQUE INDEX job_workers_pkey ON millrace.job_workers USING btree (worker_id);
CREATE UNIQUE INDEX jobs_active_dedupe_idx ON millrace.jobs USING btree (tenant_id, dedupe_key) WHERE ((dedupe_key IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX jobs_apart_idx ON millrace.jobs USING btree (tenant_id, finished_at, id) WHERE ((finished_at IS NOT NULL) AND (((uuid_extract_version(id) = 7) AND ((finished_at - uuid_extract_timestamp(id)) >= '00:00:00'::interval) AND ((finished_at - uuid_extract_timestamp(id)) < '01:00:00'::interval)) IS NOT TRUE));
CREATE INDEX jobs_changed_idx ON millrace.jobs USING btree (changed_xid, tenant_id) WHERE (changed_xid > '0'::xid8);
CREATE INDEX jobs_correlation_idx ON millrace.jobs USING btree (tenant_id, correlation_id, id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX jobs_dedupe_idx ON millrace.jobs USING btree (tenant_id, dedupe_key, id) WHERE (dedupe_key IS NOT NULL);
CREATE INDEX jobs_delayed_idx ON millrace.jobs USING btree (scheduled_for) WHERE ((status = 'queued'::text) AND (pending_dependencies = 0) AND is_delayed);
CREATE INDEX jobs_doomed_idx ON millrace.jobs USING btree (id) WHERE ((status = 'queued'::text) AND (cancel_requested_at IS NOT NULL));
CREATE INDEX jobs_ended_idx ON millrace.jobs USING btree (tenant_id, status, id) WHERE (status = ANY (ARRAY['failed'::text, 'dead_letter'::text, 'canceled'::text]));
CREATE INDEX jobs_expires_idx ON millrace.jobs USING btree (expires_at) WHERE ((status = 'queued'::text) AND (expires_at IS NOT NULL));
CREATE INDEX jobs_finished_idx ON millrace.jobs USING btree (tenant_id, finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX jobs_later_idx ON millrace.jobs USING btree (tenant_id, id) INCLUDE (definition_id) WHERE ((status = 'queued'::text) AND (pending_dependencies = 0) AND is_delayed);
CREATE INDEX jobs_pending_idx ON millrace.jobs USING btree (id) WHERE ((status = 'queued'::text) AND (pending_dependencies > 0));
CREATE UNIQUE INDEX jobs_pkey ON millrace.jobs USING btree (id) WITH (fillfactor='45');
CREATE INDEX jobs_ready_idx ON millrace.jobs USING btree (is_delayed, tenant_id, definition_id, priority, scheduled_for, id) WHERE ((status = 'queued'::text) AND (pending_dependencies = 0));
CREATE INDEX jobs_replays_idx ON millrace.jobs USING btree (tenant_id, replay_of, id) WHERE (replay_of IS NOT NULL);
CREATE INDEX jobs_running_idx ON millrace.jobs USING btree (definition_id, tenant_id, lease_expires_at) WHERE (status = 'running'::text);
CREATE INDEX jobs_subject_idx ON millrace.jobs USING btree (tenant_id, subject_type, subject_id, id) WHERE (subject_id IS NOT NULL);
CREATE INDEX jobs_waiting_idx ON millrace.jobs USING btree (tenant_id, id) WHERE ((status = 'queued'::text) AND (pending_dependencies > 0));
CREATE UNIQUE INDEX lane_limits_pkey ON millrace.lane_limits USING btree (tenant_id, definition_id);
CREATE UNIQUE INDEX limit_gates_pkey ON millrace.limit_gates USING btree (id);
CREATE UNIQUE INDEX limit_gates_scope_tenant_id_definition_id_key ON millrace.limit_gates USING btree (scope, tenant_id, definition_id) NULLS NOT DISTINCT;
CREATE INDEX link_hosts_next_idx ON millrace.link_hosts USING btree (next_at);
CREATE UNIQUE INDEX link_hosts_pkey ON millrace.link_hosts USING btree (host);
CREATE UNIQUE INDEX link_texts_pkey ON millrace.link_texts USING btree (link_id);
CREATE INDEX link_texts_words_idx ON millrace.link_texts USING gin (words) WITH (fastupdate=off);
CREATE INDEX link_vectors_link_idx ON millrace.link_vectors USING btree (link_id);
CREATE UNIQUE INDEX link_vectors_pkey ON millrace.link_vectors USING btree (tenant_id, model, link_id) INCLUDE (code);
CREATE INDEX links_changed_xid_idx ON millrace.links USING btree (changed_xid);
CREATE UNIQUE INDEX links_pkey ON millrace.links USING btree (id);
CREATE UNIQUE INDEX links_source_ref_idx ON millrace.links USING btree (tenant_id, source_ref) WHERE (source_ref IS NOT NULL);
CREATE INDEX links_status_idx ON millrace.links USING btree (tenant_id, status, id);
CREATE INDEX links_tenant_idx ON millrace.links USING btree (tenant_id, id);
CREATE UNIQUE INDEX maintenance_duties_pkey ON millrace.maintenance_duties USING btree (name);
CREATE UNIQUE INDEX maintenance_leader_pkey ON millrace.maintenance_leader USING btree (id);
CREATE INDEX media_tombstones_changed_xid_idx ON millrace.media_tombstones USING btree (changed_xid);
CREATE INDEX media_tombstones_deleted_idx ON millrace.media_tombstones USING btree (deleted_at);
CREATE UNIQUE INDEX media_tombstones_pkey ON millrace.media_tombstones USING btree (id);
CREATE UNIQUE INDEX ocr_frames_pkey ON millrace.ocr_frames USING btree (tenant_id, video_id, frame_ms);
CREATE UNIQUE INDEX retention_positions_pkey ON millrace.retention_positions USING btree (tenant_id, seconds);
CREATE UNIQUE INDEX revocations_pkey ON millrace.revocations USING btree (id);
CREATE INDEX revocations_subject_idx ON millrace.revocations USING btree (tenant_id, subject, not_before) WHERE (subject IS NOT NULL);
CREATE INDEX revocations_tenant_idx ON millrace.revocations USING btree (tenant_id, not_before);
CREATE INDEX revocations_token_idx ON millrace.revocations USING btree (tenant_id, token_id, not_before) WHERE (token_id IS NOT NULL);
CREATE UNIQUE INDEX search_materialized_pkey ON millrace.search_materialized USING btree (segment_id);
CREATE INDEX search_materialized_tsv_idx ON millrace.search_materialized USING gin (tsv) WITH (fastupdate=off);
CREATE INDEX search_materialized_video_idx ON millrace.search_materialized USING btree (tenant_id, video_id, t_start, segment_id);
CREATE UNIQUE INDEX search_pending_pkey ON millrace.search_pending USING btree (tenant_id, video_id, segment_id);
CREATE UNIQUE INDEX search_videos_pkey ON millrace.search_videos USING btree (tenant_id, video_id);
CREATE UNIQUE INDEX search_words_pkey ON millrace.search_words USING btree (id);
CREATE INDEX search_words_shape_idx ON millrace.search_words USING btree (tenant_id, shape);
CREATE INDEX search_words_typo_idx ON millrace.search_words USING gin (typo_keys) WITH (fastupdate=off);
CREATE INDEX search_words_word_idx ON millrace.search_words USING btree (tenant_id, word);
CREATE UNIQUE INDEX segments_pkey ON millrace.segments USING btree (id);
CREATE INDEX segments_video_idx ON millrace.segments USING btree (tenant_id, video_id, t_start, id);
CREATE UNIQUE INDEX stored_attempts_pkey ON millrace.stored_attempts USING btree (job_id, attempt_no);
CREATE UNIQUE INDEX stored_usage_events_pkey ON millrace.stored_usage_events USING btree (tenant_id, created_at, id);
CREATE UNIQUE INDEX tenant_jobs_pkey ON millrace.tenant_jobs USING btree (tenant_id, job_id);
CREATE INDEX tenant_members_id_idx ON millrace.tenant_members USING btree (tenant_id, id);
CREATE UNIQUE INDEX tenant_members_pkey ON millrace.tenant_members USING btree (tenant_id, user_sub);
CREATE INDEX tenants_deleted_idx ON millrace.tenants USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX tenants_pkey ON millrace.tenants USING btree (id);
CREATE UNIQUE INDEX tenants_slug_key ON millrace.tenants USING btree (slug);
CREATE UNIQUE INDEX trigger_runs_event_idx ON millrace.trigger_runs USING btree (event_id, trigger_id) WHERE (event_id IS NOT NULL);
CREATE UNIQUE INDEX trigger_runs_pkey ON millrace.trigger_runs USING btree (id);
CREATE INDEX trigger_runs_tenant_idx ON millrace.trigger_runs USING btree (tenant_id, id DESC);
CREATE UNIQUE INDEX trigger_runs_tick_idx ON millrace.trigger_runs USING btree (trigger_id, scheduled_at) WHERE (scheduled_at IS NOT NULL);
CREATE INDEX trigger_runs_trigger_idx ON millrace.trigger_runs USING btree (trigger_id, id DESC);
CREATE INDEX triggers_definition_idx ON millrace.triggers USING btree (definition_id);
CREATE INDEX triggers_due_idx ON millrace.triggers USING btree (due_at, id) WHERE (is_enabled AND (due_at IS NOT NULL));
CREATE INDEX triggers_event_idx ON millrace.triggers USING btree (tenant_id, event_pattern) WHERE (kind = 'event'::text);
CREATE INDEX triggers_own_events_idx ON millrace.triggers USING btree (split_part(event_pattern, '.'::text, 1), tenant_id) WHERE ((kind = 'event'::text) AND is_enabled);
CREATE UNIQUE INDEX triggers_pkey ON millrace.triggers USING btree (id);
CREATE INDEX triggers_tenant_idx ON millrace.triggers USING btree (tenant_id, id);
CREATE INDEX uploads_expiry_idx ON millrace.uploads USING btree (expires_at);
CREATE UNIQUE INDEX uploads_pkey ON millrace.uploads USING btree (id);
CREATE INDEX uploads_tenant_idx ON millrace.uploads USING btree (tenant_id);
CREATE UNIQUE INDEX uploads_video_id_key ON millrace.uploads USING btree (video_id);
CREATE UNIQUE INDEX usage_amounts_pkey ON millrace.usage_amounts USING btree (tenant_id, day, definition_id, unit);
CREATE UNIQUE INDEX usage_days_pkey ON millrace.usage_days USING btree (tenant_id, day, definition_id, outcome);
CREATE UNIQUE INDEX usage_rollup_pkey ON millrace.usage_rollup USING btree (id);
CREATE UNIQUE INDEX video_puts_pkey ON millrace.video_puts USING btree (video_id);
CREATE INDEX video_puts_tenant_idx ON millrace.video_puts USING btree (tenant_id);
CREATE INDEX videos_changed_xid_idx ON millrace.videos USING btree (changed_xid);
CREATE INDEX videos_history_idx ON millrace.videos USING btree (tenant_id, id);
CREATE INDEX videos_in_work_idx ON millrace.videos USING btree (tenant_id, id) WHERE (status = ANY (ARRAY['uploaded'::text, 'processing'::text, 'transcoded'::text]));
CREATE INDEX videos_owner_idx ON millrace.videos USING btree (tenant_id, owner_id, id) WHERE (owner_id IS NOT NULL);
CREATE UNIQUE INDEX videos_pkey ON millrace.videos USING btree (id);
CREATE INDEX videos_team_idx ON millrace.videos USING btree (tenant_id, team_id, id) WHERE (team_id IS NOT NULL);
CREATE INDEX webhook_deliveries_endpoint_idx ON millrace.webhook_deliveries USING btree (endpoint_id, id DESC);
CREATE UNIQUE INDEX webhook_deliveries_pkey ON millrace.webhook_deliveries USING btree (id);
CREATE INDEX webhook_deliveries_tenant_idx ON millrace.webhook_deliveries USING btree (tenant_id);
CREATE UNIQUE INDEX webhook_endpoints_pkey ON millrace.webhook_endpoints USING btree (id);
CREATE INDEX webhook_endpoints_tenant_idx ON millrace.webhook_endpoints USING btree (tenant_id, id);
CREATE UNIQUE INDEX webhook_receipts_pkey ON millrace.webhook_receipts USING btree (source_id, message_id);
CREATE INDEX webhook_receipts_received_idx ON millrace.webhook_receipts USING btree (received_at);
CREATE INDEX webhook_receipts_tenant_idx ON millrace.webhook_receipts USING btree (tenant_id);
CREATE INDEX webhook_secrets_owner_idx ON millrace.webhook_secrets USING btree (owner_id, id DESC);
CREATE UNIQUE INDEX webhook_secrets_pkey ON millrace.webhook_secrets USING btree (id);
CREATE UNIQUE INDEX webhook_sources_pkey ON millrace.webhook_sources USING btree (id);
CREATE INDEX webhook_sources_tenant_idx ON millrace.webhook_sources USING btree (tenant_id, id);
CREATE UNIQUE INDEX webhook_sources_trigger_idx ON millrace.webhook_sources USING btree (trigger_id) WHERE (trigger_id IS NOT NULL);

-- Functions, without their bodies, which are in prisma/routines

function active_duplicate(p_tenant_id uuid, p_dedupe_key text, p_window_seconds integer)
  returns uuid
  -- plpgsql, owner millrace_worker
function bad_job_label(p_tags text[], p_metadata jsonb)
  returns text
  -- sql, owner owner, immutable, parallel safe
function bad_job_value(p_source text, p_priority integer, p_dedupe_key text, p_correlation_id text, p_subject_type text, p_subject_id text, p_max_attempts integer, p_timeout_seconds integer, p_pending_dependencies integer)
  returns text
  -- sql, owner owner, immutable, parallel safe
function begin_link()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function begin_runs(p_ids uuid[], p_worker_id text, p_token uuid, p_at timestamp with time zone, p_ahead_ids uuid[])
  returns SETOF millrace.claimed_job
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function can_notify()
  returns boolean
  -- sql, owner owner, parallel restricted
function chain_depth(p_source text, p_source_ref text)
  returns integer
  -- plpgsql, owner millrace_worker, stable, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function check_changed_job()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function check_enqueue(p_at timestamp with time zone, p_is_worker boolean, p_payload jsonb, p_priority integer, p_scheduled_for timestamp with time zone, p_dedupe_key text, p_dedupe_window_seconds integer, p_max_attempts integer, p_timeout_seconds integer, p_expires_at timestamp with time zone, p_dependency_policy text, p_correlation_id text, p_subject_type text, p_subject_id text, p_source_ref text, p_tags text[], p_metadata jsonb)
  returns void
  -- plpgsql, owner millrace_worker
function check_job_labels()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function check_job_move()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function check_named_jobs()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function check_new_jobs()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function claim_jobs(p_worker_id text, p_definition_ids uuid[], p_limit integer, p_ahead integer, p_ahead_ids uuid[], p_after_tenant uuid, p_after_definition uuid, p_credit integer, p_max_lanes integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[], p_is_alone boolean)
  returns SETOF millrace.claimed_job
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function claim_lanes(p_worker_id text, p_served uuid[], p_slots integer, p_wanted integer, p_ahead_ids uuid[], p_after_tenant uuid, p_after_definition uuid, p_credit integer, p_max_lanes integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[])
  returns SETOF millrace.claimed_job
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function claim_tenant_jobs(p_worker_id text, p_tenant_id uuid, p_definition_ids uuid[], p_limit integer)
  returns SETOF millrace.claimed_job
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function count_search_videos(p_tenant_id uuid, p_videos uuid[])
  returns void
  -- sql, owner owner
function count_search_words(p_tenant_id uuid, p_words text[], p_counts integer[])
  returns void
  -- sql, owner owner, set enable_seqscan=off
function current_tenant_id()
  returns uuid
  -- sql, owner owner, stable, parallel safe
function delete_job_dependents()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp, set enable_seqscan=off
function emit_event(name text, data jsonb DEFAULT '{}'::jsonb, tenant text DEFAULT NULL::text, correlation_id text DEFAULT NULL::text, source_ref text DEFAULT NULL::text)
  returns uuid
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function end_doomed_jobs(p_limit integer)
  returns TABLE(ended millrace.jobs, definition_key text, released boolean)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function end_of_claim(p_token uuid, p_at timestamp with time zone, p_tenant_id uuid, p_definition_id uuid, p_credit integer, p_is_alone boolean, p_is_contended boolean)
  returns millrace.claimed_job
  -- sql, owner owner, stable, parallel safe
function ended_badly(p_status text, p_reason text)
  returns boolean
  -- sql, owner owner, immutable, parallel safe
function enqueue(definition_key text, payload jsonb DEFAULT '{}'::jsonb, tenant text DEFAULT NULL::text, priority integer DEFAULT 100, scheduled_for timestamp with time zone DEFAULT NULL::timestamp with time zone, dedupe_key text DEFAULT NULL::text, dedupe_window_seconds integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer, timeout_seconds integer DEFAULT NULL::integer, expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, depends_on uuid[] DEFAULT NULL::uuid[], dependency_policy text DEFAULT 'cancel'::text, correlation_id text DEFAULT NULL::text, subject_type text DEFAULT NULL::text, subject_id text DEFAULT NULL::text, source_ref text DEFAULT NULL::text, tags text[] DEFAULT NULL::text[], metadata jsonb DEFAULT NULL::jsonb)
  returns TABLE(job_id uuid, kind text)
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set lock_timeout=5s
function enter_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer)
  returns integer
  -- plpgsql, owner owner
function epoch_us(p_at timestamp with time zone)
  returns bigint
  -- sql, owner owner, stable, parallel safe
function erase_tenant(p_tenant uuid, p_limit integer, OUT removed integer, OUT is_gone boolean)
  returns record
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp, set enable_seqscan=off
function find_api_key(p_key_hash bytea)
  returns TABLE(id uuid, tenant_id uuid, role text, scopes text[], persisted_only boolean, expires_at timestamp with time zone, revoked_at timestamp with time zone)
  -- sql, owner millrace_worker, stable, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function find_gate(p_scope text, p_tenant_id uuid, p_definition_id uuid)
  returns bigint
  -- plpgsql, owner owner
function find_lanes(p_seek_tenant uuid, p_seek_definition uuid, p_end_tenant uuid, p_end_definition uuid, p_served uuid[], p_ahead_ids uuid[], p_only_ahead boolean, p_most integer, p_mark_tenants uuid[], p_mark_definitions uuid[])
  returns millrace.claim_lane[]
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function forget_listed_jobs()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function forget_named_jobs()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function forget_search_rows(p_tenant_id uuid, p_segment_ids uuid[])
  returns void
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp, set enable_seqscan=off
function forget_search_segments()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function forget_search_titles()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function has_room(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_max integer, p_rate integer, p_period_seconds integer)
  returns boolean
  -- plpgsql, owner owner
function hold_parents(p_tenant_id uuid, p_parents uuid[], p_policy text, OUT pending integer, OUT doom text)
  returns record
  -- plpgsql, owner millrace_worker
function index_search_title()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function index_search_titles()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function insert_job_events(p_tenants uuid[])
  returns void
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off, set enable_nestloop=on, set enable_hashjoin=off, set enable_mergejoin=off
function keep_single_subject()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function lane_shares(p_lanes millrace.claim_lane[], p_open boolean[], p_left integer, p_total integer, p_quantum integer, p_carried integer, INOUT last integer, INOUT credit integer, OUT shares integer[])
  returns record
  -- plpgsql, owner owner
function leave_call_tombstones()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function leave_clip_tombstones()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function leave_link_tombstones()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function leave_video_tombstones()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function links_by_words(p_query text, p_matches integer, p_ranked integer, p_has_filter boolean, p_site text, p_language text, p_text_kind text, p_from timestamp with time zone, p_to timestamp with time zone)
  returns TABLE(link_id uuid, rank double precision)
  -- plpgsql, owner millrace_worker, stable, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function list_jobs()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function mark_search_entities()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set enable_seqscan=off, set row_security=on
function mark_search_segments()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set enable_seqscan=off, set row_security=on
function named_tenant(p_routine text, p_tenant text)
  returns uuid
  -- plpgsql, owner millrace_worker
function note_starts(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_period_seconds integer, p_count integer, p_at timestamp with time zone)
  returns void
  -- plpgsql, owner owner
function notify_change()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function notify_identity_change()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function notify_tenant_change()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function own_definition_settings()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function pick_after_marks(p_tenant_id uuid, p_definition_id uuid, p_at timestamp with time zone, p_most integer, p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[])
  returns uuid[]
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function pick_lanes_singly(p_lanes millrace.claim_lane[], p_next integer, p_begin integer, p_shares integer[], p_carried integer, p_quantum integer, p_turns integer, p_worker_id text, p_token uuid, p_ahead_ids uuid[], p_mark_tenants uuid[], p_mark_definitions uuid[], p_mark_priorities integer[], p_mark_us bigint[], p_mark_ids uuid[], p_mark_full boolean[], INOUT at timestamp with time zone, INOUT served uuid[], INOUT slots integer, INOUT remaining integer, INOUT open boolean[], INOUT last integer, INOUT credit integer, INOUT least_room integer, INOUT is_contended boolean, OUT picked uuid[], OUT begun millrace.claimed_job[])
  returns record
  -- plpgsql, owner owner
function pick_plain_lanes(p_lanes millrace.claim_lane[], p_next integer, p_shares integer[], p_carried integer, p_quantum integer, p_at timestamp with time zone, p_most integer, p_left integer, INOUT open boolean[], INOUT last integer, INOUT credit integer, OUT picked uuid[])
  returns record
  -- plpgsql, owner owner
function promote_due_jobs(p_most integer)
  returns integer
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function promote_due_lanes(p_each integer)
  returns integer
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function prune_usage_event()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function rate_free_at(p_scope text, p_tenant_id uuid, p_definition_id uuid, p_rate integer, p_period_seconds integer)
  returns timestamp with time zone
  -- plpgsql, owner owner
function rate_slot(p_at timestamp with time zone, p_period_seconds integer)
  returns bigint
  -- sql, owner owner, stable, parallel safe
function recount_dependencies(p_job_ids uuid[], p_ended_ids uuid[])
  returns TABLE(job_id uuid, tenant_id uuid, action text)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function refresh_search_materialized(p_video_id uuid DEFAULT NULL::uuid)
  returns void
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set enable_seqscan=off, set row_security=on
function refuse_argument(p_argument text, p_value text, p_allowed text)
  returns void
  -- plpgsql, owner millrace_worker, immutable, set search_path=pg_catalog, pg_temp
function refuse_delete_with_jobs()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function refuse_inexact_numbers(p_payload jsonb)
  returns void
  -- plpgsql, owner millrace_worker, immutable, set search_path=pg_catalog, pg_temp, set extra_float_digits=1
function refuse_job(p_id uuid, p_lost_tenant uuid, p_lost_definition uuid, p_bad_value text)
  returns void
  -- plpgsql, owner owner
function reindex_search(p_tenant_id uuid)
  returns void
  -- sql, owner owner
function release_dependents(p_parent_ids uuid[])
  returns TABLE(job_id uuid, tenant_id uuid, action text)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan, set enable_nestloop=on
function release_waiting(p_final uuid[], p_tenants uuid[], p_definitions uuid[])
  returns text
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function revive_dependents(p_parent_ids uuid[], p_limit integer)
  returns TABLE(revived millrace.jobs, definition_key text, is_edge boolean)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function revive_held_jobs(p_job_ids uuid[])
  returns SETOF uuid
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan
function running_count(p_tenant_id uuid, p_definition_id uuid, p_most integer)
  returns integer
  -- plpgsql, owner owner
function scrape_link()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function search_alternatives(p_tenant_id uuid, p_word text, p_prefix boolean)
  returns TABLE(kind text, word text, segment_count bigint)
  -- sql, owner owner, stable, parallel safe
function search_asked(p_request jsonb)
  returns millrace.search_query
  -- plpgsql, owner millrace_worker, stable
function search_backlog(p_limit integer)
  returns TABLE(tenant_id uuid, video_id uuid)
  -- sql, owner owner, stable, set enable_seqscan=off
function search_bounds(p_request jsonb)
  returns millrace.search_query
  -- plpgsql, owner millrace_worker, stable
function search_calls(p_groups jsonb, p_call_id uuid, p_size integer, p_score double precision, p_after_call_id uuid, p_after_position integer)
  returns TABLE(call_id uuid, "position" integer, speaker integer, start_ms double precision, end_ms double precision, text text, score double precision)
  -- plpgsql, owner millrace_worker, stable, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off, set jit=off
function search_entity_words(p_type text, p_subtype text, p_value text, p_domain text, p_amount numeric, p_currency text)
  returns SETOF text
  -- sql, owner owner, immutable, parallel safe
function search_facets(p_mark text, p_segment_ids uuid[], p_is_whole boolean)
  returns jsonb
  -- sql, owner owner, stable, parallel safe
function search_fold(p_text text)
  returns text
  -- sql, owner owner, immutable, parallel safe
function search_is_near(p_one text, p_other text)
  returns boolean
  -- sql, owner owner, immutable, parallel safe
function search_is_rare(q millrace.search_query, p_most integer)
  returns boolean
  -- plpgsql, owner millrace_worker, stable
function search_lexeme(p_mark text, p_word text)
  returns text
  -- sql, owner owner, immutable, parallel safe
function search_mark(p_tenant_id uuid)
  returns text
  -- sql, owner owner, immutable, parallel safe
function search_newest(q millrace.search_query, p_after uuid, p_size integer)
  returns millrace.search_hits
  -- plpgsql, owner millrace_worker, stable
function search_pair_shape(p_word text)
  returns text
  -- sql, owner owner, immutable, parallel safe
function search_price_shelf(p_amount numeric)
  returns integer
  -- sql, owner owner, immutable, parallel safe
function search_ranked(q millrace.search_query, p_most integer, OUT hits millrace.search_hits, OUT candidate_count bigint)
  returns record
  -- plpgsql, owner millrace_worker, stable
function search_score(p_tsv tsvector, p_confidence real, p_t_start bigint, p_t_end bigint, p_exact tsquery, p_near tsquery, p_adjacent tsquery)
  returns double precision
  -- sql, owner owner, immutable, parallel safe
function search_segments(p_tenant_id uuid, p_segment_ids uuid[])
  returns void
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function search_shape(p_word text)
  returns text
  -- sql, owner owner, immutable, parallel safe
function search_shown(q millrace.search_query, p_hits millrace.search_hits, p_order text, p_after uuid, p_score double precision, p_size integer, p_shown integer)
  returns jsonb
  -- plpgsql, owner millrace_worker, stable
function search_term(p_tenant uuid, p_mark text, p_group jsonb, p_word text, p_is_last boolean)
  returns millrace.search_term
  -- plpgsql, owner millrace_worker, stable
function search_tokens(p_text text)
  returns TABLE(word text, place integer, piece integer, is_guess boolean)
  -- sql, owner owner, immutable, parallel safe
function search_typo_keys(p_tenant_id uuid, p_word text)
  returns bigint[]
  -- sql, owner owner, immutable, parallel safe
function search_vectors(p_tenant_id uuid, p_segment_ids uuid[])
  returns TABLE(segment_id uuid, video_id uuid, t_start bigint, t_end bigint, confidence real, language text, tsv tsvector)
  -- sql, owner owner, stable, set enable_seqscan=off
function search_videos_page(p_request jsonb)
  returns jsonb
  -- plpgsql, owner millrace_worker, stable, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off, set jit=off, set plan_cache_mode=force_generic_plan
function set_job_delay()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function settle_jobs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_statuses text[], p_results jsonb[], p_errors jsonb[], p_reasons text[], p_delay_seconds double precision[], p_outcomes text[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[])
  returns TABLE(job_id uuid, released text)
  -- sql, owner owner
function settle_runs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_statuses text[], p_results jsonb[], p_errors jsonb[], p_reasons text[], p_delay_seconds double precision[], p_outcomes text[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[], p_outputs jsonb[] DEFAULT NULL::jsonb[])
  returns TABLE(kept uuid[], released text)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan, set enable_nestloop=off
function stamp_change()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function stamp_job_change()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function starts_in_period(p_starts integer[], p_newest_slot bigint, p_slot bigint)
  returns integer
  -- sql, owner owner, immutable, parallel safe
function store_attempt()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function store_usage_event()
  returns trigger
  -- plpgsql, owner owner, set search_path=pg_catalog, pg_temp
function succeed_runs(p_ids uuid[], p_run_nos integer[], p_tokens uuid[], p_results jsonb[], p_started_seconds double precision[], p_wall_ms integer[], p_cpu_ms integer[])
  returns TABLE(kept uuid[], released text)
  -- plpgsql, owner owner, set plan_cache_mode=force_generic_plan, set enable_nestloop=off
function waiting_for(p_job_ids uuid[])
  returns TABLE(job_id uuid, reason text, scope text, allowed integer, period_seconds integer, until timestamp with time zone)
  -- sql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on
function write_entity_event()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function write_job_events()
  returns trigger
  -- plpgsql, owner millrace_worker, security definer, set search_path=pg_catalog, pg_temp, set row_security=on, set enable_seqscan=off
function xid_number(p_xid xid8)
  returns bigint
  -- sql, owner owner, immutable, strict, parallel safe

-- Views

create view job_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at default now(), error, wall_ms, cpu_ms, exit_code, stdout_tail, stderr_tail, pid, signal);
-- owner owner; with security_invoker=true
 SELECT stored_attempts.job_id,
    stored_attempts.attempt_no,
    stored_attempts.tenant_id,
    stored_attempts.worker_id,
    stored_attempts.status,
    stored_attempts.claimed_at,
    stored_attempts.started_at,
    stored_attempts.finished_at,
    stored_attempts.error,
    stored_attempts.wall_ms,
    stored_attempts.cpu_ms,
    stored_attempts.exit_code,
    stored_attempts.stdout_tail,
    stored_attempts.stderr_tail,
    stored_attempts.pid,
    stored_attempts.signal
   FROM millrace.stored_attempts
UNION ALL
 SELECT jobs.id AS job_id,
    jobs.run_no AS attempt_no,
    jobs.tenant_id,
    jobs.claimed_by_worker AS worker_id,
    jobs.status,
    jobs.claimed_at,
    jobs.started_at,
    jobs.finished_at,
    NULL::jsonb AS error,
    jobs.wall_ms,
    jobs.cpu_ms,
    NULL::integer AS exit_code,
    NULL::text AS stdout_tail,
    NULL::text AS stderr_tail,
    NULL::integer AS pid,
    NULL::text AS signal
   FROM millrace.jobs
  WHERE ((jobs.status = 'succeeded'::text) AND (jobs.wall_ms IS NOT NULL));
create view usage_events (id, tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at default now());
-- owner owner; with security_invoker=true
 SELECT stored_usage_events.id,
    stored_usage_events.tenant_id,
    stored_usage_events.definition_id,
    stored_usage_events.job_id,
    stored_usage_events.attempt_no,
    stored_usage_events.outcome,
    stored_usage_events.wall_ms,
    stored_usage_events.cpu_ms,
    stored_usage_events.created_at
   FROM millrace.stored_usage_events
UNION ALL
 SELECT NULL::bigint AS id,
    jobs.tenant_id,
    jobs.definition_id,
    jobs.id AS job_id,
    jobs.run_no AS attempt_no,
    jobs.status AS outcome,
    jobs.wall_ms,
    jobs.cpu_ms,
    jobs.finished_at AS created_at
   FROM millrace.jobs
  WHERE ((jobs.status = 'succeeded'::text) AND (jobs.wall_ms IS NOT NULL) AND (jobs.finished_at IS NOT NULL));

-- Triggers

CREATE TRIGGER api_keys_notify AFTER DELETE OR UPDATE ON millrace.api_keys FOR EACH ROW EXECUTE FUNCTION millrace.notify_identity_change();
CREATE TRIGGER artifacts_references BEFORE INSERT OR UPDATE OF job_id ON millrace.artifacts FOR EACH ROW WHEN (((new.job_id IS NOT NULL) AND ((current_setting('millrace.checked'::text, true) IS DISTINCT FROM 'by_caller'::text) OR (CURRENT_USER <> ALL (ARRAY['millrace_api'::name, 'millrace_worker'::name]))))) EXECUTE FUNCTION millrace.check_named_jobs('job_id');
CREATE TRIGGER bulk_actions_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.bulk_actions FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.notify'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER bulk_actions_stamp_insert BEFORE INSERT ON millrace.bulk_actions FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER bulk_actions_stamp_update BEFORE UPDATE ON millrace.bulk_actions FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER calls_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.calls FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.notify'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER calls_stamp_insert BEFORE INSERT ON millrace.calls FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER calls_stamp_update BEFORE UPDATE ON millrace.calls FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER calls_tombstones AFTER DELETE ON millrace.calls REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.leave_call_tombstones();
CREATE TRIGGER clips_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.clips FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.notify'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER clips_own_events AFTER UPDATE OF status ON millrace.clips FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['ready'::text, 'failed'::text])))) EXECUTE FUNCTION millrace.write_entity_event('clip');
CREATE TRIGGER clips_references BEFORE INSERT OR UPDATE OF job_id ON millrace.clips FOR EACH ROW WHEN (((new.job_id IS NOT NULL) AND ((current_setting('millrace.checked'::text, true) IS DISTINCT FROM 'by_caller'::text) OR (CURRENT_USER <> ALL (ARRAY['millrace_api'::name, 'millrace_worker'::name]))))) EXECUTE FUNCTION millrace.check_named_jobs('job_id');
CREATE TRIGGER clips_stamp_insert BEFORE INSERT ON millrace.clips FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER clips_stamp_update BEFORE UPDATE ON millrace.clips FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER clips_tombstones AFTER DELETE ON millrace.clips REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.leave_clip_tombstones();
CREATE TRIGGER entities_search_delete AFTER DELETE ON millrace.entities REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER entities_search_insert AFTER INSERT ON millrace.entities REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER entities_search_update AFTER UPDATE ON millrace.entities REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_entities();
CREATE TRIGGER store_attempt INSTEAD OF INSERT ON millrace.job_attempts FOR EACH ROW EXECUTE FUNCTION millrace.store_attempt();
CREATE TRIGGER job_definitions_keep BEFORE DELETE ON millrace.job_definitions FOR EACH ROW EXECUTE FUNCTION millrace.refuse_delete_with_jobs();
CREATE TRIGGER own_definition_settings BEFORE UPDATE ON millrace.job_definitions FOR EACH ROW EXECUTE FUNCTION millrace.own_definition_settings();
CREATE TRIGGER job_dependencies_references BEFORE INSERT OR UPDATE OF job_id, depends_on_id ON millrace.job_dependencies FOR EACH ROW WHEN (((current_setting('millrace.checked'::text, true) IS DISTINCT FROM 'by_caller'::text) OR (CURRENT_USER <> ALL (ARRAY['millrace_api'::name, 'millrace_worker'::name])))) EXECUTE FUNCTION millrace.check_named_jobs('job_id', 'depends_on_id');
CREATE TRIGGER job_files_references BEFORE INSERT OR UPDATE OF job_id ON millrace.job_files FOR EACH ROW WHEN ((new.job_id IS NOT NULL)) EXECUTE FUNCTION millrace.check_named_jobs('job_id');
CREATE TRIGGER jobs_delay_insert BEFORE INSERT ON millrace.jobs FOR EACH ROW WHEN (((new.scheduled_for > (clock_timestamp() + '00:00:01'::interval)) AND (NOT new.is_delayed))) EXECUTE FUNCTION millrace.set_job_delay();
CREATE TRIGGER jobs_delay_update BEFORE UPDATE ON millrace.jobs FOR EACH ROW WHEN (((new.status = 'queued'::text) AND (new.is_delayed <> (new.scheduled_for > (clock_timestamp() + '00:00:01'::interval))))) EXECUTE FUNCTION millrace.set_job_delay();
CREATE TRIGGER jobs_delete_dependents AFTER DELETE ON millrace.jobs REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.delete_job_dependents();
CREATE TRIGGER jobs_labels_update BEFORE UPDATE OF tags, metadata ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_job_labels();
CREATE TRIGGER jobs_legal_move BEFORE UPDATE ON millrace.jobs FOR EACH ROW WHEN ((NOT (((old.lease_token IS NOT NULL) AND (new.run_no = old.run_no)) OR ((old.lease_token IS NULL) AND (old.finished_at IS NULL) AND (new.lease_token IS NOT NULL) AND (new.run_no = (old.run_no + 1)))))) EXECUTE FUNCTION millrace.check_job_move();
CREATE TRIGGER jobs_list AFTER INSERT ON millrace.jobs REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION millrace.list_jobs();
CREATE TRIGGER jobs_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.jobs FOR EACH STATEMENT WHEN ((current_setting('millrace.notify'::text, true) IS DISTINCT FROM 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER jobs_own_events AFTER UPDATE OF finished_at ON millrace.jobs FOR EACH STATEMENT EXECUTE FUNCTION millrace.write_job_events();
CREATE TRIGGER jobs_same_job BEFORE UPDATE OF id, tenant_id ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_job_move();
CREATE TRIGGER jobs_single_subject BEFORE INSERT ON millrace.jobs FOR EACH ROW WHEN (((new.subject_id IS NOT NULL) AND (new.status = 'queued'::text) AND (NOT starts_with(COALESCE(new.dedupe_key, ''::text), 'millrace:'::text)))) EXECUTE FUNCTION millrace.keep_single_subject();
CREATE TRIGGER jobs_stamp_insert BEFORE INSERT ON millrace.jobs FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER jobs_stamp_update BEFORE UPDATE ON millrace.jobs FOR EACH ROW WHEN (((new.version <> (old.version + 1)) OR (new.changed_xid <> pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_job_change();
CREATE TRIGGER jobs_unlist AFTER TRUNCATE ON millrace.jobs FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_listed_jobs();
CREATE TRIGGER jobs_unname AFTER TRUNCATE ON millrace.jobs FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_named_jobs();
CREATE TRIGGER jobs_values_insert AFTER INSERT ON millrace.jobs REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT WHEN (((current_setting('millrace.checked'::text, true) IS DISTINCT FROM 'by_caller'::text) OR (CURRENT_USER <> ALL (ARRAY['millrace_api'::name, 'millrace_worker'::name])))) EXECUTE FUNCTION millrace.check_new_jobs();
CREATE TRIGGER jobs_values_update BEFORE UPDATE OF tenant_id, definition_id, source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts, timeout_seconds, pending_dependencies ON millrace.jobs FOR EACH ROW EXECUTE FUNCTION millrace.check_changed_job();
CREATE TRIGGER links_begin BEFORE INSERT ON millrace.links FOR EACH ROW EXECUTE FUNCTION millrace.begin_link();
CREATE TRIGGER links_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.links FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.notify'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER links_scrape AFTER INSERT ON millrace.links FOR EACH ROW EXECUTE FUNCTION millrace.scrape_link();
CREATE TRIGGER links_stamp_update BEFORE UPDATE ON millrace.links FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER links_tombstones AFTER DELETE ON millrace.links REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.leave_link_tombstones();
CREATE TRIGGER revocations_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.revocations FOR EACH ROW EXECUTE FUNCTION millrace.notify_identity_change();
CREATE TRIGGER segments_search_delete AFTER DELETE ON millrace.segments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_search_segments();
CREATE TRIGGER segments_search_insert AFTER INSERT ON millrace.segments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_segments();
CREATE TRIGGER segments_search_update AFTER UPDATE ON millrace.segments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.mark_search_segments();
CREATE TRIGGER tenant_members_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.tenant_members FOR EACH ROW EXECUTE FUNCTION millrace.notify_identity_change();
CREATE TRIGGER tenants_identity_notify AFTER UPDATE OF deleted_at ON millrace.tenants FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION millrace.notify_tenant_change();
CREATE TRIGGER tenants_keep BEFORE DELETE ON millrace.tenants FOR EACH ROW EXECUTE FUNCTION millrace.refuse_delete_with_jobs();
CREATE TRIGGER prune_usage_event INSTEAD OF DELETE ON millrace.usage_events FOR EACH ROW EXECUTE FUNCTION millrace.prune_usage_event();
CREATE TRIGGER store_usage_event INSTEAD OF INSERT ON millrace.usage_events FOR EACH ROW EXECUTE FUNCTION millrace.store_usage_event();
CREATE TRIGGER videos_notify AFTER INSERT OR DELETE OR UPDATE ON millrace.videos FOR EACH STATEMENT WHEN ((COALESCE(current_setting('millrace.notify'::text, true), ''::text) <> 'after_commit'::text)) EXECUTE FUNCTION millrace.notify_change();
CREATE TRIGGER videos_own_events AFTER UPDATE OF status ON millrace.videos FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['ready'::text, 'failed'::text])))) EXECUTE FUNCTION millrace.write_entity_event('video');
CREATE TRIGGER videos_search_delete AFTER DELETE ON millrace.videos REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.forget_search_titles();
CREATE TRIGGER videos_search_insert AFTER INSERT ON millrace.videos REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION millrace.index_search_titles();
CREATE TRIGGER videos_search_update AFTER UPDATE OF title ON millrace.videos FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title)) EXECUTE FUNCTION millrace.index_search_title();
CREATE TRIGGER videos_stamp_insert BEFORE INSERT ON millrace.videos FOR EACH ROW WHEN ((new.changed_xid IS DISTINCT FROM pg_current_xact_id())) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER videos_stamp_update BEFORE UPDATE ON millrace.videos FOR EACH ROW WHEN (((new.version IS DISTINCT FROM (old.version + 1)) OR (new.changed_xid IS DISTINCT FROM pg_current_xact_id()))) EXECUTE FUNCTION millrace.stamp_change();
CREATE TRIGGER videos_tombstones AFTER DELETE ON millrace.videos REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION millrace.leave_video_tombstones();

-- Row security

api_key_uses: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
api_keys: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
app_events: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
artifacts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
audit_log: forced
  policy admin for select to millrace_admin using true
  policy old_only for delete to millrace_worker using (created_at < (now() - '1 day'::interval))
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
bulk_actions: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
call_analyses: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
call_transcripts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
call_turns: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
call_words: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
calls: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
clips: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
deleted_job_logs: none
deleted_media: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
entities: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
idempotency_keys: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_definitions: none
job_dependencies: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_files: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_log_lines: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_progress: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_tombstones: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
job_workers: none
jobs: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
lane_limits: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
limit_gates: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
link_hosts: none
link_texts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
link_vectors: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
links: forced
  policy admin for select to millrace_admin using true
  policy insert_only for insert to unknown (OID=0) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
maintenance_duties: none
maintenance_leader: none
media_tombstones: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
ocr_frames: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
retention_positions: forced
  policy admin for select to millrace_admin using true
  policy tenant for select to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
revocations: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
search_materialized: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
search_pending: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
search_videos: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
search_words: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
segments: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
stored_attempts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
stored_usage_events: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
tenant_jobs: forced
  policy admin for select to millrace_admin using true
  policy tenant for select to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
tenant_members: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
tenants: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
trigger_runs: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
triggers: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
uploads: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
usage_amounts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
usage_days: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
usage_rollup: none
video_puts: forced
  policy admin for select to millrace_admin using true
  policy tenant for select to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
videos: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
webhook_deliveries: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
webhook_endpoints: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
webhook_receipts: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
webhook_secrets: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true
webhook_sources: forced
  policy admin for select to millrace_admin using true
  policy tenant for all to millrace_api using (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id)) check (tenant_id = ( SELECT millrace.current_tenant_id() AS current_tenant_id))
  policy worker for all to millrace_worker using true check true

-- Rights: schema

millrace: its owner: create usage; millrace_admin: usage; millrace_api: usage; millrace_worker: usage

-- Rights: tables and views

api_key_uses: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
api_keys: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select update; millrace_worker: delete select
app_events: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert select update
artifacts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
audit_log: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert select
bulk_actions: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select update; millrace_worker: delete select update
call_analyses: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select; millrace_worker: delete select
call_transcripts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select; millrace_worker: delete select
call_turns: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select; millrace_worker: delete select
call_words: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete select
calls: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update
clips: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update
deleted_job_logs: its owner: delete insert maintain references select trigger truncate update; millrace_worker: delete insert select update
deleted_media: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert select update
entities: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
idempotency_keys: its owner: delete insert maintain references select trigger truncate update; millrace_api: delete insert select update; millrace_worker: delete insert select update
job_attempts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: insert select
job_definitions: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: insert select update
job_dependencies: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert maintain select
job_files: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
job_log_lines: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select
job_progress: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert maintain select update
job_tombstones: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
job_workers: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
jobs: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select update; millrace_worker: delete insert maintain select update
lane_limits: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
limit_gates: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
link_hosts: its owner: delete insert maintain references select trigger truncate update; millrace_worker: delete insert select update
link_texts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select
link_vectors: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete maintain select
links: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
maintenance_duties: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: insert select update
maintenance_leader: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: select update
media_tombstones: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert select update
ocr_frames: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
retention_positions: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
revocations: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select update; millrace_worker: delete select
search_materialized: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
search_pending: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
search_videos: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
search_words: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_worker: delete insert select update
segments: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
stored_attempts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert maintain select update
stored_usage_events: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select
tenant_jobs: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert maintain select truncate
tenant_members: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select
tenants: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
trigger_runs: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select; millrace_worker: delete insert select update
triggers: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update
uploads: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update
usage_amounts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: insert select update; millrace_worker: delete select
usage_days: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
usage_events: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select
usage_rollup: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: select update
video_puts: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select update
videos: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete insert select update
webhook_deliveries: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: select; millrace_worker: delete insert select
webhook_endpoints: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update
webhook_receipts: its owner: delete insert maintain references select trigger truncate update; millrace_api: insert select; millrace_worker: delete insert select
webhook_secrets: its owner: delete insert maintain references select trigger truncate update; millrace_api: delete insert select update; millrace_worker: delete select
webhook_sources: its owner: delete insert maintain references select trigger truncate update; millrace_admin: select; millrace_api: delete insert select update; millrace_worker: delete select update

-- Rights: functions

active_duplicate: its owner: execute
bad_job_label: its owner: execute; public: execute
bad_job_value: its owner: execute; public: execute
begin_link: its owner: execute; public: execute
begin_runs: its owner: execute; public: execute
can_notify: its owner: execute; public: execute
chain_depth: its owner: execute
check_changed_job: its owner: execute; public: execute
check_enqueue: its owner: execute
check_job_labels: its owner: execute; public: execute
check_job_move: its owner: execute; public: execute
check_named_jobs: its owner: execute; public: execute
check_new_jobs: its owner: execute; public: execute
claim_jobs: its owner: execute; public: execute
claim_lanes: its owner: execute; public: execute
claim_tenant_jobs: its owner: execute; public: execute
count_search_videos: its owner: execute; public: execute
count_search_words: its owner: execute; public: execute
current_tenant_id: its owner: execute; public: execute
delete_job_dependents: its owner: execute; public: execute
emit_event: its owner: execute; millrace_api: execute
end_doomed_jobs: its owner: execute; public: execute
end_of_claim: its owner: execute; public: execute
ended_badly: its owner: execute; public: execute
enqueue: its owner: execute; millrace_api: execute
enter_gate: its owner: execute; public: execute
epoch_us: its owner: execute; public: execute
erase_tenant: its owner: execute; public: execute
find_api_key: its owner: execute; millrace_api: execute
find_gate: its owner: execute; public: execute
find_lanes: its owner: execute; public: execute
forget_listed_jobs: its owner: execute
forget_named_jobs: its owner: execute
forget_search_rows: its owner: execute; millrace_worker: execute
forget_search_segments: its owner: execute
forget_search_titles: its owner: execute
has_room: its owner: execute; public: execute
hold_parents: its owner: execute
index_search_title: its owner: execute
index_search_titles: its owner: execute
insert_job_events: its owner: execute
keep_single_subject: its owner: execute; public: execute
lane_shares: its owner: execute; public: execute
leave_call_tombstones: its owner: execute; public: execute
leave_clip_tombstones: its owner: execute; public: execute
leave_link_tombstones: its owner: execute; public: execute
leave_video_tombstones: its owner: execute; public: execute
links_by_words: its owner: execute; millrace_api: execute
list_jobs: its owner: execute
mark_search_entities: its owner: execute
mark_search_segments: its owner: execute
named_tenant: its owner: execute
note_starts: its owner: execute; public: execute
notify_change: its owner: execute; public: execute
notify_identity_change: its owner: execute; public: execute
notify_tenant_change: its owner: execute; public: execute
own_definition_settings: its owner: execute; public: execute
pick_after_marks: its owner: execute; public: execute
pick_lanes_singly: its owner: execute; public: execute
pick_plain_lanes: its owner: execute; public: execute
promote_due_jobs: its owner: execute; public: execute
promote_due_lanes: its owner: execute; public: execute
prune_usage_event: its owner: execute; public: execute
rate_free_at: its owner: execute; public: execute
rate_slot: its owner: execute; public: execute
recount_dependencies: its owner: execute; public: execute
refresh_search_materialized: its owner: execute; millrace_api: execute
refuse_argument: its owner: execute
refuse_delete_with_jobs: its owner: execute; public: execute
refuse_inexact_numbers: its owner: execute
refuse_job: its owner: execute; public: execute
reindex_search: its owner: execute; millrace_worker: execute
release_dependents: its owner: execute; public: execute
release_waiting: its owner: execute; public: execute
revive_dependents: its owner: execute; public: execute
revive_held_jobs: its owner: execute; public: execute
running_count: its owner: execute; public: execute
scrape_link: its owner: execute; millrace_api: execute
search_alternatives: its owner: execute; public: execute
search_asked: its owner: execute
search_backlog: its owner: execute; millrace_worker: execute
search_bounds: its owner: execute
search_calls: its owner: execute; millrace_api: execute
search_entity_words: its owner: execute; public: execute
search_facets: its owner: execute; public: execute
search_fold: its owner: execute; public: execute
search_is_near: its owner: execute; public: execute
search_is_rare: its owner: execute
search_lexeme: its owner: execute; public: execute
search_mark: its owner: execute; public: execute
search_newest: its owner: execute
search_pair_shape: its owner: execute; public: execute
search_price_shelf: its owner: execute; public: execute
search_ranked: its owner: execute
search_score: its owner: execute; public: execute
search_segments: its owner: execute; public: execute
search_shape: its owner: execute; public: execute
search_shown: its owner: execute
search_term: its owner: execute
search_tokens: its owner: execute; public: execute
search_typo_keys: its owner: execute; public: execute
search_vectors: its owner: execute; public: execute
search_videos_page: its owner: execute; millrace_api: execute
set_job_delay: its owner: execute; public: execute
settle_jobs: its owner: execute; public: execute
settle_runs: its owner: execute; public: execute
stamp_change: its owner: execute; public: execute
stamp_job_change: its owner: execute; public: execute
starts_in_period: its owner: execute; public: execute
store_attempt: its owner: execute; public: execute
store_usage_event: its owner: execute; public: execute
succeed_runs: its owner: execute; public: execute
waiting_for: its owner: execute; millrace_admin: execute; millrace_api: execute
write_entity_event: its owner: execute
write_job_events: its owner: execute
xid_number: its owner: execute; public: execute
