import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { deliverRegistration } from '../../../workers/handlers/webhooks/registration.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { register } from '../../../workers/registry.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { type RestClient, restClient } from '../../support/rest.ts';
import { waitFor } from '../../support/wait.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let api: TestApi;
let tenantId: string;
let admin: RestClient;
let receiver: Server;
let address: string;
let worker: RunningWorker;
const received: Received[] = [];
let answer: { readonly status: number; readonly headers?: Record<string, string> } = { status: 200 };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status, { connection: 'close', ...answer.headers }).end('noted');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const env = {
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.0/8',
    MILLRACE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  api = await startTestApi({ env });
  tenantId = await api.makeTenant();
  admin = restClient(api.url, await api.token(tenantId, 'tenant_admin'));
  const { definition, load, provide } = deliverRegistration();
  worker = await openWorker({
    awaits: new AbortController().signal,
    config: loadConfig({ MILLRACE_LOG_LEVEL: 'silent', MILLRACE_STORAGE_DIR: api.storageDir, ...env }),
    databaseUrl: api.databaseUrl,
    registrations: [register(definition, load, provide)],
  });
});
afterAll(async () => {
  await worker?.stop(5);
  await api?.close();
  await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  answer = { status: 200 };
});

async function made(path: string, body: object): Promise<{ id: string; secret: string }> {
  const response = await admin.post(path, body);
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body;
}

const endpoint = (url = address) => made('/webhooks/endpoints', { label: 'Shop', url });

async function deliver(id: string, data: unknown = { amount: 3 }): Promise<string> {
  const payload = { endpoint: id, type: 'order.paid', data };
  return (await made('/jobs', { definition_key: 'deliver-webhook', payload })).id;
}

async function attempts(id: string) {
  return (await admin.get(`/webhooks/endpoints/${id}/deliveries`)).body.data;
}

async function endpointRow(id: string) {
  const { rows } = await api.superuser.query('select * from millrace.webhook_endpoints where id = $1', [id]);
  return rows[0];
}

const attempted = (id: string, count = 1) =>
  waitFor(async () => ((await attempts(id)).length >= count ? await attempts(id) : null), {
    describe: 'an attempt',
  });

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

