import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';

let q: TestQueue;
let directory: string;
let worker: RunningWorker;
let tenantId: string;

const bash = (script: string, more: object = {}) => ({
  argv: ['/bin/bash', '-c', script, 'bash', '{{payload.value}}'],
  definition: { retryPolicy: { delaysSeconds: [0] }, maxAttempts: 2, timeoutSeconds: 30, leaseSeconds: 5 },
  ...more,
});

const open = (): Promise<RunningWorker> =>
  openWorker({
    awaits: new AbortController().signal,
    config: loadConfig({
      DATABASE_URL: q.url,
      MILLRACE_STORAGE_DIR: directory,
      MILLRACE_DATA_DIR: directory,
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_COMMANDS: join(directory, 'commands.json'),
    }),
    databaseUrl: q.url,
    registrations: [],
    exitWhenBlocked: false,
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-commands-'));
  q = await openTestQueue([]);
  tenantId = await q.makeTenant();
  const commands = {
    report: bash(
      `echo "hello $1"; echo oops >&2; echo '{"percent":40,"stage":"half"}' >&$MILLRACE_PROGRESS_FD; sleep 0.7
       echo "{\\"seen\\":\\"$1\\",\\"tenant\\":\\"$MILLRACE_TENANT_ID\\",\\"secret\\":\\"$DATABASE_URL\\"}" > "$MILLRACE_RESULT_FILE"`,
    ),
    later: bash('echo not yet >&2; exit 75'),
    never: bash('echo no such thing >&2; exit 64', { exitCodes: { '64': 'permanent' } }),
    hang: bash(
      `setsid bash -c 'trap "" TERM; echo $$ > "$0"; while :; do sleep 1; done' "$1.grandchild" &
       echo $$ > "$1"; trap "echo stopping; exit 1" TERM; while :; do sleep 0.1; done`,
      { graceSeconds: 1 },
    ),
    garbled: bash(`printf 'caf\\303\\251 \\377\\200 end\\n'; kill -KILL $$`, {
      definition: { maxAttempts: 1 },
    }),
    live: bash('echo started; while ! [ -e "$1" ]; do sleep 0.05; done; echo ended'),
    placed: bash(
      `printf '{"cwd":"%s","greeting":"%s","passed":"%s","kept":"%s"}' "$PWD" "$GREETING" "$MILLRACE_TEST_PASSED" "$MILLRACE_TEST_KEPT" > "$MILLRACE_RESULT_FILE"`,
      {
        cwd: directory,
        env: { GREETING: 'hello {{payload.value}}' },
        passEnv: ['MILLRACE_TEST_PASSED'],
      },
    ),
    'by-fd': bash(`echo '{"percent":10,"result":"of the descriptor"}' >&$MILLRACE_PROGRESS_FD`),
    'other-user': bash(
      `printf '{"uid":%s,"gid":%s,"groups":"%s","payload":%s}' "$(id -u)" "$(id -g)" "$(id -G)" "$(cat "$MILLRACE_PAYLOAD_FILE")" > "$MILLRACE_RESULT_FILE"`,
      { user: { uid: 65_534, gid: 65_533 }, definition: { maxAttempts: 1, timeoutSeconds: 30 } },
    ),
    linked: bash('ln -s /etc/passwd "$MILLRACE_RESULT_FILE"'),
    'made-later': { argv: ['/bin/echo', '{{job.definitionKey}}'] },
  };
  vi.stubEnv('MILLRACE_TEST_PASSED', 'passed on');
  vi.stubEnv('MILLRACE_TEST_KEPT', 'for the worker');
  await writeFile(join(directory, 'commands.json'), JSON.stringify({ commands }));
  worker = await open();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await worker.stop(0);
  await q.close();
  await rm(directory, { recursive: true, force: true });
});

