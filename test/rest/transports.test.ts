import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { checkedClient } from '../support/rest-contract.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api?.close());

const rest = () => checkedClient(api.url, admin);
const graphql = async (document: string, variables: object) => {
  const { data, errors } = await api.query(admin, document, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return Object.values(data)[0] as Record<string, unknown>;
};
const ENQUEUE = `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { ... on EnqueueJobPayload { jobId } ... on DomainFailure { code field allowed } } }`;
const CANCEL = `mutation ($input: CancelJobInput!) { cancelJob(input: $input) { __typename ... on DomainFailure { code field allowed } } }`;
const RETRY = `mutation ($input: RetryJobInput!) { retryJob(input: $input) { __typename ... on DomainFailure { code field allowed } } }`;

/** Ids, times and who wrote it. */
const OWN = [
  'id',
  'queued_at',
  'scheduled_for',
  'changed_xid',
  'created_by',
  'finished_at',
  'cancel_requested_at',
];

/** What a job's row says, without what differs between any two jobs. */
async function rowOf(id: string) {
  const { rows } = await api.superuser.query('select to_jsonb(j) as row from millrace.jobs j where id = $1', [
    id,
  ]);
  return Object.fromEntries(Object.entries(rows[0].row).filter(([column]) => !OWN.includes(column)));
}

async function auditOf(id: string) {
  const { rows } = await api.superuser.query(
    'select action, target_type, details, actor from millrace.audit_log where target_id = $1 order by id',
    [id],
  );
  return rows;
}

const uuidOf = (globalId: unknown): string => String(globalId).replace(/^Job:/, '');

describe('a job through REST, GraphQL and SQL', () => {
  const ids: Record<string, string> = {};

  test('has the same row', async () => {
    // SQL fills in no defaults.
    const payload = { message: 'Hello', steps: 2, durationMs: 0, failTimes: 0 };
    ids['rest'] = (await rest().post('/jobs', { definition_key: 'echo', payload, priority: 7 })).body.id;
    ids['graphql'] = uuidOf(
      (await graphql(ENQUEUE, { input: { definition: 'echo', payload, priority: 7 } }))['jobId'],
    );
    const { rows } = await api.superuser.query(
      `select job_id from millrace.enqueue('echo', payload => $1::jsonb, priority => 7,
         tenant => (select slug from millrace.tenants where id = $2))`,
      [JSON.stringify(payload), tenantId],
    );
    ids['sql'] = rows[0].job_id;
    const [first, ...others] = await Promise.all(Object.values(ids).map(rowOf));
    for (const other of others) expect(other).toEqual(first);
  });

  test('is canceled and retried alike, with the same record', async () => {
    await rest().post(`/jobs/${ids['rest']}/cancel`, { reason: 'enough' });
    await graphql(CANCEL, { input: { id: ids['graphql'], reason: 'enough' } });
    expect(await rowOf(ids['rest'] as string)).toEqual(await rowOf(ids['graphql'] as string));
    await rest().post(`/jobs/${ids['rest']}/retry`);
    await graphql(RETRY, { input: { id: ids['graphql'] } });
    expect(await rowOf(ids['rest'] as string)).toEqual(await rowOf(ids['graphql'] as string));
    const audit = await auditOf(ids['rest'] as string);
    expect(audit.map(({ action }) => action)).toEqual(['job.cancel', 'job.retry']);
    expect(audit).toEqual(await auditOf(ids['graphql'] as string));
  });

  test.each([
    ['an unknown definition', { definition: 'ecoh' }],
    ['a payload that the schema refuses', { definition: 'echo', payload: { message: 5 } }],
    ['a time limit out of range', { definition: 'echo', payload: { message: 'x' }, timeoutSeconds: 0 }],
    ['a tag that is too long', { definition: 'echo', payload: { message: 'x' }, tags: ['x'.repeat(65)] }],
    ['metadata that is no object', { definition: 'echo', payload: { message: 'x' }, metadata: 5 }],
  ])('is refused with the same code for %s', async (_what, input) => {
    const { definition, timeoutSeconds, ...others } = input as Record<string, unknown>;
    const body = {
      definition_key: definition,
      ...others,
      ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
    };
    const [byRest, byGraphql] = [(await rest().post('/jobs', body)).body, await graphql(ENQUEUE, { input })];
    expect([byRest.code, byRest.allowed]).toEqual([byGraphql['code'], byGraphql['allowed']]);
  });

  test('is refused alike in the wrong state, and when it is another tenant’s', async () => {
    const byRest = (await rest().post(`/jobs/${ids['rest']}/retry`)).body;
    const byGraphql = await graphql(RETRY, { input: { id: ids['graphql'] } });
    expect(byRest.code).toBe(byGraphql['code']);
    const stranger = await api.token(await api.makeTenant(), 'tenant_admin');
    expect((await checkedClient(api.url, stranger).post(`/jobs/${ids['rest']}/cancel`)).body.code).toBe(
      'NOT_FOUND',
    );
  });

  test('takes as much from the caller’s rate', async () => {
    const costly = await startTestApi({
      env: { MILLRACE_CALLER_COST_PER_SECOND: '10', MILLRACE_RATE_BURST_SECONDS: '3' },
    });
    try {
      const token = await costly.token(await costly.makeTenant(), 'tenant_admin');
      const body = { definition_key: 'echo', payload: { message: 'x' } };
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await checkedClient(costly.url, token).post('/jobs', body));
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.body.code).toBe('RATE_LIMITED');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answers[0]?.headers.get('ratelimit-limit')).toBe('30');
      expect(
        (await costly.query(token, ENQUEUE, { input: { definition: 'echo', payload: { message: 'x' } } }))
          .errors[0]?.extensions?.['code'],
      ).toBe('RATE_LIMITED');
    } finally {
      await costly.close();
    }
  });
});