describe('An outgoing webhook', () => {
  it('is delivered by a trigger on an event, signed so that an independent library takes it.', async () => {
    const { id, secret } = await endpoint();
    const trigger = await admin.post('/jobs/triggers', {
      label: 'Paid orders',
      trigger_type: 'event',
      event_name: 'order.paid',
      definition_key: 'deliver-webhook',
      payload_template: { endpoint: id, type: '{{event.$name}}', data: '{{event.$data}}' },
    });
    expect(trigger.status, JSON.stringify(trigger.body)).toBe(201);
    await admin.post('/events', { name: 'order.paid', data: { amount: 7 } });
    await attempted(id);
    const [message] = received as [Received];
    expect(new Webhook(secret).verify(message.body, headersOf(message))).toMatchObject({
      type: 'order.paid',
      data: { amount: 7 },
    });
    expect(await attempts(id)).toMatchObject([
      {
        outcome: 'delivered',
        status_code: 200,
        answer: 'noted',
        error: null,
        message_id: message.headers['webhook-id'],
      },
    ]);
    await admin.send('DELETE', `/jobs/triggers/${trigger.body.id}`);
  });

  it('is signed with both secrets while one takes the place of the other.', async () => {
    const { id, secret } = await endpoint();
    const rotated = await admin.post(`/webhooks/endpoints/${id}/rotate-secret`, { overlap_seconds: 600 });
    await deliver(id);
    await attempted(id);
    const [message] = received as [Received];
    for (const each of [secret, rotated.body.secret])
      expect(new Webhook(each).verify(message.body, headersOf(message))).toBeTruthy();
    await admin.post(`/webhooks/endpoints/${id}/rotate-secret`, { overlap_seconds: 0 });
    await deliver(id);
    await attempted(id, 2);
    for (const each of [secret, rotated.body.secret])
      expect(() =>
        new Webhook(each).verify(received[1]?.body ?? '', headersOf(received[1] as Received)),
      ).toThrow();
    const stored = await api.superuser.query('select secret from millrace.webhook_secrets');
    expect(JSON.stringify(stored.rows)).not.toContain('whsec_');
  });

  it('is tried again when it fails, does not follow a redirect, and can be delivered again.', async () => {
    const { id } = await endpoint();
    answer = { status: 302, headers: { location: 'http://127.0.0.1:1/else' } };
    const jobId = await deliver(id);
    const [failed] = await attempted(id);
    expect(failed).toMatchObject({
      outcome: 'failed',
      status_code: 302,
      error: 'It answers 302: redirects are not followed',
    });
    const { rows } = await api.superuser.query(
      'select status, attempt_count from millrace.jobs where id = $1',
      [jobId],
    );
    expect(rows).toEqual([{ status: 'queued', attempt_count: 1 }]);
    answer = { status: 204 };
    const again = await admin.post(`/webhooks/deliveries/${failed.id}/redeliver`);
    expect(again.status).toBe(201);
    const [delivered] = await attempted(id, 2);
    expect(delivered).toMatchObject({
      outcome: 'delivered',
      status_code: 204,
      message_id: failed.message_id,
    });
    expect(delivered.job_id).toBe(again.body.job_id);
  });

  it('is found by its key among others, within its tenant alone.', async () => {
    const [{ id }, other] = [await endpoint(), await endpoint()];
    const document = 'query ($uuid: UUID) { webhookEndpoints(uuid: $uuid) { nodes { uuid } } }';
    const found = async (token: string, uuid: string | null) =>
      (await api.query(token, document, { uuid })).data.webhookEndpoints.nodes;
    const token = await api.token(tenantId, 'tenant_admin');
    expect(await found(token, id)).toEqual([{ uuid: id }]);
    expect(await found(token, null)).toEqual(expect.arrayContaining([{ uuid: id }, { uuid: other.id }]));
    expect(await found(await api.token(await api.makeTenant(), 'tenant_admin'), id)).toEqual([]);
  });

  it('is refused for an address that is not public, and what a name leads to is checked when it is called.', async () => {
    for (const url of [
      'http://10.0.0.1/',
      'http://[::ffff:169.254.169.254]/',
      'ftp://example.com',
      'http://u:p@example.com/',
    ]) {
      const refused = await admin.post('/webhooks/endpoints', { label: 'x', url });
      expect([refused.status, refused.body.field], url).toEqual([400, 'url']);
    }
    const { id } = await endpoint('http://10.0.0.1.nip.invalid/');
    await api.superuser.query(
      `update millrace.webhook_endpoints set url = 'http://192.168.0.1/' where id = $1`,
      [id],
    );
    const jobId = await deliver(id);
    expect(await attempted(id)).toMatchObject(
      [{ outcome: 'failed', status_code: null, error: /AddressRefused/ }].map(() => ({
        outcome: 'failed',
        status_code: null,
      })),
    );
    expect((await attempts(id))[0].error).toMatch(/^AddressRefused/);
    await waitFor(
      async () =>
        (await api.superuser.query('select status from millrace.jobs where id = $1', [jobId])).rows[0]
          .status === 'failed',
      { describe: 'the job to fail' },
    );
  });

  it('pauses an endpoint that is gone, or has failed for its time, and resumes it by hand.', async () => {
    const gone = await endpoint();
    answer = { status: 410 };
    await deliver(gone.id);
    await attempted(gone.id);
    expect((await endpointRow(gone.id)).pause_reason).toBe('It answered 410: nothing more is wanted there.');
    answer = { status: 200 };
    await deliver(gone.id);
    expect((await attempted(gone.id, 2))[0]).toMatchObject({ outcome: 'skipped', status_code: null });
    const resumed = await admin.send('PATCH', `/webhooks/endpoints/${gone.id}`, { is_paused: false });
    expect([resumed.status, resumed.body.paused_at]).toEqual([200, null]);
    await deliver(gone.id);
    expect((await attempted(gone.id, 3))[0]).toMatchObject({ outcome: 'delivered' });

    const dead = await endpoint();
    answer = { status: 500 };
    await api.superuser.query(
      `update millrace.webhook_endpoints set consecutive_failures = 19, failing_since = now() - interval '2 days' where id = $1`,
      [dead.id],
    );
    await deliver(dead.id);
    await attempted(dead.id);
    expect((await endpointRow(dead.id)).pause_reason).toMatch(
      /^20 deliveries in a row failed, since .*It answers 500/,
    );
  });
});
