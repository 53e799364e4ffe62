import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/postgres/free-port.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { waitFor } from '../../support/wait.ts';

const SECRET = 'planted-51c7-scenario';

let api: TestApi;
let directory: string;
let tenants: readonly [string, string];
const programs: Program[] = [];
/** Where each worker shows its metrics, its successor too. */
const ports: number[] = [];

/** Three workers, each a process with job types of its own; the first to come up leads. */
const TYPES = ['sync,fails', 'hangs,forks', 'leaks,sync,report'];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-scenario-'));
  const bash = (script: string, more: object = {}, definition: object = {}) => ({
    argv: ['/bin/bash', '-c', script, 'bash', '{{payload.value}}'],
    graceSeconds: 1,
    definition: {
      maxAttempts: 5,
      retryPolicy: { delaysSeconds: [0] },
      leaseSeconds: 2,
      timeoutSeconds: 60,
      ...definition,
    },
    ...more,
  });
  const commands = {
    sync: bash('echo "synced $1"; printf \'{"synced":"%s"}\' "$1" > "$MILLRACE_RESULT_FILE"'),
    report: bash('echo "reported $1"'),
    fails: bash(
      'echo "no luck with $1" >&2; exit 3',
      {},
      { maxAttempts: 2, retryPolicy: { delaysSeconds: [0] } },
    ),
    hangs: bash('trap "" TERM; while :; do sleep 0.1; done', {}, { timeoutSeconds: 1, maxAttempts: 1 }),
    forks: bash(
      `setsid bash -c 'trap "" TERM; echo $$ > "$0"; while :; do sleep 0.2; done' "$1" & while ! [ -s "$1" ]; do sleep 0.05; done; exit 0`,
    ),
    leaks: bash(
      'echo "the token is $1"; echo "again $1" >&2',
      {},
      {
        payloadSchema: { type: 'object', properties: { value: { type: 'string', writeOnly: true } } },
      },
    ),
  };
  const file = join(directory, 'commands.json');
  await writeFile(file, JSON.stringify({ commands }));
  api = await startTestApi({ env: { MILLRACE_COMMANDS: file } });
  tenants = [await api.makeTenant(), await api.makeTenant()];
  for (const types of TYPES) {
    ports.push(await findFreePort());
    programs.push(startWorker(file, types));
  }
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.kill()));
  await api.close();
  await rm(directory, { recursive: true, force: true });
});

function startWorker(file: string, types: string): Program {
  return startProgram('workers/main.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_COMMANDS: file,
    MILLRACE_JOB_TYPES: types,
    MILLRACE_DATA_DIR: directory,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_JWT_SECRET: 'x'.repeat(40),
    MILLRACE_METRICS_PORT: String(ports[TYPES.indexOf(types)]),
  });
}

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await api.superuser.query(text, [...values])).rows;

async function mutate(tenantId: string, document: string, input: object) {
  const answer = await api.query(await api.token(tenantId, 'super_admin'), document, { input });
  expect(answer.errors).toEqual([]);
  return answer.data;
}

/** Which of the three leads. */
async function leaderIndex(): Promise<number> {
  const [leader] = await sql('select holder from millrace.maintenance_leader');
  const index = programs.findIndex(({ pid }) => String(leader?.['holder'] ?? '').includes(String(pid)));
  expect(index, String(leader?.['holder'])).toBeGreaterThanOrEqual(0);
  return index;
}

const trigger = async (tenantId: string, input: object) => {
  const { createTrigger } = await mutate(
    tenantId,
    'mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { ... on DomainFailure { message } ... on CreateTriggerPayload { trigger { uuid } } } }',
    input,
  );
  expect(createTrigger.trigger, JSON.stringify(createTrigger)).toBeDefined();
  return createTrigger.trigger.uuid as string;
};

