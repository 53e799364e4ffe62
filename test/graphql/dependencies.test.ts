import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

const sent: string[] = [];
{
  const real = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  // Before any connection is made: each remembers the method it was made with.
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    sent.push(typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text);
    return real.apply(this, args);
  } as typeof pg.Client.prototype.query);
}

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

async function enqueue(dependsOn: string): Promise<Record<string, unknown>> {
  const answer = await api.query(
    token,
    `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" }, dependsOn: [${dependsOn}] }) {
       ... on EnqueueJobPayload { job { id uuid status reason pendingDependencyCount } }
       ... on InvalidArgumentError { field } } }`,
  );
  expect(answer.errors).toEqual([]);
  const { job, field } = answer.data.enqueueJob;
  return job ?? { field };
}

it('a job shows what it waits for and what waits for it, in both directions', async () => {
  const parent = await enqueue('');
  const child = await enqueue(`{ jobId: "${parent['id']}" }`);
  const other = await enqueue(`{ jobId: "${parent['uuid']}", policy: RUN }`);
  expect(child).toMatchObject({ status: 'QUEUED', pendingDependencyCount: 1 });
  const answer = await api.query(
    token,
    `{ parent: job(id: "${parent['id']}") { dependents { policy job { uuid } } dependsOn { policy } }
       child: job(id: "${child['id']}") { dependsOn { policy job { uuid status } } dependents { policy } } }`,
  );
  expect(answer.data).toEqual({
    parent: {
      dependents: [
        { policy: 'CANCEL', job: { uuid: child['uuid'] } },
        { policy: 'RUN', job: { uuid: other['uuid'] } },
      ],
      dependsOn: [],
    },
    child: {
      dependsOn: [{ policy: 'CANCEL', job: { uuid: parent['uuid'], status: 'QUEUED' } }],
      dependents: [],
    },
  });
});

it('an unknown parent is refused by its place in the list', async () => {
  const missing = '01900000-0000-7000-8000-000000000000';
  expect(await enqueue(`{ jobId: "${missing}" }`)).toEqual({ field: 'input.dependsOn[0].jobId' });
});

it('a page of jobs reads both lists in one statement each', async () => {
  const parent = await enqueue('');
  for (let index = 0; index < 5; index++) await enqueue(`{ jobId: "${parent['id']}" }`);
  sent.length = 0;
  const answer = await api.query(
    token,
    '{ jobs(first: 20) { nodes { dependsOn { job { uuid } } dependents { job { uuid } } } } }',
  );
  expect(answer.errors).toEqual([]);
  expect(sent.filter((text) => text.includes('dependencies_of_jobs'))).toHaveLength(1);
  expect(sent.filter((text) => text.includes('dependents_of_jobs'))).toHaveLength(1);
});
