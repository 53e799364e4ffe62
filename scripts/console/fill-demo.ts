import { type ApiClient, callApi } from '../../src/cli/call-api.ts';
import { waitFor } from '../../test/support/wait.ts';

const JOBS = [
  {
    definition: 'echo',
    payload: { message: 'invoice', failTimes: 2 },
    maxAttempts: 2,
    subject: { type: 'invoice', key: '77' },
  },
  {
    definition: 'echo',
    payload: { message: 'report' },
    scheduledFor: '2030-01-01T09:00:00Z',
    tags: ['night'],
  },
  ...Array.from({ length: 6 }, (_, index) => ({
    definition: 'echo',
    payload: { message: `mail ${index}`, steps: 3 },
  })),
];

/**
 * Gives a demo jobs that have ended, a schedule, a trigger, an event and a key. @returns the UUID of a job
 * that has failed
 */
export async function fillDemo(api: ApiClient): Promise<string> {
  await callApi(
    api,
    'mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename } }',
    { jobs: JOBS },
  );
  await callApi(
    api,
    `mutation {
      a: createTrigger(input: { label: "Morning report", cron: "0 9 * * 1-5", timeZone: "Europe/Berlin", definition: "echo", payloadTemplate: { message: "report" } }) { __typename }
      b: createTrigger(input: { label: "Order paid", eventName: "order.paid", definition: "echo", payloadTemplate: { message: "paid" } }) { __typename }
    }`,
  );
  await callApi(
    api,
    'mutation { emitEvent(input: { name: "order.paid", data: { order: 1042 } }) { __typename } }',
  );
  let failed: string | undefined;
  await waitFor(
    async () => {
      const { jobs } = await callApi<{ jobs: { nodes: { uuid: string }[] } }>(
        api,
        '{ jobs(first: 1, filter: { statuses: [DEAD_LETTER] }) { nodes { uuid } } }',
      );
      failed = jobs.nodes[0]?.uuid;
      return failed !== undefined;
    },
    { describe: 'a failed job', timeoutMs: 60_000 },
  );
  await makeKey(api);
  return failed ?? '';
}

/** A key that has been used. */
async function makeKey(api: ApiClient): Promise<void> {
  const { createApiKey } = await callApi<{ createApiKey: { secret: string } }>(
    api,
    `mutation { createApiKey(input: { name: "Shop", role: MEMBER, scopes: [JOBS_READ, JOBS_WRITE] }) { ... on CreateApiKeyPayload { secret } } }`,
  );
  await callApi({ ...api, token: createApiKey.secret }, '{ jobs(first: 1) { nodes { id } } }');
}

/**
 * Jobs that run for minutes, and two that are due and held by a limit.
 * @param superToken of a super admin, who may limit what runs
 */
export async function keepBusy(api: ApiClient, superToken: string): Promise<void> {
  await callApi(
    { ...api, token: superToken },
    'mutation { setLaneLimit(input: { definition: "echo", maxRunning: 5 }) { __typename } }',
  );
  const jobs = Array.from({ length: 7 }, (_, index) => ({
    definition: 'echo',
    payload: { message: `order ${1042 + index}`, steps: 40, durationMs: 240_000 + 20_000 * index },
    subject: { type: 'order', key: String(1042 + index) },
  }));
  await callApi(
    api,
    'mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename } }',
    { jobs },
  );
  await waitFor(
    async () => {
      const { jobs } = await callApi<{ jobs: { nodes: { progress: { percent: number | null } | null }[] } }>(
        api,
        '{ jobs(filter: { statuses: [RUNNING] }) { nodes { progress { percent } } } }',
      );
      return jobs.nodes.filter(({ progress }) => (progress?.percent ?? 0) >= 10).length >= 5;
    },
    { describe: 'progress of what runs', timeoutMs: 120_000, pollMs: 500 },
  );
}