const enqueue = async (tenantId: string, definition: string, value: string) =>
  (
    await mutate(
      tenantId,
      'mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { ... on DomainFailure { message } ... on EnqueueJobPayload { job { uuid } } } }',
      { definition, payload: { value } },
    )
  ).enqueueJob.job.uuid as string;

test('two tenants, three workers, events, schedules and bad commands: everything ends as it must, however many are killed', async () => {
  const [one, two] = tenants;
  await waitFor(async () => (await sql('select from millrace.job_workers')).length === 3, {
    describe: 'three workers',
  });
  await trigger(one, {
    label: 'on folder',
    definition: 'sync',
    eventName: 'provider.*',
    payloadTemplate: { value: '{{event.path}}' },
    dedupeWindowSeconds: 0,
  });
  await trigger(one, {
    label: 'chain',
    definition: 'report',
    eventName: 'job.succeeded',
    condition: { field: 'definition', equals: 'sync' },
    payloadTemplate: { value: '{{event.result.synced}}' },
    dedupeWindowSeconds: 0,
  });
  const every = await trigger(two, {
    label: 'every second',
    definition: 'sync',
    everySeconds: 1,
    payloadTemplate: { value: '{{schedule.scheduledAt}}' },
  });
  const child = join(directory, 'grandchild');
  const ended: Record<string, string> = {
    fails: await enqueue(one, 'fails', 'x'),
    hangs: await enqueue(one, 'hangs', 'x'),
    forks: await enqueue(two, 'forks', child),
    leaks: await enqueue(two, 'leaks', SECRET),
  };
  for (let n = 0; n < 30; n++)
    await sql(
      `select millrace.emit_event('provider.folder.updated', jsonb_build_object('path', $1::text), tenant => $2)`,
      [`/p${n}`, one],
    );
  // The leader, and the worker of the others' job types, die without a word while all this goes on.
  const leading = await leaderIndex();
  for (const index of new Set([leading, 1])) {
    await programs[index]?.kill();
    programs[index] = startWorker(join(directory, 'commands.json'), TYPES[index] as string);
  }

  const statusOf = async (id: string) =>
    (await sql('select status from millrace.jobs where id = $1', [id]))[0]?.status;
  await waitFor(
    async () => {
      const states = await Promise.all(Object.values(ended).map(statusOf));
      const [{ n }] = await sql(
        `select count(*)::int as n from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
         where j.tenant_id = $1 and d.key = 'report' and j.status = 'succeeded'`,
        [one],
      );
      return states.every((status) => !['queued', 'running'].includes(status)) && n === 30;
    },
    { describe: 'all jobs to end' },
  );
  const updated = await mutate(
    two,
    'mutation ($input: UpdateTriggerInput!) { updateTrigger(input: $input) { ... on UpdateTriggerPayload { trigger { isEnabled } } ... on DomainFailure { message } } }',
    { id: every, isEnabled: false },
  );
  expect(updated.updateTrigger.trigger).toEqual({ isEnabled: false });

  // Final states. A run that was lost with its worker may have spent the one attempt of the two that cannot
  // end well by themselves.
  expect(await statusOf(ended['fails'] as string)).toBe('dead_letter');
  expect(await statusOf(ended['hangs'] as string)).toBe('dead_letter');
  expect(await statusOf(ended['leaks'] as string)).toBe('succeeded');
  expect(['succeeded', 'dead_letter']).toContain(await statusOf(ended['forks'] as string));
  // The chain: each event one sync, each sync one report of its result.
  const reports = await sql(
    `select j.payload ->> 'value' as value from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where j.tenant_id = $1 and d.key = 'report'`,
    [one],
  );
  expect(reports.map(({ value }) => value).sort()).toEqual(
    Array.from({ length: 30 }, (_, n) => `/p${n}`).sort(),
  );
  // The schedule: one job for each tick.
  const runs = await sql(
    `select scheduled_at, outcome, job_id from millrace.trigger_runs where trigger_id = $1 and outcome = 'enqueued'`,
    [every],
  );
  expect(runs.length).toBeGreaterThan(0);
  expect(new Set(runs.map(({ job_id }) => job_id)).size).toBe(runs.length);
  const ticks = await sql(
    `select count(*)::int as n from millrace.jobs where tenant_id = $1 and source = 'schedule'`,
    [two],
  );
  expect(ticks[0]?.n).toBe(runs.length);
  // Attempts: exit codes, outcomes and outputs.
  const attempts = await sql(
    `select status, exit_code, stderr_tail from millrace.job_attempts where job_id = $1 order by attempt_no`,
    [ended['fails']],
  );
  expect(attempts.filter(({ status }) => status === 'failed').at(-1)).toEqual({
    status: 'failed',
    exit_code: 3,
    stderr_tail: 'no luck with x\n',
  });
  const hung = await sql(`select status from millrace.job_attempts where job_id = $1`, [ended['hangs']]);
  expect(hung.some(({ status }) => status === 'timeout' || status === 'lost')).toBe(true);
  // What the forking command left behind is gone with it.
  if (existsSync(child)) {
    const pid = readFileSync(child, 'utf8').trim();
    await waitFor(async () => !existsSync(`/proc/${pid}`), {
      describe: 'the grandchild to be gone',
    });
  }
  // Metrics: what the workers that are left have ended is what the table of attempts says, and nothing runs
  // any more but the schedule's last jobs.
  const shown = await Promise.all(
    ports.map(async (port) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })).text(),
    ),
  );
  const counted = (definition: string, outcome: string) =>
    shown
      .flatMap((text) => [
        ...text.matchAll(
          new RegExp(
            `^millrace_worker_runs_total\\{definition="${definition}",outcome="${outcome}"\\} (\\d+)$`,
            'gm',
          ),
        ),
      ])
      .reduce((sum, [, count]) => sum + Number(count), 0);
  const recorded = async (definition: string, status: string) =>
    (
      await sql(
        `select count(*)::int as n from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id
         join millrace.job_definitions d on d.id = j.definition_id where d.key = $1 and a.status = $2`,
        [definition, status],
      )
    )[0]?.n as number;
  expect(await recorded('report', 'succeeded')).toBe(30);
  expect(counted('report', 'succeeded')).toBeGreaterThan(0);
  // A worker that was killed has taken its counts with it.
  for (const [definition, status] of [
    ['report', 'succeeded'],
    ['leaks', 'succeeded'],
    ['fails', 'failed'],
    ['hangs', 'timeout'],
  ] as const)
    expect(counted(definition, status), definition).toBeLessThanOrEqual(await recorded(definition, status));
  const platform = await fetch(`${api.url}/metrics`, {
    headers: { connection: 'close', authorization: `Bearer ${await api.token(one, 'super_admin')}` },
  });
  const depth = await platform.text();
  for (const definition of ['fails', 'hangs', 'leaks', 'report'])
    for (const state of ['ready', 'running'])
      expect(depth, definition).toContain(
        `millrace_queue_jobs{definition="${definition}",state="${state}"} 0`,
      );
  for (const text of [...shown, depth]) expect(text).not.toContain(SECRET);
  // The secret is in no row, and tenants have nothing of each other.
  for (const { table_name: table } of await sql(
    `select table_name from information_schema.tables where table_schema = 'millrace' and table_type = 'BASE TABLE' and table_name <> 'jobs'`,
  ))
    expect(
      JSON.stringify(await sql(`select t::text as row from millrace."${table}" t`)),
      table,
    ).not.toContain(SECRET);
  const seen = await api.query(
    await api.token(one, 'tenant_admin'),
    '{ jobs(first: 100) { nodes { payload attempts { stdoutTail } } } events { nodes { data } } }',
  );
  expect(JSON.stringify(seen.data)).not.toContain(SECRET);
  expect(JSON.stringify(seen.data)).not.toContain('grandchild');
});
