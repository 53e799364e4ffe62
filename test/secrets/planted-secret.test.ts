import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { Role } from '../../src/core/actor.ts';
import { openWorker } from '../../workers/open-worker.ts';
import type { RunningWorker } from '../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { waitFor } from '../support/wait.ts';

const SECRETS = { pin: 'planted-8f3b"2c', api_token: 'planted-9d41-token' };
const KEYS = `k1:${randomBytes(32).toString('base64')}`;

let api: TestApi;
let worker: RunningWorker;
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
  worker = await openWorker({
    config: loadConfig({ ...env, MILLRACE_LOG_LEVEL: 'silent', MILLRACE_DATA_DIR: directory }),
    databaseUrl: api.databaseUrl,
    registrations: [],
    exitWhenBlocked: false,
  });
  const root = await api.token(tenantId, 'super_admin');
  await api.superuser.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern)
     select $1, d.id, 'ends', 'event', 'job.*' from millrace.job_definitions d where d.key = 'echo'`,
    [tenantId],
  );
  for (const definition of ['leaky', 'failing']) {
    const { data, errors } = await api.query(
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
    { describe: 'both commands to end', timeoutMs: 60_000 },
  );
}, 120_000);
afterAll(async () => {
  await worker.stop(0);
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

const EVERYTHING = `{ jobs { nodes { uuid status payload result metadata reason dedupeKey error { type message }
  progress { message stage } attempts { status stdoutTail stderrTail error { message } } log { nodes { message data } } } }
  auditLog { nodes { action details } } jobDefinitions { nodes { payloadSchema declared override } } }`;
const MEMBERS = EVERYTHING.replace(/auditLog \{[^}]*\{[^}]*\} \}/, '');

describe('a planted secret', () => {
  it.each(['member', 'tenant_admin', 'super_admin'] as const)(
    'comes out in no read of a %s',
    async (role: Role) => {
      const answer = await api.query(
        await api.token(tenantId, role),
        role === 'member' ? MEMBERS : EVERYTHING,
      );
      expect(answer.errors).toEqual([]);
      const text = JSON.stringify(answer.data);
      expect(text).toContain('out ••• and •••');
      for (const secret of Object.values(SECRETS)) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
      }
    },
  );

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
  const metrics = await fetch(`${api.url}/metrics`, {
    headers: { authorization: `Bearer ${await api.token(tenantId, 'super_admin')}`, connection: 'close' },
  });
  expect(await metrics.text()).not.toContain(api_token);
});
