import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { leastLoopDelayMs } from '../support/loop-delay.ts';

const LARGE_JOBS = 40;
/** Each has a payload and a result of nearly 1 MB that do not compress to nothing. */
const BYTES = 900_000;

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, payload, result)
     select $1, d.id, 'succeeded', now(), jsonb_build_object('text', t.text), to_jsonb(t.text)
     from millrace.job_definitions d, generate_series(1, ${LARGE_JOBS}) n,
       lateral (select string_agg(md5(n || ':' || i), '') as text from generate_series(1, ${Math.ceil(BYTES / 32)}) i) t
     where d.key = 'echo'`,
    [tenantId],
  );
});
afterAll(() => api.close());

const ask = (document: string) => api.query(token, document);

test('a page of jobs with large payloads reads none that nobody asked for, and holds the process for no time', async () => {
  const delayMs = await leastLoopDelayMs(100, async () => {
    const { data, errors } = await ask('{ jobs(first: 100) { nodes { id status } } }');
    expect(errors).toEqual([]);
    expect(data.jobs.nodes).toHaveLength(LARGE_JOBS);
  });
  expect(delayMs).toBeLessThan(250);
});

test('payloads or results that are too many for one answer are refused with how much that would be and what is allowed', async () => {
  for (const field of ['payload', 'result']) {
    const delayMs = await leastLoopDelayMs(100, async () => {
      const { data, errors } = await ask(`{ jobs(first: 100) { nodes { id ${field} } } }`);
      expect(errors.length).toBe(LARGE_JOBS);
      expect(errors[0]).toMatchObject({
        path: ['jobs', 'nodes', 0, field],
        extensions: { code: 'ANSWER_TOO_LARGE', limit: 4 * 1024 * 1024 },
      });
      expect(Number(errors[0]?.extensions?.['actual'])).toBeGreaterThan(LARGE_JOBS * BYTES);
      expect(data.jobs.nodes[0][field]).toBeNull();
    });
    expect(delayMs, field).toBeLessThan(250);
  }
});

test('what fits is given whole, and payloads and results count together', async () => {
  const { data, errors } = await ask('{ jobs(first: 2) { nodes { payload result } } }');
  expect(errors).toEqual([]);
  for (const { payload, result } of data.jobs.nodes) {
    expect(payload.text.length).toBeGreaterThanOrEqual(BYTES);
    expect(result).toBe(payload.text);
  }
  const both = await ask('{ jobs(first: 3) { nodes { payload result } } }');
  expect(both.errors).toHaveLength(3);
  expect(both.errors[0]).toMatchObject({ extensions: { code: 'ANSWER_TOO_LARGE' } });
});

test('bytes of answers are taken from what their caller may ask', async () => {
  const left = async () => {
    const { headers } = await send('{ viewer { role } }');
    return Number(headers.get('ratelimit-remaining'));
  };
  const before = await left();
  await send('{ jobs(first: 4) { nodes { payload } } }');
  // Some comes back meanwhile: 20,000 a second.
  expect(before - (await left())).toBeGreaterThan(5_000);
});

async function send(query: string): Promise<Response> {
  const response = await fetch(api.server.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query }),
  });
  await response.text();
  return response;
}
