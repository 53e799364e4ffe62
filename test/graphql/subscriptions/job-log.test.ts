import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLocalStore } from '../../../src/storage/local-store.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type TestSubscription } from '../../support/ws.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

async function newJob(): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload)
     select $1, id, '{"message": "x"}' from millrace.job_definitions where key = 'echo' returning id`,
    [tenantId],
  );
  return rows[0].id;
}

const write = (jobId: string, runNo: number, from: number, to: number) =>
  api.superuser.query(
    `with lines as (
       insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, data, logged_at)
       select $1, $2, n, $5, 'info', format('%s.%s', $2::int, n), jsonb_build_object('n', n), now() from generate_series($3::int, $4::int) n)
     select pg_notify('millrace_log', $1::text)`,
    [jobId, runNo, from, to, tenantId],
  );

const end = (jobId: string) =>
  api.superuser.query(`update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`, [
    jobId,
  ]);

const LOG = `subscription ($id: ID!, $after: String) { jobLog(jobId: $id, after: $after) {
  lines { cursor runNo lineNo level message data loggedAt } cursor isEnd } }`;

const messages = ({ received }: TestSubscription): string[] =>
  received.flatMap(({ data }) => data?.jobLog.lines.map((line: { message: string }) => line.message) ?? []);

const expected = (runNo: number, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${runNo}.${from + n}`);

test('ten thousand stored lines, then live ones, then the end, over a socket', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 10_000);
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const log = socket.subscribe(LOG, { id: jobId });
  await waitFor(() => messages(log).length === 10_000, {
    describe: () => `10,000 lines; ${JSON.stringify(log.ended())}`,
  });
  await write(jobId, 2, 1, 2);
  await waitFor(() => messages(log).length === 10_002, { describe: 'the lines of the second run' });
  await end(jobId);
  await waitFor(() => log.ended() === 'complete', { describe: 'the end' });
  expect(messages(log)).toEqual([...expected(1, 1, 10_000), ...expected(2, 1, 2)]);
  expect(log.received.at(-1)?.data.jobLog.isEnd).toBe(true);
  await socket.close();
  await waitFor(() => api.server.subscriberCount === 0, { describe: 'the feed to have no member' });
});

test('a socket that was cut goes on behind the last line that it had', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 150);
  const first = openSocket(api.server.graphqlUrl, { token: admin });
  const before = first.subscribe(LOG, { id: jobId });
  await waitFor(() => messages(before).length === 150, { describe: 'the first lines' });
  await first.close();
  await write(jobId, 1, 151, 160);
  await end(jobId);
  const after = before.received.at(-1)?.data.jobLog.lines.at(-1).cursor;
  const second = openSocket(api.server.graphqlUrl, { token: admin });
  const rest = second.subscribe(LOG, { id: jobId, after });
  await waitFor(() => rest.ended() === 'complete', { describe: 'the end' });
  expect([...messages(before), ...messages(rest)]).toEqual(expected(1, 1, 160));
  await second.close();
});

test('a job that is not there, and a cursor that is none, are said as errors', async () => {
  const jobId = await newJob();
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const missing = socket.subscribe(LOG, { id: '01900000-0000-7000-8000-000000000000' });
  const wrong = socket.subscribe(LOG, { id: jobId, after: 'nothing' });
  await waitFor(() => missing.ended() !== null && wrong.ended() !== null, { describe: 'both to end' });
  expect(JSON.stringify([missing.received, missing.ended()])).toContain('NOT_FOUND');
  expect(JSON.stringify([wrong.received, wrong.ended()])).toContain('INVALID_ARGUMENT');
  await socket.close();
});

test('the log of a job is read in pages, forwards and from its end', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 5);
  await write(jobId, 2, 1, 5);
  const page = async (args: string) => {
    const { data, errors } = await api.query(
      admin,
      `query ($id: ID!) { job(id: $id) { log${args} { edges { cursor node { message level data } }
         pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
      { id: jobId },
    );
    expect(errors).toEqual([]);
    const { edges, pageInfo } = data.job.log;
    return { ...pageInfo, lines: edges.map((edge: { node: { message: string } }) => edge.node.message) };
  };
  const first = await page('(first: 6)');
  expect(first).toMatchObject({
    lines: [...expected(1, 1, 5), '2.1'],
    hasNextPage: true,
    hasPreviousPage: false,
  });
  const second = await page(`(first: 6, after: "${first.endCursor}")`);
  expect(second).toMatchObject({ lines: expected(2, 2, 5), hasNextPage: false, hasPreviousPage: true });
  const last = await page('(last: 3)');
  expect(last).toMatchObject({ lines: expected(2, 3, 5), hasNextPage: false, hasPreviousPage: true });
  const earlier = await page(`(last: 3, before: "${last.startCursor}")`);
  expect(earlier).toMatchObject({ lines: ['1.5', '2.1', '2.2'], hasNextPage: true, hasPreviousPage: true });
  expect((await page('')).lines).toHaveLength(10);
});

test('progress shows the seconds that are left and a preview as a signed URL that works', async () => {
  const jobId = await newJob();
  const key = `previews/${jobId}.txt`;
  const store = await openLocalStore(api.storageDir);
  await store.put(key, { stream: Readable.from(['a picture']) });
  const say = (previewKey: string) =>
    api.superuser.query(
      `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, eta_seconds, preview_key) values ($1, $2, 0, 40, 12.5, $3)
       on conflict (job_id) do update set preview_key = excluded.preview_key`,
      [jobId, tenantId, previewKey],
    );
  const ask = async () =>
    (
      await api.query(
        admin,
        `query ($id: ID!) { job(id: $id) { progress { percent etaSeconds preview { url expiresAt } } } }`,
        {
          id: jobId,
        },
      )
    ).data.job.progress;
  await say(key);
  const progress = await ask();
  expect(progress).toMatchObject({ percent: 40, etaSeconds: 12.5 });
  const response = await fetch(progress.preview.url, { headers: { connection: 'close' } });
  expect(await response.text()).toBe('a picture');
  await say('../no/key');
  expect(await ask()).toMatchObject({ percent: 40, preview: null });
});
