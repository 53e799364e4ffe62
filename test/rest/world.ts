import { randomUUID } from 'node:crypto';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { analyseLocally } from '../../src/domains/calls/analysis/analyse-locally.ts';
import { restRoutesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { ENGINE_ROUTES } from '../../src/rest/routes/index.ts';
import type { TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';

/** Every route that the API has. */
export async function allRoutes(): Promise<readonly RestRoute[]> {
  return [...ENGINE_ROUTES, ...(await restRoutesOf(registeredDomains({ echo: true })))];
}

/** A tenant with something of everything that routes are asked about. */
export interface World {
  readonly tenantId: string;
  readonly admin: string;
  readonly superAdmin: string;
  readonly worker: string;
  /** What the words in braces of examples stand for. */
  readonly ids: Readonly<Record<string, string>>;
}

export async function makeWorld(api: TestApi): Promise<World> {
  const tenantId = await api.makeTenant();
  const admin = await api.token(tenantId, 'tenant_admin');
  const superAdmin = await api.token(SYSTEM_TENANT_ID, 'super_admin');
  const rest = restClient(api.url, admin);
  const job = async () =>
    (await rest.post('/jobs', { definition_key: 'echo', payload: { message: 'x' } })).body.id as string;
  const leaseToken = randomUUID();
  /** A job at its first run, whose lease all have in common. */
  const claimed = async () => {
    const id = await job();
    await api.superuser.query(
      `update millrace.jobs set status = 'running', run_no = 1, lease_token = $2, claimed_by_worker = 'docs-1', claimed_at = now(),
         started_at = now(), lease_expires_at = now() + interval '1 hour' where id = $1`,
      [id, leaseToken],
    );
    return id;
  };
  await rest.post('/jobs', { definition_key: 'echo', payload: { message: 'x' }, tags: ['night'] });
  await api.superuser.query(
    `update millrace.jobs set status = 'failed', finished_at = now(), lease_token = null, lease_expires_at = null where id = $1`,
    [await claimed()],
  );
  const canceled = async () => {
    const id = await job();
    await rest.post(`/jobs/${id}/cancel`);
    return id;
  };
  const trigger = async () =>
    (
      await rest.post('/jobs/triggers', {
        label: 'Nightly',
        trigger_type: 'schedule',
        cron_expr: '0 2 * * *',
        timezone: 'Europe/Berlin',
        definition_key: 'echo',
        payload_template: { message: 'Good night' },
      })
    ).body.id as string;
  const video = async (status: string) => {
    const { rows } = await api.superuser.query(
      `with id as (select uuidv7() as id)
       insert into millrace.videos (id, tenant_id, title, status, original_key, duration_ms)
       select id, $1, 'Pricing', $2, 'videos/original/' || id || '/master.mp4', 60000 from id returning id`,
      [tenantId, status],
    );
    return rows[0].id as string;
  };
  const call = async () => {
    const { rows } = await api.superuser.query(
      `insert into millrace.calls (tenant_id, title, status, speakers, recording_key, duration_ms, channel_count, is_silent)
       values ($1, 'Pricing', 'ready', array['Ann'], 'call-inbox/a.wav', 60000, 1, false) returning id`,
      [tenantId],
    );
    const callId = rows[0].id as string;
    await api.superuser.query(
      `insert into millrace.call_transcripts
         (call_id, tenant_id, hash, provider, is_draft, has_text, word_count, turn_count, audio_ms, operation_count, cost_micros)
       values ($1, $2, repeat('0', 64), 'speechkit', false, true, 1, 1, 60000, 1, 15000)`,
      [callId, tenantId],
    );
    await api.superuser.query(
      `insert into millrace.call_turns (call_id, tenant_id, position, speaker, start_ms, end_ms, text, words, tsv)
       select $1, $2, 0, 0, 0, 1000, 'insurance', '[{"text": "insurance", "startMs": 0, "endMs": 1000, "confidence": null}]',
         (select string_agg(millrace.search_lexeme(millrace.search_mark($2::uuid), w.word) || ':' || w.place, ' ')::tsvector
          from millrace.search_tokens('insurance') w)`,
      [callId, tenantId],
    );
    await api.superuser.query(
      `insert into millrace.call_analyses (call_id, transcript_hash, version, tenant_id, result) values ($1, repeat('0', 64), 1, $2, $3)`,
      [callId, tenantId, { ...analyseLocally([], 60_000), summary: null, cost: null }],
    );
    await api.superuser.query(
      `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
       values ($1, 'call', $2, 'call_audio', 'calls/' || $2 || '/audio.flac', 1, repeat('0', 64), 'audio/flac')`,
      [tenantId, callId],
    );
    return callId;
  };
  const uploaded = await video('transcoded');
  const clip = async (start: number) =>
    (await rest.post('/clips', { video_id: uploaded, t_start: start, t_end: start + 1000 })).body
      .id as string;
  const link = async (source_ref: string) =>
    (await rest.post('/links', { url: 'https://example.com/', source_ref })).body.id as string;
  const { body: event } = await rest.post('/events', { name: 'folder.updated', data: { path: '/' } });
  const { rows: definitions } = await api.superuser.query(
    `insert into millrace.job_definitions (key) values ('spare-' || substr(uuidv7()::text, 25)) returning id`,
  );
  return {
    tenantId,
    admin,
    superAdmin,
    worker: await api.token(tenantId, 'worker'),
    ids: {
      ...(await webhookIds(api, tenantId)),
      lease_token: leaseToken,
      claimed_job_id: await claimed(),
      completed_run_job_id: await claimed(),
      failed_run_job_id: await claimed(),
      snoozed_run_job_id: await claimed(),
      released_run_job_id: await claimed(),
      job_id: await job(),
      queued_job_id: await job(),
      spare_queued_job_id: await job(),
      canceled_job_id: await canceled(),
      spare_canceled_job_id: await canceled(),
      bulk_action_id: (await rest.post('/jobs/bulk/cancel', { filter: { tags: ['of-no-job'] } })).body.id,
      trigger_id: await trigger(),
      spare_trigger_id: await trigger(),
      event_id: event.id,
      definition_id: definitions[0].id,
      tenant_id: tenantId,
      spare_tenant_id: await api.makeTenant(),
      video_id: await video('ready'),
      uploaded_video_id: uploaded,
      spare_video_id: await video('ready'),
      call_id: await call(),
      spare_call_id: await call(),
      clip_id: await clip(5_000),
      spare_clip_id: await clip(9_000),
      link_id: await link('kept'),
      spare_link_id: await link('spare'),
    },
  };
}

/** A value of an example with its words in braces put in. */
export function filled<T>(value: T, ids: Readonly<Record<string, string>>): T {
  if (value === undefined) return value;
  return JSON.parse(
    JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (word, name: string) => ids[name] ?? word),
  ) as T;
}

/** The path of a route's example, with its query string. */
export function pathOf({ path, example }: RestRoute, ids: Readonly<Record<string, string>>): string {
  const params = filled(example.params ?? {}, ids);
  const filledPath = path.replaceAll(/:(\w+)/g, (_match, name: string) => String(params[name]));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filled(example.query ?? {}, ids)))
    for (const each of [value].flat()) query.append(name, String(each));
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

