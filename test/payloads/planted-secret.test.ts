import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, getNamedType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Role } from '../../src/core/actor.ts';
import { encodeGlobalId } from '../../src/graphql/ids.ts';
import { type GraphqlAnswer, startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts';
import { type Program, startProgram } from '../support/program.ts';
import { restClient } from '../support/rest.ts';
import { operations } from '../support/rest-contract.ts';
import { rootFields, selectAll } from '../support/selection.ts';
import { waitFor } from '../support/wait.ts';

const SECRETS = { pin: 'planted-8f3b"2c', api_token: 'planted-9d41-token' };
const KEYS = `k1:${randomBytes(32).toString('base64')}`;

let api: TestApi;
let server: Program;
let serverUrl: string;
let worker: Program;
let eventIds: string[] = [];
let triggerIds: string[] = [];
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
let directory: string;
let tenantId: string;
const ids: string[] = [];

const SCRIPT = `echo "out $1 and $2"; echo "err $1" >&2
  printf '{"percent":50,"message":"at %s"}\\n' "$2" >&$MILLRACE_PROGRESS_FD; sleep 0.7
  printf '{"echo":"%s","note":"%s"}' "$2" "$2" > "$MILLRACE_RESULT_FILE"`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-secrets-'));
  const payloadSchema = {
    type: 'object',
    properties: { pin: { type: 'string', writeOnly: true }, n: { type: 'integer' } },
  };
  const definition = { payloadSchema, maxAttempts: 1 };
  const argv = (script: string) => [
    '/bin/bash',
    '-c',
    script,
    'bash',
    '{{payload.pin}}',
    '{{payload.api_token}}',
  ];
  const commands = {
    leaky: { argv: argv(SCRIPT), definition },
    failing: { argv: argv(`${SCRIPT}; echo "broke on $1" >&2; exit 1`), definition },
  };
  const file = join(directory, 'commands.json');
  await writeFile(file, JSON.stringify({ commands }));
  const env = { MILLRACE_COMMANDS: file, MILLRACE_ENCRYPTION_KEYS: KEYS };
  api = await startTestApi({ env });
  tenantId = await api.makeTenant();
  const program = (script: string, more: object = {}) =>
    startProgram(script, [], {
      ...env,
      DATABASE_URL: api.databaseUrl,
      MILLRACE_JWT_SECRET: TEST_SECRET,
      MILLRACE_SIGNING_SECRET: TEST_SECRET,
      MILLRACE_STORAGE_DIR: api.storageDir,
      MILLRACE_DATA_DIR: directory,
      MILLRACE_LOG_LEVEL: 'debug',
      ...more,
    });
  const limits = { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' };
  server = program('src/server.ts', { PORT: '0', HOST: '127.0.0.1', ...limits });
  worker = program('workers/main.ts', { MILLRACE_JOB_TYPES: 'leaky,failing' });
  const listening = await waitFor(
    () =>
      server
        .stderr()
        .split('\n')
        .find((line) => line.includes('server: listening')),
    { describe: () => `the server; it said:\n${server.stderr().slice(-2_000)}` },
  );
  serverUrl = JSON.parse(listening).url;
  const root = await api.token(tenantId, 'super_admin');
  await api.superuser.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern)
     select $1, d.id, 'ends', 'event', 'job.*' from millrace.job_definitions d where d.key = 'echo'`,
    [tenantId],
  );
  for (const definition of ['leaky', 'failing']) {
    const { data, errors } = await askServer(
      root,
      `mutation ($definition: String!, $payload: JSON!) { enqueueJob(input: { definition: $definition, payload: $payload }) {
        ... on EnqueueJobPayload { job { uuid payload } } ... on DomainFailure { message } } }`,
      { definition, payload: { ...SECRETS, n: 1 } },
    );
    expect(errors).toEqual([]);
    expect(data.enqueueJob.job.payload).toEqual({ pin: '•••', api_token: '•••', n: 1 });
    ids.push(data.enqueueJob.job.uuid);
  }
  await waitFor(
    async () =>
      (await api.superuser.query(`select from millrace.jobs where status in ('succeeded', 'dead_letter')`))
        .rowCount === 2,
    {
      describe: () => `both commands to end; the worker said:\n${worker.stderr().slice(-1_000)}`,
    },
  );
  const { rows: events } = await api.superuser.query('select id from millrace.app_events');
  const { rows: triggers } = await api.superuser.query('select id from millrace.triggers');
  [eventIds, triggerIds] = [events.map(({ id }) => id), triggers.map(({ id }) => id)];
});

async function askServer(token: string, query: string, variables: object = {}) {
  const response = await fetch(`${serverUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = (await response.json()) as Partial<GraphqlAnswer>;
  return { data, errors };
}

/** A path of the document with the things put in that held the secret. */
function filledPaths(path: string): readonly string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    job_id: ids,
    event_id: eventIds,
    trigger_id: triggerIds,
    tenant_id: [tenantId],
  };
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const known = values[name] ?? ['01900000-0000-7000-8000-000000000001'];
  return known.map((value) => path.replace(`{${name}}`, value));
}
afterAll(async () => {
  await worker?.kill();
  await server?.kill();
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

const LEVELS = 4;
const NOBODY = '01900000-0000-7000-8000-000000000001';

/** Arguments of root fields that cannot be asked without; every other root is asked as it is. */
const argumentsOf = (): Readonly<Record<string, readonly string[]>> => {
  const byId = ids.map((id) => `(id: "${id}")`);
  return {
    job: byId,
    node: byId.map((_, at) => `(id: "${encodeGlobalId('Job', ids[at] as string)}")`),
    nodes: [
      `(ids: [${[...ids, ...eventIds].map((id, at) => `"${encodeGlobalId(at < ids.length ? 'Job' : 'Event', id)}"`)}])`,
    ],
    event: eventIds.map((id) => `(id: "${id}")`),
    trigger: triggerIds.map((id) => `(id: "${id}")`),
    jobDefinition: ['leaky', 'failing'].map((key) => `(key: "${key}")`),
    usage: ['(from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z")'],
    schedulePreview: ['(input: { cron: "0 2 * * *" })'],
    testTrigger: [
      `(input: { trigger: { label: "t", definition: "leaky", eventName: "a", payloadTemplate: { pin: "${'planted-8f3b'}", n: 1 } } })`,
    ],
    searchVideos: ['(query: "planted")'],
    searchCalls: ['(query: "planted")'],
    searchLinks: ['(query: "planted")'],
  };
};

function expectNoSecret(text: string, where: string): void {
  for (const secret of Object.values(SECRETS)) {
    expect(text, where).not.toContain(secret);
    expect(text, where).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  expect(text, where).not.toMatch(/planted-(8f3b|9d41)/);
}

describe('a planted secret', () => {
  it.each(['member', 'tenant_admin', 'super_admin'] as const)(
    'comes out in no field of any root of the schema for a %s',
    async (role: Role) => {
      const token = await api.token(tenantId, role);
      const given = argumentsOf();
      const said: string[] = [];
      for (const [coordinate, field] of rootFields(schema).filter(([name]) => name.startsWith('Query.'))) {
        const type = getNamedType(field.type).name;
        // Of things that have no payload, and that there are none of here: the field is asked all the same.
        const others = field.args.some(isRequiredArgument) ? `(id: "${NOBODY}")` : '';
        const args = given[field.name] ?? [others];
        for (const each of args) {
          const answer = await askServer(
            token,
            `{ ${field.name}${each} ${selectAll(schema, type, LEVELS)} }`,
          );
          const text = JSON.stringify(answer);
          expect(text, coordinate).not.toContain('GRAPHQL_VALIDATION_FAILED');
          expectNoSecret(text.replaceAll(each, ''), coordinate);
          said.push(text);
        }
      }
      // What has held it was read.
      expect(said.join()).toContain('out ••• and •••');
      expect(said.length).toBeGreaterThan(25);
    },
  );

  it.each(['member', 'tenant_admin', 'super_admin'] as const)(
    'comes out in no answer of any route that reads for a %s',
    async (role: Role) => {
      const token = await api.token(tenantId, role);
      const rest = restClient(serverUrl, token);
      const said: string[] = [];
      const reads = operations.filter(({ method }) => method === 'GET');
      for (const { path } of reads)
        for (const filled of filledPaths(path.replace('/api/v1', '')))
          for (const accept of path.endsWith('/log')
            ? ['*/*', 'text/plain', 'application/x-ndjson']
            : ['*/*']) {
            const answer = await rest.get(filled, { accept });
            const text = JSON.stringify([answer.body, [...answer.headers]]);
            expectNoSecret(text, filled);
            said.push(text);
          }
      expect(said.join()).toContain('out ••• and •••');
      expect(said.length).toBeGreaterThanOrEqual(reads.length);
    },
  );

  it('comes out in no error that names what was given, and in no metric', async () => {
    const admin = await api.token(tenantId, 'tenant_admin');
    const rest = restClient(serverUrl, admin);
    for (const [path, body] of [
      ['/jobs', { definition_key: 'leaky', payload: { ...SECRETS, n: 'no number' } }],
      ['/jobs', { definition_key: 'leaky', payload: { ...SECRETS, n: 1 }, priority: -1 }],
      ['/jobs', { definition_key: 'no-such-thing', payload: SECRETS }],
      ['/events', { name: 'Not A Name', data: { api_token: SECRETS.api_token } }],
    ] as const) {
      const answer = await rest.post(path, body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectNoSecret(JSON.stringify(answer.body), path);
    }
    const metrics = await fetch(`${serverUrl}/metrics`, {
      headers: { authorization: `Bearer ${await api.token(tenantId, 'super_admin')}`, connection: 'close' },
    });
    const text = await metrics.text();
    expect(text).toContain('millrace_');
    expectNoSecret(text, 'metrics');
  });

  it('stands in no line that the server or the worker has logged, at the level of debugging', () => {
    for (const program of [server, worker]) {
      const text = `${program.stdout()}${program.stderr()}`;
      expect(text).toContain('"level":20');
      expectNoSecret(text, 'a log');
    }
    expect(worker.stderr()).toContain(ids[0]);
  });

  it('stands in no row of the database but, encrypted where the schema marks it, in the payload', async () => {
    const { rows: tables } = await api.superuser.query(
      `select table_name from information_schema.tables where table_schema = 'millrace' and table_type = 'BASE TABLE'`,
    );
    for (const { table_name: table } of tables) {
      const { rows } = await api.superuser.query(`select t::text as row from millrace."${table}" t`);
      for (const { row } of rows) {
        expect(row, table).not.toContain('planted-8f3b');
        if (table !== 'jobs') expect(row, table).not.toContain('planted-9d41');
      }
    }
  });

  it('is gone for good, with all else that the job held, once the job is redacted', async () => {
    const admin = await api.token(tenantId, 'tenant_admin');
    for (const id of ids) {
      const { data, errors } = await api.query(
        admin,
        `mutation { redactJob(input: { id: "${id}", reason: "asked for" }) { ... on DomainFailure { code message }
          ... on RedactJobPayload { job { payload result error { message } log { nodes { message } }
            attempts { stdoutTail stderrTail error { message } } } } } }`,
      );
      expect(errors).toEqual([]);
      expect(data.redactJob.job).toMatchObject({
        payload: {},
        result: null,
        log: { nodes: [] },
        attempts: [{ stdoutTail: null, stderrTail: null }],
      });
    }
    const { rows } = await api.superuser.query('select t::text as row from millrace.jobs t');
    expect(JSON.stringify(rows)).not.toContain('planted-');
    const events = await api.superuser.query('select data from millrace.app_events order by id');
    expect(events.rows).toMatchObject([
      { data: { jobId: ids[0] } },
      { data: { jobId: ids[1], error: '•••' } },
    ]);
    for (const { data } of events.rows) expect(data).not.toHaveProperty('result');
    const audit = await api.query(admin, '{ auditLog { nodes { action details } } }');
    expect(audit.data.auditLog.nodes).toEqual([
      { action: 'JOB_REDACT', details: { logLines: expect.any(Number), reason: 'asked for' } },
      { action: 'JOB_REDACT', details: { logLines: expect.any(Number), reason: 'asked for' } },
    ]);
  });
});

test('what callers put beside a payload is hidden by the names of its fields, and so is what SQL puts in', async () => {
  const admin = await api.token(tenantId, 'tenant_admin');
  const api_token = 'planted-beside-77';
  const send = async (document: string, input: object) => {
    const { data, errors } = await api.query(admin, document, { input });
    expect(errors).toEqual([]);
    return data;
  };
  const failure = '... on DomainFailure { message }';
  await send(
    `mutation ($input: EmitEventInput!) { emitEvent(input: $input) { ${failure} ... on EmitEventPayload { event { id } } } }`,
    { name: 'beside.it', data: { api_token, deep: [{ password: api_token }], n: 1 } },
  );
  const made = await send(
    `mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { ${failure} ... on CreateTriggerPayload { trigger { payloadTemplate } } } }`,
    {
      label: 'beside',
      definition: 'leaky',
      eventName: 'not.emitted',
      payloadTemplate: { api_token, pin: '{{event.pin}}', passphrase: '{{event.words}}' },
    },
  );
  expect(made.createTrigger.trigger.payloadTemplate).toEqual({
    api_token: '•••',
    pin: '{{event.pin}}',
    passphrase: '{{event.words}}',
  });
  await send(
    `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { ${failure} ... on EnqueueJobPayload { job { metadata } } } }`,
    {
      definition: 'echo',
      payload: { message: 'm' },
      metadata: { api_token },
      scheduledFor: '2190-01-01T00:00:00Z',
    },
  );
  await api.superuser.query(
    `select millrace.enqueue('leaky', jsonb_build_object('pin', $1::text, 'api_token', $1::text, 'n', 2), tenant => $2,
       scheduled_for => '2190-01-01', metadata => jsonb_build_object('password', $1::text))`,
    [api_token, tenantId],
  );
  const answer = await api.query(
    admin,
    `{ jobs { nodes { payload metadata dedupeKey } } events { nodes { name data runs { nodes { reason } } } } triggers { nodes { payloadTemplate condition } }
       auditLog { nodes { details } }
       testTrigger(input: { trigger: { label: "t", definition: "leaky", eventName: "a", payloadTemplate: { api_token: "${api_token}", n: 1 } } }) { payload reason } }`,
  );
  expect(answer.errors).toEqual([]);
  const text = JSON.stringify(answer.data);
  expect(text).toContain('beside.it');
  expect(text).not.toContain(api_token);
});
