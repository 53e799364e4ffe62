import { expect, it } from 'vitest';
import { retryAdviceMs, spreadMsFor, spreadOut } from '../../src/http/spread.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';
import { openSocket } from '../support/ws.ts';

const HELD = `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" }, dedupeKey: "held" }) {
  ... on EnqueueJobPayload { isNew job { status } } } }`;

/** A dedupe key that the superuser's open transaction holds keeps `HELD` waiting until `rollback`. */
async function holdKey(api: TestApi, tenantId: string): Promise<void> {
  await api.superuser.query('begin');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, dedupe_key) select $1, id, 'held' from millrace.job_definitions where key = 'echo'`,
    [tenantId],
  );
}

async function mutationWaits(api: TestApi): Promise<void> {
  await waitFor(
    async () => {
      // Within a transaction Postgres shows the same activity again and again unless it is asked to refresh.
      await api.superuser.query('select pg_stat_clear_snapshot()');
      const { rowCount } = await api.superuser.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert_%jobs%' and datname = current_database()`,
      );
      return rowCount === 1;
    },
    { describe: 'the mutation to wait' },
  );
}

it('a mutation that came by a socket is answered before the socket is closed, and others are closed at once', async () => {
  const api = await startTestApi();
  try {
    const tenantId = await api.makeTenant();
    const token = await api.token(tenantId, 'tenant_admin');
    const busy = openSocket(api.server.graphqlUrl, { token });
    const idle = openSocket(api.server.graphqlUrl, { token });
    const watching = idle.subscribe('subscription { jobChanges { __typename } }');
    await watching.next(() => true, 'an event');
    await holdKey(api, tenantId);
    const mutation = busy.subscribe(HELD);
    await mutationWaits(api);
    const stopped = api.server.stop();
    await waitFor(() => idle.closeCode() !== null, { describe: 'the idle socket to be closed' });
    expect(busy.closeCode()).toBeNull();
    await api.superuser.query('rollback');
    const { data } = await mutation.next(() => true, 'the answer');
    expect(data.enqueueJob).toEqual({ isNew: true, job: { status: 'QUEUED' } });
    await stopped;
    await waitFor(() => busy.closeCode() !== null, { describe: 'the busy socket to be closed' });
    expect([idle.closeCode(), busy.closeCode()]).toEqual([1012, 1012]);
    await Promise.all([idle.close(), busy.close()]);
  } finally {
    await api.close();
  }
});

it('a stop ends within its grace period although a mutation hangs in the database', async () => {
  const api = await startTestApi({ env: { MILLRACE_SHUTDOWN_SECONDS: '1' } });
  try {
    const tenantId = await api.makeTenant();
    const token = await api.token(tenantId, 'tenant_admin');
    const socket = openSocket(api.server.graphqlUrl, { token });
    await holdKey(api, tenantId);
    socket.subscribe(HELD);
    await mutationWaits(api);
    // The transaction that it waits for is still open: nothing but the deadline can end this.
    await api.server.stop();
    await waitFor(() => socket.closeCode() !== null, { describe: 'the socket to be closed' });
    expect(socket.closeCode()).toBe(1012);
    await api.superuser.query('rollback');
    await socket.close();
  } finally {
    await api.close();
  }
});

it('an event stream is sent when to come back, and ends as a complete response', async () => {
  const api = await startTestApi({
    times: { ...(await import('../../src/http/times.ts')).HTTP_TIMES, ssePingMs: 20 },
  });
  try {
    const token = await api.token(await api.makeTenant(), 'member');
    const response = await fetch(api.server.graphqlUrl, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        connection: 'close',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: 'subscription { jobChanges { __typename } }' }),
    });
    let text = '';
    const read = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        text += decoder.decode(chunk, { stream: true });
    })();
    await waitFor(
      () => text.includes('FeedReady') && text.split('\n').filter((line) => line === ':').length > 3,
      {
        describe: () => `an event and comment lines; got ${text}`,
      },
    );
    await api.server.stop();
    // Rejects where the response was cut off.
    await read;
    expect(text).toMatch(/\nretry: \d+\n\n$/);
    expect(
      text.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice(6)).data?.jobChanges.__typename),
    ).toContain('FeedReady');
  } finally {
    await api.close();
  }
});

it('an event stream is silent for less than 12 s', async () => {
  const { HTTP_TIMES } = await import('../../src/http/times.ts');
  expect(HTTP_TIMES.ssePingMs).toBeLessThan(12_000);
});

it('the ends of ten thousand streams are spread over two seconds, those of ten come at once', async () => {
  expect([
    spreadMsFor(10, 2_000),
    spreadMsFor(10_000, 2_000),
    spreadMsFor(1_000_000, 2_000),
    spreadMsFor(10_000, 0),
  ]).toEqual([2, 2_000, 2_000, 0]);
  const slices: number[] = [];
  let seen = 0;
  const spreading = spreadOut(
    Array.from({ length: 500 }, (_, nth) => nth),
    100,
    () => seen++,
  );
  // What is done within one turn is one slice.
  while (seen < 500) {
    slices.push(seen);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await spreading;
  expect(seen).toBe(500);
  expect(new Set(slices).size).toBeGreaterThanOrEqual(5);
  for (let nth = 0; nth < 100; nth++) expect(retryAdviceMs(5)).toBeLessThanOrEqual(5);
});
