import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCommands, checkJobTypes } from '../../../src/cli/doctor/commands.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { parseJobTypes } from '../../../src/config/job-types.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';

const SCRIPT = join(import.meta.dirname, '../../../examples/commands/report.py');

let q: TestQueue;
let worker: RunningWorker;
let directory: string;
let file: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-python-'));
  file = join(directory, 'commands.json');
  const commands = { count: { argv: ['python3', SCRIPT, '{{payload.text}}'], definition: {} } };
  await writeFile(file, JSON.stringify({ commands }));
  q = await openTestQueue([]);
  worker = await openWorker({
    awaits: new AbortController().signal,
    config: loadConfig({
      MILLRACE_COMMANDS: file,
      MILLRACE_DATA_DIR: directory,
      MILLRACE_LOG_LEVEL: 'silent',
    }),
    databaseUrl: q.url,
    registrations: [],
    exitWhenBlocked: false,
  });
});
afterAll(async () => {
  await worker.stop(0);
  await q.close();
  await rm(directory, { recursive: true, force: true });
});

test('the documented Python program reports its progress, its output and its result', async () => {
  const tenantId = await q.makeTenant();
  const [job] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'count', payload: { text: 'three short words' } },
  ]);
  const row = await waitFor(
    async () => {
      const found = await q.job(job?.id as string);
      return found['finished_at'] === null ? undefined : found;
    },
    { describe: 'the Python program to end' },
  );
  expect(row).toMatchObject({ status: 'succeeded', result: { words: 3, longest: 5 } });
  const { rows } = await q.superuser.query(
    'select stdout_tail, exit_code from millrace.job_attempts where job_id = $1',
    [job?.id],
  );
  expect(rows).toEqual([{ stdout_tail: 'three: 5\nshort: 5\nwords: 5\n', exit_code: 0 }]);
  const progress = await q.superuser.query(
    'select percent, stage, message from millrace.job_progress where job_id = $1',
    [job?.id],
  );
  expect(progress.rows).toMatchObject([{ stage: 'count' }]);
});

test('it works by itself as well', () => {
  const { stdout, status } = spawnSync('python3', [SCRIPT, 'a bc'], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: 'a: 1\nbc: 2\n', status: 0 });
});

test('doctor says which commands there are, and whose program is missing', async () => {
  const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  expect(await checkCommands(file, path)).toMatchObject([
    { check: 'commands', verdict: 'ok', message: `count from ${file}` },
  ]);
  expect(await checkCommands(file, '/nonexistent')).toMatchObject([
    { verdict: 'warn', message: 'programs that are not there: count (python3)' },
  ]);
  expect(await checkCommands('millrace.commands.json', path)).toEqual([]);
  const broken = join(directory, 'broken.json');
  await writeFile(broken, '{"commands": {"a": {}}}');
  expect(await checkCommands(broken, path)).toMatchObject([
    { verdict: 'fail', message: expect.stringContaining('argv') },
  ]);
});

test('doctor says which job types a worker runs, and which of them nobody knows', async () => {
  expect(await checkJobTypes(parseJobTypes('count,ocr:2'), ['ocr'], file)).toMatchObject({
    check: 'job-types',
    verdict: 'ok',
    message: 'count,ocr:2',
  });
  expect(await checkJobTypes(parseJobTypes(''), ['ocr'], file)).toMatchObject({
    verdict: 'ok',
    message: 'all that the program knows',
  });
  expect(await checkJobTypes(parseJobTypes('orc'), ['ocr'], file)).toMatchObject({
    verdict: 'warn',
    message: expect.stringContaining('orc'),
  });
});