async function enqueue(key: string, payload: object, more = ''): Promise<string> {
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, max_attempts ${more && ', timeout_seconds'})
     select $1, id, $2, max_attempts ${more && `, ${more}`} from millrace.job_definitions where key = $3 returning id`,
    [tenantId, JSON.stringify(payload), key],
  );
  return rows[0].id;
}
const ended = (id: string): Promise<Record<string, unknown>> =>
  waitFor(
    async () => {
      const job = await q.job(id);
      return ['queued', 'running'].includes(job['status'] as string) ? undefined : job;
    },
    { describe: 'the job to end' },
  );
const attempts = async (id: string) =>
  (
    await q.superuser.query(
      `select status, exit_code, signal, pid, stdout_tail, stderr_tail, error ->> 'message' as message
       from millrace.job_attempts where job_id = $1 order by attempt_no`,
      [id],
    )
  ).rows;
const pidIn = (file: string): Promise<number> =>
  waitFor(async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined, { describe: file });
/** A zombie that nobody has collected is dead. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

test('a command leaves its result, progress, log and output, and gets none of the variables of its worker', async () => {
  const id = await enqueue('report', { value: 'plain' });
  expect(await ended(id)).toMatchObject({
    status: 'succeeded',
    result: { seen: 'plain', tenant: tenantId, secret: '' },
  });
  expect(await attempts(id)).toEqual([
    {
      status: 'succeeded',
      exit_code: 0,
      signal: null,
      pid: expect.any(Number),
      stdout_tail: 'hello plain\n',
      stderr_tail: 'oops\n',
      message: null,
    },
  ]);
  const { rows: lines } = await q.superuser.query(
    'select level, message, data from millrace.job_log_lines where job_id = $1 order by message',
    [id],
  );
  expect(lines).toEqual([
    { level: 'info', message: 'hello plain', data: { stream: 'stdout' } },
    { level: 'warn', message: 'oops', data: { stream: 'stderr' } },
  ]);
  const { rows: progress } = await q.superuser.query(
    'select percent, stage from millrace.job_progress where job_id = $1',
    [id],
  );
  expect(progress).toEqual([{ percent: 40, stage: 'half' }]);
});

test('exit codes decide between a retry and an end for good', async () => {
  const [later, never] = [await enqueue('later', { value: 'x' }), await enqueue('never', { value: 'x' })];
  expect(await ended(later)).toMatchObject({ status: 'dead_letter' });
  expect(await attempts(later)).toMatchObject([
    {
      status: 'failed',
      exit_code: 75,
      stderr_tail: 'not yet\n',
      message: 'later exited with code 75: not yet',
    },
    { status: 'failed', exit_code: 75 },
  ]);
  expect(await ended(never)).toMatchObject({ status: 'failed' });
  expect(await attempts(never)).toMatchObject([
    { status: 'failed', exit_code: 64, message: 'never exited with code 64: no such thing' },
  ]);
});

test('a payload that would become an option ends the job for good, and nothing is started', async () => {
  const id = await enqueue('report', { value: '--force' });
  expect(await ended(id)).toMatchObject({ status: 'failed', last_error: { type: 'UnsafeArgument' } });
  expect(await attempts(id)).toMatchObject([{ status: 'failed', pid: null }]);
});

test.each(['timeout', 'cancel'] as const)(
  'a %s ends the whole tree, with a grandchild in a session of its own',
  async (how) => {
    const file = join(directory, how);
    const id = await enqueue('hang', { value: file }, how === 'timeout' ? '2' : '');
    const [pid, grandchild] = [await pidIn(file), await pidIn(`${file}.grandchild`)];
    if (how === 'cancel') await q.queue.cancel(tenantId, id, 'user:ann', 'enough');
    await waitFor(async () => (await attempts(id)).length > 0, {
      describe: 'the attempt to end',
    });
    expect([isAlive(pid), isAlive(grandchild)]).toEqual([false, false]);
    expect((await attempts(id))[0]).toMatchObject({
      status: how === 'timeout' ? 'timeout' : 'canceled',
      exit_code: 1,
      stdout_tail: 'stopping\n',
    });
    if (how === 'timeout') await q.queue.cancel(tenantId, id, 'user:ann', 'enough');
    await ended(id);
  },
  90_000,
);

test('output that is no UTF-8 is kept as text, and the attempt names the signal that ended the command', async () => {
  const id = await enqueue('garbled', { value: 'x' });
  expect(await ended(id)).toMatchObject({ status: 'dead_letter' });
  expect(await attempts(id)).toMatchObject([
    { status: 'failed', exit_code: null, signal: 'SIGKILL', stdout_tail: 'café \uFFFD\uFFFD end\n' },
  ]);
  const { rows } = await q.superuser.query('select message from millrace.job_log_lines where job_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ message: 'café \uFFFD\uFFFD end' }]);
});

test('the log holds a line while the command still runs', async () => {
  const file = join(directory, 'go-on');
  const id = await enqueue('live', { value: file });
  const lines = async () =>
    (await q.superuser.query('select message from millrace.job_log_lines where job_id = $1', [id])).rows.map(
      ({ message }) => message,
    );
  await waitFor(async () => (await lines()).length > 0, { describe: 'the first line' });
  expect(await lines()).toEqual(['started']);
  expect(await q.job(id)).toMatchObject({ status: 'running' });
  await writeFile(file, '');
  await ended(id);
  expect(await attempts(id)).toMatchObject([{ stdout_tail: 'started\nended\n' }]);
});

test('a command runs where its entry says, with the variables that it names and no other', async () => {
  expect(await ended(await enqueue('placed', { value: 'x' }))).toMatchObject({
    result: { cwd: directory, greeting: 'hello x', passed: 'passed on', kept: '' },
  });
});

test('a result may come by the descriptor', async () => {
  expect(await ended(await enqueue('by-fd', { value: 'x' }))).toMatchObject({
    status: 'succeeded',
    result: 'of the descriptor',
  });
});

test('a command runs as the user of its entry where the worker is root, and is not started elsewhere', async () => {
  const id = await enqueue('other-user', { value: 'x' });
  if (process.getuid?.() === 0)
    expect(await ended(id)).toMatchObject({
      status: 'succeeded',
      result: { uid: 65_534, gid: 65_533, groups: '65533', payload: { value: 'x' } },
    });
  else {
    expect(await ended(id)).toMatchObject({ status: 'dead_letter' });
    expect(await attempts(id)).toMatchObject([{ pid: null, message: expect.stringContaining('EPERM') }]);
  }
});

test('a result file that is a link is not followed', async () => {
  expect(await ended(await enqueue('linked', { value: 'x' }))).toMatchObject({
    status: 'failed',
    last_error: { type: 'InvalidResult', message: 'The result file is a symbolic link' },
  });
});

test('a definition that is made while the worker runs is served without a restart', async () => {
  await q.superuser.query(`insert into millrace.job_definitions (key, override) values ('made-later', '{}')`);
  const id = await enqueue('made-later', {});
  expect(await ended(id)).toMatchObject({ status: 'succeeded' });
  expect(await attempts(id)).toMatchObject([{ exit_code: 0, stdout_tail: 'made-later\n' }]);
});

test('a worker that stops hands its command back, and the attempt says that it was interrupted', async () => {
  const file = join(directory, 'interrupted');
  const id = await enqueue('hang', { value: file });
  const pid = await pidIn(file);
  await worker.stop(0);
  expect(isAlive(pid)).toBe(false);
  expect(await q.job(id)).toMatchObject({ status: 'queued', attempt_count: 0 });
  expect(await attempts(id)).toMatchObject([
    { status: 'interrupted', exit_code: 1, stdout_tail: 'stopping\n' },
  ]);
});
