import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openStream } from '../support/sse.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('a stop closes sockets with 1012, ends event streams, and lets a mutation under way finish', async () => {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'tenant_admin');
  const socket = openSocket(api.server.graphqlUrl, { token });
  const watching = socket.subscribe('subscription { jobChanges { __typename } }');
  const stream = await openStream(api.server.graphqlUrl, token, 'subscription { jobChanges { __typename } }');
  await watching.next(() => true, 'an event');
  await stream.next(() => true, 'an event');
  // A dedupe key that an open transaction holds keeps the mutation waiting.
  await api.superuser.query('begin');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, dedupe_key) select $1, id, 'held' from millrace.job_definitions where key = 'echo'`,
    [tenantId],
  );
  const mutation = api.query(
    token,
    'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" }, dedupeKey: "held" }) { ... on EnqueueJobPayload { isNew job { status } } } }',
  );
  await waitFor(
    async () =>
      // Within a transaction Postgres shows the same activity again and again unless it is asked to refresh.
      (await api.superuser.query('select pg_stat_clear_snapshot()')).rowCount === 1 &&
      (
        await api.superuser.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert_%jobs%'`,
        )
      ).rowCount === 1,
    { describe: 'the mutation to wait' },
  );
  const stopped = api.server.stop();
  await waitFor(() => socket.closeCode() !== null && stream.isEnded(), { describe: 'both streams to end' });
  expect(socket.closeCode()).toBe(1012);
  await api.superuser.query('rollback');
  expect((await mutation).data.enqueueJob).toEqual({ isNew: true, job: { status: 'QUEUED' } });
  await stopped;
  await expect(fetch(`${api.url}/health/live`)).rejects.toThrow();
  await socket.close();
});