async function webhookIds(api: TestApi, tenantId: string): Promise<Record<string, string>> {
  const one = async (statement: string, values: readonly unknown[]): Promise<string> =>
    (await api.superuser.query(`insert into millrace.${statement} returning id`, [...values])).rows[0].id;
  const endpoint = () =>
    one(`webhook_endpoints (tenant_id, label, url) values ($1, 'Shop', 'https://example.com/')`, [tenantId]);
  const source = () =>
    one(`webhook_sources (tenant_id, label, event_name, verification) values ($1, 'In', 'a.b', 'standard')`, [
      tenantId,
    ]);
  const endpointId = await endpoint();
  const job = await one(
    `jobs (tenant_id, definition_id, payload) select $1, id, jsonb_build_object('endpoint', $2::text, 'type', 'a.b')
       from millrace.job_definitions where key = 'deliver-webhook'`,
    [tenantId, endpointId],
  );
  const delivery = await one(
    `webhook_deliveries (tenant_id, endpoint_id, job_id, run_no, message_id, event_name, outcome) values ($1, $2, $3, 1, 'm', 'a.b', 'failed')`,
    [tenantId, endpointId, job],
  );
  return {
    endpoint_id: endpointId,
    spare_endpoint_id: await endpoint(),
    delivery_id: delivery,
    source_id: await source(),
    spare_source_id: await source(),
  };
}
