import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOfTenant } from '../../src/graphql/subscriptions/same-tenant.ts';
import { createFeedMetrics } from '../../src/telemetry/counted-feed.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type MetricsPage, readMetrics } from '../support/metrics.ts';
import { silentLog } from '../support/queue.ts';
import { openStream } from '../support/sse.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const METRICS_TOKEN = 'a-token-for-metrics';
let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_METRICS_TOKEN: METRICS_TOKEN } });
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const page = async (): Promise<MetricsPage> => (await readMetrics(`${api.url}/metrics`, METRICS_TOKEN)).page;
const ENQUEUE =
  'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { ... on EnqueueJobPayload { job { uuid } } } }';
const CHANGES = 'subscription { jobChanges { __typename ... on JobUpdated { job { uuid } } } }';

async function watch() {
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const watching = socket.subscribe(CHANGES);
  await watching.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'FeedReady');
  return { socket, watching };
}

describe('who may read /metrics', () => {
  it('nobody without a credential, no tenant admin; the metrics token and a super admin may', async () => {
    const statusFor = async (token: string | null) => (await readMetrics(`${api.url}/metrics`, token)).status;
    expect(await statusFor(null)).toBe(401);
    expect(await statusFor('not-the-token-for-metrics')).toBe(401);
    expect(await statusFor(admin)).toBe(403);
    expect(await statusFor(await api.token(tenantId, 'super_admin'))).toBe(200);
    expect(await statusFor(METRICS_TOKEN)).toBe(200);
  });

  it('without a metrics token in the settings, no token is one', async () => {
    const other = await startTestApi();
    try {
      for (const token of ['', 'undefined', 'null', METRICS_TOKEN])
        expect((await readMetrics(`${other.url}/metrics`, token)).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe('the feed', () => {
  it('counts subscribers, executions, deliveries and the age of events, and goes back to 0 subscribers', async () => {
    const before = await page();
    const { socket, watching } = await watch();
    const { data } = await api.query(admin, ENQUEUE);
    await watching.next(
      (message) => message.data?.jobChanges.job?.uuid === data.enqueueJob.job.uuid,
      'the job',
    );
    const during = await page();
    const grown = (name: string) => (during.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(during.get('millrace_feed_subscribers')).toBe(1);
    expect(during.get('millrace_feed_groups')).toBe(1);
    expect(grown('millrace_feed_executions_total')).toBeGreaterThanOrEqual(1);
    expect(grown('millrace_feed_deliveries_total')).toBeGreaterThanOrEqual(1);
    expect(grown('millrace_feed_event_age_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(during.get('millrace_feed_tailer_lag_seconds')).toBeGreaterThanOrEqual(0);
    expect(during.get('millrace_feed_polling')).toBe(0);
    expect(during.get('millrace_feed_tenant_assert_violations_total')).toBe(0);
    await socket.close();
    await waitFor(async () => (await page()).get('millrace_feed_subscribers') === 0, {
      describe: 'no subscriber to be left',
    });
  });

  it('counts changes that no notification announced', async () => {
    const { socket, watching } = await watch();
    const missed = async () => (await page()).get('millrace_feed_missed_notifications_total') ?? -1;
    const before = await missed();
    // A writer that promises to notify after its commit, and does not.
    const writeInSilence = async (): Promise<string> => {
      await api.superuser.query('begin');
      await api.superuser.query(`set local millrace.notify = 'after_commit'`);
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id) select $1, id from millrace.job_definitions where key = 'echo' returning id`,
        [tenantId],
      );
      await api.superuser.query('commit');
      return rows[0].id;
    };
    // Again and again: on a busy machine a notification about something else may come within a second of one
    // of them.
    await waitFor(
      async () => {
        const id = await writeInSilence();
        await watching.next(({ data }) => data?.jobChanges.job?.uuid === id, 'the silent job, by a poll');
        return (await missed()) > before;
      },
      { describe: 'a notification to be missed', pollMs: 1_500 },
    );
    await socket.close();
  });

  it('counts an event of another tenant that the last look stopped', async () => {
    const metrics = createMetrics();
    const feed = createFeedMetrics(metrics);
    const change = { jobId: 'j', tenantId: '00000000-0000-7000-8000-000000000001' };
    const deps = { metrics: feed, log: silentLog };
    const event = { kind: 'job', change, cursor: '' } as never;
    expect(isOfTenant(event, change.tenantId, deps)).toBe(true);
    expect(isOfTenant(event, tenantId, deps)).toBe(false);
    expect(await metrics.render()).toMatch(/^millrace_feed_tenant_assert_violations_total 1$/m);
  });

  it('counts a stream that its credential ended', async () => {
    const before = (await page()).get('millrace_feed_expired_closes_total') ?? -1;
    const token = await api.token(tenantId, 'member', { ttlSeconds: 2 });
    const stream = await openStream(api.server.graphqlUrl, token, CHANGES);
    await waitFor(() => stream.isEnded(), { describe: 'the stream to end with its token' });
    expect((await page()).get('millrace_feed_expired_closes_total')).toBe(before + 1);
  });
});

describe('requests', () => {
  it('are counted by root field and route, and no name that a client makes up becomes a series', async () => {
    for (let nth = 0; nth < 20; nth++) {
      await api.query(admin, `query Made${nth}Up { alias${nth}: viewer { name } }`);
      await api.query(admin, `query { nothing${nth} }`);
      await (await fetch(`${api.url}/made/up/${nth}`, { headers: { connection: 'close' } })).text();
    }
    const { text, page: now } = await readMetrics(`${api.url}/metrics`, METRICS_TOKEN);
    expect(text).not.toMatch(/Made\d|alias\d|nothing\d|made\/up/);
    expect(
      now.get('millrace_graphql_operation_duration_seconds_count{type="query",field="viewer",outcome="ok"}'),
    ).toBeGreaterThanOrEqual(20);
    expect(
      now.get('millrace_http_request_duration_seconds_count{method="GET",route="other",status="404"}'),
    ).toBeGreaterThanOrEqual(20);
  });

  it('of a socket are counted as those by HTTP', async () => {
    const name =
      'millrace_graphql_operation_duration_seconds_count{type="subscription",field="jobChanges",outcome="ok"}';
    const before = (await page()).get(name) ?? 0;
    const { socket } = await watch();
    await socket.close();
    expect((await page()).get(name)).toBe(before + 1);
  });
});

it('the depth of the queue is shown by definition and state, with the age of the oldest ready job', async () => {
  const other = await startTestApi({ env: { MILLRACE_METRICS_TOKEN: METRICS_TOKEN } });
  try {
    const tenant = await other.makeTenant();
    await other.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
       select $1, d.id, now() + make_interval(secs => s) from millrace.job_definitions d, unnest(array[-90, 0, 3600]) s where d.key = 'echo'`,
      [tenant],
    );
    await other.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, run_no, lease_token, started_at, claimed_at, claimed_by_worker, lease_expires_at)
       select $1, id, 'running', 1, gen_random_uuid(), now(), now(), 'w', now() + interval '1 hour' from millrace.job_definitions where key = 'echo'`,
      [tenant],
    );
    const { page: now } = await readMetrics(`${other.url}/metrics`, METRICS_TOKEN);
    const depth = (state: string) => now.get(`millrace_queue_jobs{definition="echo",state="${state}"}`);
    expect([depth('ready'), depth('scheduled'), depth('blocked'), depth('running')]).toEqual([2, 1, 0, 1]);
    expect(now.get('millrace_queue_oldest_ready_seconds{definition="echo"}')).toBeGreaterThanOrEqual(90);
  } finally {
    await other.close();
  }
});
