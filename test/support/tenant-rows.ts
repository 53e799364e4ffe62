import type { TestApi } from './api.ts';

export interface ContentRows {
  readonly jobId: string;
  readonly videoId: string;
  readonly clipId: string;
  readonly callId: string;
  readonly segmentId: string;
}

export interface TenantRows extends ContentRows {
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly triggerId: string;
  readonly eventId: string;
  readonly linkId: string;
  readonly bulkActionId: string;
}

/** A tenant with a row of every kind, `mark` in each of their texts. */
export async function makeTenantRows(api: TestApi, mark: string): Promise<TenantRows> {
  const tenantId = await api.makeTenant();
  await api.superuser.query('update millrace.tenants set name = $2 where id = $1', [tenantId, mark]);
  const content = await makeContentRows(api, tenantId, mark);
  await api.superuser.query(
    `insert into millrace.audit_log (tenant_id, actor, action, target_type, target_id, details)
     values ($1, $2, 'job.cancel', 'job', $2, jsonb_build_object('reason', $2::text))`,
    [tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.lane_limits (tenant_id, definition_id, max_running)
     select $1, id, case $2 when 'ours' then 2 else 77 end from millrace.job_definitions where key = 'echo'`,
    [tenantId, mark],
  );
  const key = await api.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, role, key_hash, created_by)
     values ($1, $2, 'member', sha256(convert_to($1::uuid::text, 'UTF8')), $2) returning id`,
    [tenantId, mark],
  );
  await makeWebhookRows(api, tenantId, content.jobId, mark);
  return {
    tenantId,
    ...content,
    apiKeyId: key.rows[0].id,
    ...(await makeTriggerRows(api, tenantId, content.jobId, mark)),
    linkId: await makeLink(api, tenantId, mark),
    bulkActionId: await makeBulkAction(api, tenantId, mark),
  };
}

/** An endpoint with an attempt to deliver to it, and a source. */
async function makeWebhookRows(api: TestApi, tenantId: string, jobId: string, mark: string): Promise<void> {
  await api.superuser.query(
    `with endpoint as (
       insert into millrace.webhook_endpoints (tenant_id, label, url, created_by) values ($1, $2, 'https://example.com/' || $2, $2) returning id
     ), source as (
       insert into millrace.webhook_sources (tenant_id, label, event_name, verification, created_by) values ($1, $2, 'a.b', 'token', $2)
     )
     insert into millrace.webhook_deliveries (tenant_id, endpoint_id, job_id, run_no, message_id, event_name, outcome, error, answer)
     select $1, id, $3, 1, $2, 'a.b', 'failed', $2, $2 from endpoint`,
    [tenantId, mark, jobId],
  );
}

/**
 * A video with a clip and a text, and a job about it with its runs and log, `mark` in each of their texts.
 */
export async function makeContentRows(api: TestApi, tenantId: string, mark: string): Promise<ContentRows> {
  const video = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, proxy_key, thumb_key, status, error, owner_id)
     values ($1, $2, 'videos/original/' || $2, 'videos/proxy/x/' || $2, $2, 'awaiting_upload', jsonb_build_object('type', $2::text, 'message', $2::text), $2) returning id`,
    [tenantId, mark],
  );
  const videoId: string = video.rows[0].id;
  await api.superuser.query(
    `update millrace.videos set proxy_key = 'videos/proxy/' || id || '/index.m3u8' where id = $1`,
    [videoId],
  );
  const clip = await api.superuser.query(
    `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, status, object_key, size_bytes, sha256,
       start_ms, end_ms, error, created_by)
     values ($1, $2, 0, 1000, 0, 'ready', 'videos/clips/' || $3, 1, repeat('0', 64), 0, 1000,
       jsonb_build_object('type', $3::text, 'message', $3::text), $3) returning id`,
    [tenantId, videoId, mark],
  );
  const job = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, subject_type, subject_id, reason, payload, result,
       last_error, correlation_id, created_by, source_ref)
     select $1, id, 'failed', now(), 'video', $2, $3, jsonb_build_object('message', $3::text), to_jsonb($3::text),
       jsonb_build_object('type', $3::text, 'message', $3::text), $3, $3, $3 from millrace.job_definitions where key = 'echo' returning id`,
    [tenantId, videoId, mark],
  );
  const jobId: string = job.rows[0].id;
  await api.superuser.query(
    `insert into millrace.stored_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at) values ($1, 1, $2, $3, 'failed', now())`,
    [jobId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms)
     select $1, definition_id, id, 1, 'failed', 7 from millrace.jobs where id = $2`,
    [tenantId, jobId],
  );
  await api.superuser.query(
    `insert into millrace.job_progress (job_id, tenant_id, run_no, stage, preview_key) values ($1, $2, 0, $3, 'previews/' || $3)`,
    [jobId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, data, logged_at)
     values ($1, 1, 1, $2, 'info', $3, to_jsonb($3::text), now())`,
    [jobId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.artifacts (tenant_id, job_id, run_no, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
     values ($1, $2, 1, 'video', $3, $4, 'files/' || $4, 1, repeat('0', 64), 'text/plain')`,
    [tenantId, jobId, videoId, mark],
  );
  const segmentId = await makeSegment(api, tenantId, videoId, mark);
  const callId = await makeCall(api, tenantId, mark);
  return { jobId, videoId, clipId: clip.rows[0].id, callId, segmentId };
}

/** A call with a transcript, an analysis and a file, `mark` in each of their texts. */
async function makeCall(api: TestApi, tenantId: string, mark: string): Promise<string> {
  const call = await api.superuser.query(
    `insert into millrace.calls (tenant_id, title, status, speakers, metadata, recording_key, error, created_by)
     values ($1, $2, 'ready', array[$2], jsonb_build_object('mark', $2::text), 'call-inbox/' || $2,
       jsonb_build_object('type', $2::text, 'message', $2::text), $2) returning id`,
    [tenantId, mark],
  );
  const callId: string = call.rows[0].id;
  await api.superuser.query(
    `insert into millrace.call_transcripts (call_id, tenant_id, hash, provider, model, is_draft, has_text, word_count, turn_count, audio_ms)
     values ($1, $2, repeat('0', 64), $3, $3, false, true, 1, 1, 1000)`,
    [callId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.call_turns (call_id, tenant_id, position, speaker, start_ms, end_ms, text, words, tsv)
     values ($1, $2, 0, 0, 0, 1000, $3, jsonb_build_array(jsonb_build_object('text', $3::text, 'startMs', 0, 'endMs', 1000, 'confidence', null)),
       (select string_agg(millrace.search_lexeme(millrace.search_mark($2::uuid), w.word) || ':' || w.place, ' ')::tsvector
        from millrace.search_tokens($3::text) w))`,
    [callId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.call_words (tenant_id, word, typo_keys)
     select distinct $1::uuid, w.word, millrace.search_typo_keys($1::uuid, w.word) from millrace.search_tokens($2::text) w`,
    [tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.call_analyses (call_id, transcript_hash, version, tenant_id, result)
     values ($1, repeat('0', 64), 1, $2, jsonb_build_object('speakers', jsonb_build_array(), 'interruptions', jsonb_build_array(),
       'silences', jsonb_build_array(), 'silenceMs', 0, 'questions', jsonb_build_array(), 'entities', jsonb_build_array(),
       'keywords', jsonb_build_array(jsonb_build_object('text', $3::text, 'count', 1, 'firstAtMs', 0)),
       'summary', jsonb_build_object('summary', $3::text, 'topics', jsonb_build_array(), 'actionItems', jsonb_build_array(), 'sentiment', 'neutral'),
       'cost', null))`,
    [callId, tenantId, mark],
  );
  await api.superuser.query(
    `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
     values ($1, 'call', $2, 'call_audio', 'calls/' || $2 || '/audio.flac', 1, repeat('0', 64), 'audio/flac')`,
    [tenantId, callId],
  );
  await api.superuser.query(
    `insert into millrace.clips (tenant_id, call_id, t_start_ms, t_end_ms, padding_ms, status, object_key, size_bytes, sha256,
       start_ms, end_ms, created_by)
     values ($1, $2, 0, 1000, 0, 'ready', 'calls/clips/' || $3, 1, repeat('0', 64), 0, 1000, $3)`,
    [tenantId, callId, mark],
  );
  return callId;
}

/** A trigger, an event of before it, and what became of the event there. */
async function makeTriggerRows(
  api: TestApi,
  tenantId: string,
  jobId: string,
  mark: string,
): Promise<{ readonly triggerId: string; readonly eventId: string }> {
  const { rows } = await api.superuser.query(
    `with trigger as (
       insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern, payload_template, created_by)
       select $1, id, $2, 'event', 'of.no.use', jsonb_build_object('message', $2::text), $2 from millrace.job_definitions where key = 'echo'
       returning id
     ), event as (
       insert into millrace.app_events (tenant_id, name, data, source_ref, correlation_id, created_by, processed_at, job_count, trigger_count)
       values ($1, 'of.no.use', jsonb_build_object('mark', $2::text), $2, $2, $2, now(), 1, 1) returning id
     ), run as (
       insert into millrace.trigger_runs (tenant_id, trigger_id, event_id, outcome, job_id, reason)
       select $1, t.id, e.id, 'enqueued', $3, $2 from trigger t, event e
     )
     select t.id as "triggerId", e.id as "eventId" from trigger t, event e`,
    [tenantId, mark, jobId],
  );
  return rows[0];
}

/** A text that can be searched. */
async function makeSegment(api: TestApi, tenantId: string, videoId: string, mark: string): Promise<string> {
  const segment = await api.superuser.query(
    `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence,
       language, bounding_box, words)
     values ($1, $2, 0, 0, 1000, $3, lower($3), md5($3), 0.9, 'eng', '{"x": 1, "y": 2, "width": 3, "height": 4}',
       jsonb_build_array(jsonb_build_object('text', $3::text, 'confidence', 0.9, 'x', 1, 'y', 2, 'width', 3, 'height', 4)))
     returning id`,
    [tenantId, videoId, mark],
  );
  await api.superuser.query(
    `insert into millrace.entities (tenant_id, video_id, segment_id, entity_type, value, normalized_value)
     values ($1, $2, $3, 'mention', $4, 'somebody')`,
    [tenantId, videoId, segment.rows[0].id, mark],
  );
  await api.superuser.query('begin');
  await api.superuser.query(
    `select set_config('millrace.tenant_id', $1, true), millrace.refresh_search_materialized()`,
    [tenantId],
  );
  await api.superuser.query('commit');
  return segment.rows[0].id;
}

/** A bulk action that has ended. */
async function makeBulkAction(api: TestApi, tenantId: string, mark: string): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.bulk_actions (tenant_id, verb, status, filter, reason, skipped, failed_count, error, created_by, finished_at)
     values ($1, 'cancel', 'failed', jsonb_build_object('tags', array[$2::text]), $2, '{"ended": 1}', 1, $2, $2, now()) returning id`,
    [tenantId, mark],
  );
  return rows[0].id;
}

/** A link that is done, with a text and a vector, and without the job that its insert would enqueue. */
async function makeLink(api: TestApi, tenantId: string, mark: string): Promise<string> {
  await api.superuser.query('begin');
  await api.superuser.query('set local session_replication_role = replica');
  const { rows } = await api.superuser.query(
    `with link as (
       insert into millrace.links (tenant_id, url, status, source_ref, title, summary, topics, entities, text_kind, text_length,
         processing_error, embedded_by, created_by)
       values ($1, 'http://example.com/' || $2, 'done', $2, $2, $2, array[$2::text],
         jsonb_build_array(jsonb_build_object('name', $2::text, 'kind', 'other')), 'transcript', 4, $2, 'a-model', $2)
       returning id, tenant_id
     ), texts as (
       insert into millrace.link_texts (link_id, tenant_id, text, segments, words)
       select id, tenant_id, $2, jsonb_build_array(jsonb_build_object('startMs', 0, 'endMs', 1, 'text', $2::text)),
         to_tsvector('english', 'talk ' || $2) || array_to_tsvector(array['tenant:' || tenant_id::text]) from link
     ), vectors as (
       insert into millrace.link_vectors (link_id, tenant_id, model, dimensions, code, vector)
       select id, tenant_id, 'a-model', 1, repeat('1', 1024)::bit(1024), '\\x0000803f' from link
     )
     select id from link`,
    [tenantId, mark],
  );
  await api.superuser.query('commit');
  return rows[0].id;
}
