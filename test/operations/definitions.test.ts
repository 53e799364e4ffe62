import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echo } from '../../src/domains/echo/echo.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openDatabase } from '../support/queue.ts';

let api: TestApi;
let root: string;
let member: string;
beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  root = await api.token(tenantId, 'super_admin');
  member = await api.token(tenantId, 'member');
});
afterAll(() => api.close());

const FAILURE = '__typename ... on DomainFailure { code field allowed message }';
const DEFINITION =
  'key description payloadSchema timeoutSeconds maxAttempts leaseSeconds retryPolicy isActive archivedAt declared override workerCount workers { name }';

const run = async (verb: string, input: object, token = root) => {
  const name = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
  const { data, errors } = await api.query(
    token,
    `mutation ($input: ${name}Input!) { ${verb}(input: $input) { ${FAILURE} ... on ${name}Payload { definition { ${DEFINITION} } } } }`,
    { input },
  );
  expect(errors).toEqual([]);
  return data[verb];
};
const enqueue = async (definition: string, payload: object) =>
  (
    await api.query(
      root,
      `mutation ($definition: String!, $payload: JSON!) { enqueueJob(input: { definition: $definition, payload: $payload }) {
        ${FAILURE} ... on EnqueueJobPayload { job { status waitingFor { reason } } } } }`,
      { definition, payload },
    )
  ).data.enqueueJob;

const SCHEMA = {
  type: 'object',
  properties: { provider_id: { type: 'string', format: 'uuid' }, path_prefix: { type: 'string' } },
  required: ['provider_id'],
  additionalProperties: false,
};

