import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { leastLoopDelayMs } from '../../support/loop-delay.ts';

// A call with a thousand jobs leaves the process to others in between.

/** Twice what its longest piece, the answer's writing, takes. */
const MAX_DELAY_MS = 90;

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
  });
  token = await api.token(await api.makeTenant(), 'member');
});
afterAll(() => api.close());

const BULK = `mutation ($input: EnqueueJobsInput!) { enqueueJobs(input: $input) { __typename
  ... on EnqueueJobsPayload { results { __typename ... on EnqueueJobPayload { jobId isNew } } } } }`;

it.each([
  ['alike', () => ({})],
  [
    'each with texts of its own',
    (n: number) => ({ tags: [`t${n}`], metadata: { n }, correlationId: `c${n}`, priority: n }),
  ],
])('enqueueJobs of 1,000 jobs, %s, holds the event loop for a moment at a time', async (_what, more) => {
  const jobs = Array.from({ length: 1_000 }, (_, n) => ({
    definition: 'echo',
    payload: { message: `m${n}`, steps: 2 },
    ...more(n),
  }));
  let answer: unknown;
  const delayMs = await leastLoopDelayMs(MAX_DELAY_MS, async () => {
    answer = (await api.query(token, BULK, { input: { jobs } })).data?.enqueueJobs?.results?.length;
  });
  expect(answer).toBe(1_000);
  expect(delayMs).toBeLessThan(MAX_DELAY_MS);
});
