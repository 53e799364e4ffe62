import { afterAll, beforeAll, expect, test } from 'vitest';
import { worstRequests } from '../../bench/stage/worst-requests.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { leastLoopDelayMs } from '../support/loop-delay.ts';

/** On a machine with nothing else to do it is 40 ms; unbounded, one of these requests alone took seconds. */
const MAX_DELAY_MS = 1_000;
const CONNECTIONS = 16;

let api: TestApi;
let token: string;
let other: string;

beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  other = await api.token(await api.makeTenant(), 'member');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, payload)
     select $1, d.id, 'succeeded', now(), jsonb_build_object('message', repeat(md5(n::text), 30000))
     from millrace.job_definitions d, generate_series(1, 60) n where d.key = 'echo'`,
    [tenantId],
  );
});
afterAll(() => api.close());

async function send(json: string): Promise<number> {
  const response = await fetch(api.server.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    body: json,
  }).catch(() => null);
  await response?.text().catch(() => '');
  // A refusal before the body is read may cut the connection.
  return response?.status ?? 0;
}

test('one member who sends the worst of everything on 16 connections holds the process for no long time, and others are answered', async () => {
  const requests = worstRequests();
  const delayMs = await leastLoopDelayMs(250, async () => {
    let isOver = false;
    const asking = (async () => {
      let count = 0;
      for (; !isOver || count === 0; count++) {
        const { errors, data } = await api.query(other, '{ viewer { name } }');
        expect(errors).toEqual([]);
        expect(data.viewer.name).toEqual(expect.any(String));
      }
      return count;
    })();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, n) => {
        for (let turn = 0; turn < 3; turn++) {
          const { json } = requests[(n + turn) % requests.length] as (typeof requests)[number];
          await send(json);
        }
      }),
    );
    isOver = true;
    expect(await asking).toBeGreaterThan(0);
  });
  expect(delayMs).toBeLessThan(MAX_DELAY_MS);
});