describe('a definition that is made at run time', () => {
  it('takes jobs by its schema at once, and a job that nobody serves says so', async () => {
    const made = await run('createJobDefinition', {
      key: 'sync-dropbox',
      description: 'Sync provider updates for tenant',
      payloadSchema: SCHEMA,
      timeoutSeconds: 60,
      retryPolicy: { delaysSeconds: [1, 5] },
    });
    expect(made.definition).toMatchObject({
      key: 'sync-dropbox',
      payloadSchema: SCHEMA,
      timeoutSeconds: 60,
      maxAttempts: 3,
      retryPolicy: { delaysSeconds: [1, 5] },
      declared: null,
      override: { timeoutSeconds: 60, payloadSchema: SCHEMA },
      workerCount: 0,
      workers: [],
    });
    expect(await enqueue('sync-dropbox', {})).toMatchObject({
      code: 'INVALID_PAYLOAD',
      field: 'input.payload.provider_id',
    });
    const payload = { provider_id: '1efe049f-ae71-4226-97be-236b4df4a93a' };
    expect(await enqueue('sync-dropbox', payload)).toMatchObject({
      job: { status: 'QUEUED', waitingFor: { reason: 'NO_WORKER' } },
    });
    expect(await run('createJobDefinition', { key: 'sync-dropbox' })).toMatchObject({
      code: 'ALREADY_EXISTS',
      field: 'input.key',
    });
  });

  it('takes every setting that code may declare, and shows each as its operator’s', async () => {
    await run('createJobDefinition', { key: 'all-set' });
    const rate = { count: 5, periodSeconds: 60 };
    const settings = {
      payloadSchema: SCHEMA,
      timeoutSeconds: 60,
      maxAttempts: 7,
      leaseSeconds: 45,
      retryPolicy: { delaysSeconds: [1, 5] },
      maxRunning: 9,
      maxRunningPerTenant: 2,
      rateLimit: rate,
      rateLimitPerTenant: rate,
      retentionSeconds: 86_400,
      isActive: false,
    };
    const { definition } = await run('updateJobDefinition', { definition: 'all-set', ...settings });
    expect(definition).toMatchObject({ declared: null, isActive: false, maxAttempts: 7, leaseSeconds: 45 });
    const { isActive: _, rateLimit: __, rateLimitPerTenant: ___, ...plain } = settings;
    expect(definition.override).toMatchObject(plain);
    expect(await enqueue('all-set', {})).toMatchObject({ code: 'DEFINITION_INACTIVE' });
    const { rows } = await api.superuser.query(
      `select max_running, max_running_per_tenant, rate_limit_count, rate_limit_per_tenant_period_seconds, retention_seconds::int
       from millrace.job_definitions where key = 'all-set'`,
    );
    expect(rows).toEqual([
      {
        max_running: 9,
        max_running_per_tenant: 2,
        rate_limit_count: 5,
        rate_limit_per_tenant_period_seconds: 60,
        retention_seconds: 86_400,
      },
    ]);
  });

  it('takes another schema, and nothing more once it is archived', async () => {
    await run('createJobDefinition', { key: 'short-lived', payloadSchema: SCHEMA });
    await run('updateJobDefinition', {
      definition: 'short-lived',
      payloadSchema: { type: 'object', required: ['x'] },
    });
    expect(await enqueue('short-lived', {})).toMatchObject({
      code: 'INVALID_PAYLOAD',
      field: 'input.payload.x',
    });
    expect((await run('archiveJobDefinition', { definition: 'short-lived' })).definition).toMatchObject({
      isActive: false,
      archivedAt: expect.any(String),
      override: { payloadSchema: { type: 'object', required: ['x'] } },
    });
    expect(await enqueue('short-lived', { x: 1 })).toMatchObject({ code: 'DEFINITION_INACTIVE' });
    expect((await run('restoreJobDefinition', { definition: 'short-lived' })).definition).toMatchObject({
      isActive: true,
      archivedAt: null,
    });
    expect(await enqueue('short-lived', { x: 1 })).toMatchObject({ job: { status: 'QUEUED' } });
    expect(await run('archiveJobDefinition', { definition: 'echo' })).toMatchObject({ code: 'WRONG_STATE' });
  });

  it.each([
    [{ type: 'object', properties: { n: { type: 'nummer' } } }, 'payloadSchema.properties.n.type'],
    [
      { type: 'object', properties: { n: { type: 'string', pattern: '(' } } },
      'payloadSchema.properties.n.pattern',
    ],
    [
      { type: 'object', properties: { n: { $ref: 'https://example.com/x.json' } } },
      'payloadSchema.properties.n.$ref',
    ],
    [{ type: 'object', properties: { n: { maxLength: -1 } } }, 'payloadSchema.properties.n.maxLength'],
    [{ type: 'object', required: 'n' }, 'payloadSchema.required'],
    [{ properties: { n: { $ref: '#/$defs/missing' } } }, 'payloadSchema'],
    [[], 'payloadSchema'],
    [null, 'payloadSchema'],
  ])('is refused with the reason and the place for the schema %j', async (payloadSchema, field) => {
    const refused = await run('createJobDefinition', { key: 'bad-schema', payloadSchema });
    expect(refused).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: `input.${field}`,
      message: expect.stringContaining(field),
    });
  });

  it.each([
    [{ key: 'Bad Key' }, 'key'],
    [{ key: 'a', timeoutSeconds: 0 }, 'timeoutSeconds'],
    [{ key: 'a', leaseSeconds: 1 }, 'leaseSeconds'],
    [{ key: 'a', maxAttempts: null }, 'maxAttempts'],
    [{ key: 'a', enqueueRole: 'WORKER' }, 'enqueueRole'],
    [{ key: 'a', retryPolicy: { jitter: 2 } }, 'retryPolicy.jitter'],
    [{ key: 'a', retryPolicy: { delaysSeconds: [-1] } }, 'retryPolicy.delaysSeconds[0]'],
  ])('names the setting at fault in %j', async (input, field) => {
    expect(await run('createJobDefinition', input)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: `input.${field}`,
    });
  });
});

it('shows what code declares and what an operator has set, which stays when a process starts again', async () => {
  const set = await run('updateJobDefinition', { definition: 'echo', timeoutSeconds: 77, maxRunning: 5 });
  expect(set.definition).toMatchObject({
    timeoutSeconds: 77,
    declared: { timeoutSeconds: echo.timeoutSeconds, maxRunning: null },
    override: { timeoutSeconds: 77, maxRunning: 5 },
  });
  const db = openDatabase(api.databaseUrl);
  await syncDefinitions(db, [{ ...echo, timeoutSeconds: 88, description: 'other words' }]);
  await db.close();
  const { data } = await api.query(member, `{ jobDefinition(key: "echo") { ${DEFINITION} } }`);
  expect(data.jobDefinition).toMatchObject({
    timeoutSeconds: 77,
    description: 'other words',
    declared: { timeoutSeconds: 88 },
    workers: null,
  });
  const reset = await run('updateJobDefinition', { definition: 'echo', reset: ['TIMEOUT_SECONDS'] });
  expect(reset.definition).toMatchObject({ timeoutSeconds: 88, override: { maxRunning: 5 } });
  const both = { definition: 'echo', reset: ['MAX_RUNNING'], maxRunning: 4 };
  expect(await run('updateJobDefinition', both)).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'input.reset',
  });
});
