import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { deliverRegistration } from '../../../workers/handlers/webhooks/registration.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { register } from '../../../workers/registry.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { type RestClient, restClient } from '../../support/rest.ts';
import { waitFor } from '../../support/wait.ts';

let api: TestApi;
let tenantId: string;
let admin: RestClient;

const ENV = { MILLRACE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };

beforeAll(async () => {
  api = await startTestApi({ env: ENV });
  tenantId = await api.makeTenant();
  admin = restClient(api.url, await api.token(tenantId, 'tenant_admin'));
});
afterAll(() => api?.close());

/** What dispatches events, until the end of the test. */
async function startDispatcher(): Promise<void> {
  const { definition, load, provide } = deliverRegistration();
  const worker = await openWorker({
    awaits: new AbortController().signal,
    config: loadConfig({ MILLRACE_LOG_LEVEL: 'silent', MILLRACE_STORAGE_DIR: api.storageDir, ...ENV }),
    databaseUrl: api.databaseUrl,
    registrations: [register(definition, load, provide)],
  });
  onTestFinished(() => worker.stop(5));
}

async function made(path: string, body: object): Promise<{ id: string; secret: string }> {
  const response = await admin.post(path, body);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body;
}

describe('An incoming webhook', () => {
  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json', ...headers },
      body,
    });
    return {
      status: response.status,
      body: (await response.json()) as {
        event_id?: string;
        is_new?: boolean;
        link_id?: string;
        code?: string;
      },
    };
  };
  const source = (verification: string, fields: object = {}) =>
    made('/webhooks/sources', { label: 'In', event_name: 'repo.pushed', verification, ...fields });
  const signed = (secret: string, id: string, body: string, at = new Date()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  });

  it('takes a message that an independent library signed, once, and no changed, old or unsigned one.', async () => {
    const { id, secret } = await source('standard');
    const body = '{"ref":"main"}';
    const first = await send(`/hooks/${id}`, body, signed(secret, 'm1', body));
    expect([first.status, first.body.is_new]).toEqual([202, true]);
    const { rows } = await api.superuser.query('select * from millrace.app_events where id = $1', [
      first.body.event_id,
    ]);
    expect(rows[0]).toMatchObject({
      tenant_id: tenantId,
      name: 'repo.pushed',
      data: { ref: 'main' },
      source: 'webhook',
      source_ref: 'm1',
    });
    const again = await send(`/hooks/${id}`, body, signed(secret, 'm1', body));
    expect([again.status, again.body]).toEqual([200, { event_id: first.body.event_id, is_new: false }]);
    const old = new Date(Date.now() - 301_000);
    for (const headers of [
      signed(secret, 'm2', '{"ref":"other"}'),
      signed('whsec_c29tZSBvdGhlciBzZWNyZXQgb2YgdGVzdHM=', 'm2', body),
      signed(secret, 'm2', body, old),
      {},
    ]) {
      const refused = await send(`/hooks/${id}`, body, headers as Record<string, string>);
      expect(refused.status).toBe(403);
    }
    const count = await api.superuser.query(
      'select count(*)::integer as count from millrace.app_events where created_by = $1',
      [`webhook:${id}`],
    );
    expect(count.rows).toEqual([{ count: 1 }]);
  });

  it('takes the signature of GitHub, a token in the path, and two secrets while one takes the place of the other.', async () => {
    const github = await source('github', { secret: 'a-secret-of-the-other-side' });
    const body = '{"action":"opened"}';
    const hub = (secret: string) => ({
      'x-github-delivery': `d-${secret}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    expect((await send(`/hooks/${github.id}`, body, hub(github.secret))).status).toBe(202);
    expect((await send(`/hooks/${github.id}`, body, hub('another-secret-of-nobody'))).status).toBe(403);
    const rotated = await admin.post(`/webhooks/sources/${github.id}/rotate-secret`);
    expect((await send(`/hooks/${github.id}`, body, hub(rotated.body.secret))).status).toBe(202);
    const token = await source('token');
    expect((await send(`/hooks/${token.id}/${token.secret}`, '[1,2]')).status).toBe(202);
    expect((await send(`/hooks/${token.id}/${token.secret}x`, '[1,2]')).status).toBe(403);
    expect((await send(`/hooks/${token.id}`, '[1,2]')).status).toBe(403);
  });

  it('of a database that has inserted a row makes a link and its job with the event, once, and of other changes the event alone.', async () => {
    const { id, secret } = await source('standard', { link_url_field: 'video_url' });
    const message = (fields: object, record: object) =>
      JSON.stringify({
        type: 'INSERT',
        schema: 'public',
        table: 'videos',
        record,
        old_record: null,
        ...fields,
      });
    const inserted = message({}, { id: 7, video_url: 'https://example.com/watch' });
    const answer = await send(`/hooks/${id}`, inserted, signed(secret, 'row-7', inserted));
    expect(answer.status).toBe(202);
    const { rows } = await api.superuser.query(
      `select l.url, l.source_ref, l.created_by, l.xmin = e.xmin and l.xmin = j.xmin as is_one_transaction
       from millrace.links l, millrace.app_events e, millrace.jobs j where l.id = $1 and e.id = $2 and j.subject_id = $1::text`,
      [answer.body.link_id, answer.body.event_id],
    );
    expect(rows).toEqual([
      {
        url: 'https://example.com/watch',
        source_ref: 'public.videos:7',
        created_by: `webhook:${id}`,
        is_one_transaction: true,
      },
    ]);
    const again = await send(`/hooks/${id}`, inserted, signed(secret, 'row-7', inserted));
    expect([again.status, again.body.link_id]).toEqual([200, undefined]);
    // The same row under another message id, and changes of it.
    for (const [messageId, body] of [
      ['row-7-again', inserted],
      ['row-7-update', message({ type: 'UPDATE' }, { id: 7, video_url: 'https://example.com/else' })],
      ['row-7-delete', message({ type: 'DELETE', record: null }, {})],
    ] as const) {
      const other = await send(`/hooks/${id}`, body, signed(secret, messageId, body));
      expect([other.status, other.body.link_id], messageId).toEqual([202, undefined]);
    }
    const links = async () =>
      (await api.superuser.query('select from millrace.links where created_by = $1', [`webhook:${id}`]))
        .rowCount;
    expect(await links()).toBe(1);
    for (const [field, body] of [
      ['record.video_url', message({}, { id: 8, url: 'https://example.com/' })],
      ['record.video_url', message({}, { id: 8, video_url: 'http://10.0.0.1/' })],
      ['record.video_url', message({}, { id: 8, video_url: 'file:///etc/passwd' })],
      ['record', message({ record: 'row' }, {})],
      ['type', message({ type: 'TRUNCATE' }, {})],
    ] as const) {
      const refused = await send(`/hooks/${id}`, body, signed(secret, `bad-${field}`, body));
      expect([refused.status, JSON.stringify(refused.body)], body).toEqual([
        400,
        expect.stringContaining(field),
      ]);
    }
    expect((await send(`/hooks/${id}`, inserted)).status).toBe(403);
    // Nothing of it is written while its job may not be.
    await api.superuser.query(`update millrace.job_definitions set is_active = false where key = 'scrape'`);
    const body = message({}, { id: 9, video_url: 'https://example.com/nine' });
    const inactive = await send(`/hooks/${id}`, body, signed(secret, 'row-9', body));
    await api.superuser.query(`update millrace.job_definitions set is_active = true where key = 'scrape'`);
    expect(JSON.stringify(inactive.body)).toMatch(/DEFINITION_?INACTIVE|DefinitionInactive/i);
    expect((await send(`/hooks/${id}`, body, signed(secret, 'row-9', body))).status).toBe(202);
    expect(await links()).toBe(2);
  });

  it('is for one trigger alone where it is its own URL, under what that listens to, and goes with it.', async () => {
    await startDispatcher();
    const trigger = async (label: string, event_name: string) =>
      (
        await admin.post('/jobs/triggers', {
          label,
          trigger_type: 'event',
          event_name,
          definition_key: 'echo',
          payload_template: { message: `${label} {{event.ref}}` },
          dedupe_window_seconds: 0,
        })
      ).body.id as string;
    const [own, other] = [await trigger('own', 'build.*'), await trigger('other', 'build.webhook')];
    const ask = (fields: object) =>
      admin.post('/webhooks/sources', { label: 'Builds', verification: 'token', ...fields });
    const made = await ask({ trigger_id: own });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const again = await ask({ trigger_id: own });
    expect([again.status, again.body.code, again.body.field]).toEqual([409, 'ALREADY_EXISTS', 'trigger_id']);
    for (const [fields, status, field] of [
      [{}, 400, 'event_name'],
      [{ trigger_id: other, event_name: 'a.b' }, 400, 'event_name'],
      [{ trigger_id: made.body.id }, 404, 'trigger_id'],
    ] as const) {
      const refused = await ask(fields);
      expect([refused.status, refused.body.field]).toEqual([status, field]);
    }
    const path = `/hooks/${made.body.id}`;
    const received = await send(`${path}/${made.body.secret}`, '{"ref":"main"}');
    expect(received.status).toBe(202);
    const { name } = (await admin.get(`/events/${received.body.event_id}`)).body;
    expect(name).toBe('build.webhook');
    // Who listens to the same name has no part in it.
    const runs = await waitFor(
      async () => {
        const { rows } = await api.superuser.query(
          `select r.trigger_id, r.outcome, j.payload from millrace.trigger_runs r left join millrace.jobs j on j.id = r.job_id
           where r.event_id = $1`,
          [received.body.event_id],
        );
        return rows.length > 0 && rows;
      },
      { describe: 'the event to be dispatched' },
    );
    expect(runs).toMatchObject([{ trigger_id: own, outcome: 'enqueued', payload: { message: 'own main' } }]);
    expect(runs).toHaveLength(1);
    expect((await admin.get(`/webhooks/sources/${made.body.id}`)).body).toMatchObject({
      path,
      trigger_id: own,
      received_count: 1,
    });
    await admin.send('DELETE', `/jobs/triggers/${own}`);
    expect((await send(`${path}/${made.body.secret}`, '{}')).status).toBe(404);
    const { rows } = await api.superuser.query(
      'select count(*)::int as n from millrace.webhook_secrets where owner_id = $1',
      [made.body.id],
    );
    expect(rows).toEqual([{ n: 0 }]);
    await admin.send('DELETE', `/jobs/triggers/${other}`);
  });

  it('refuses what is too large, no JSON, too much at once, disabled or not there.', async () => {
    const { id, secret } = await source('token');
    const path = `/hooks/${id}/${secret}`;
    expect((await send(path, 'no json')).status).toBe(400);
    expect((await send(path, JSON.stringify({ text: 'x'.repeat(256 * 1024) }))).status).toBe(413);
    expect((await send('/hooks/01900000-0000-7000-8000-000000000000/x', '{}')).status).toBe(404);
    const statuses = new Set<number>();
    await Promise.all(Array.from({ length: 200 }, async () => statuses.add((await send(path, '{}')).status)));
    expect([...statuses].sort()).toEqual([202, 429]);
    await admin.send('PATCH', `/webhooks/sources/${id}`, { is_enabled: false });
    await waitFor(async () => (await send(path, '{}')).status === 404, {
      describe: 'the source to be disabled',
      pollMs: 100,
    });
  });
});
