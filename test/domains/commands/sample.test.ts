import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitFor } from '../../support/wait.ts';

const FILE = 'examples/commands/millrace.commands.json';

let api: TestApi;
let worker: RunningWorker;
let root: string;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_COMMANDS: FILE } });
  tenantId = await api.makeTenant();
  root = await api.token(tenantId, 'super_admin');
  worker = await openWorker({
    awaits: new AbortController().signal,
    config: loadConfig({
      MILLRACE_COMMANDS: FILE,
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_DATA_DIR: api.storageDir,
    }),
    databaseUrl: api.databaseUrl,
    registrations: [],
    environment: {
      PATH: [`${process.cwd()}/examples/commands`, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    },
    exitWhenBlocked: false,
  });
});
afterAll(async () => {
  await worker.stop(0);
  await api.close();
});

async function enqueue(definition: string, payload: object) {
  const { data } = await api.query(
    root,
    `mutation ($definition: String!, $payload: JSON!) { enqueueJob(input: { definition: $definition, payload: $payload }) {
      __typename ... on DomainFailure { code field message allowed } ... on EnqueueJobPayload { job { uuid } } } }`,
    { definition, payload },
  );
  return data.enqueueJob;
}

it.each([
  ['sync-dropbox', { provider_id: '1efe049f-ae71-4226-97be-236b4df4a93a', path_prefix: '/a b' }, '/a b'],
  ['recompute-trained-tags', { model: 'siglip', tags: ['cat', 'dog'] }, 'score'],
  ['recompute-zeroshot-tags', {}, 'embed'],
  ['train-keyword-models', {}, 'train'],
])(
  'the sample command %s runs to its end, and the API shows what it has left',
  async (definition, payload, said) => {
    const { job } = await enqueue(definition, payload);
    const found = await waitFor(
      async () => {
        const { data } = await api.query(
          root,
          `{ job(id: "${job.uuid}") { status result definition { workerCount workers { name jobTypes { definitionKey } } }
           attempts { status exitCode signal pid stdoutTail stderrTail } log { nodes { message data } } } }`,
        );
        return data.job.status === 'SUCCEEDED' ? data.job : undefined;
      },
      { describe: 'the command to succeed' },
    );
    expect(found).toMatchObject({
      result: { command: definition, steps: 3, options: { 'tenant-id': tenantId } },
      definition: { workerCount: 1, workers: [{ name: worker.workerId }] },
      attempts: [{ status: 'SUCCEEDED', exitCode: 0, signal: null, pid: expect.any(Number), stderrTail: '' }],
    });
    expect(found.attempts[0].stdoutTail).toContain(said);
    expect(found.log.nodes[0].data).toEqual({ stream: 'stdout' });
  },
  90_000,
);

it('a definition without a command cannot be enqueued, and the error names the commands that there are', async () => {
  await api.query(
    root,
    `mutation { createJobDefinition(input: { key: "no-command" }) { ... on DomainFailure { message } } }`,
  );
  expect(await enqueue('no-command', {})).toMatchObject({
    code: 'INVALID_ARGUMENT',
    field: 'input.definition',
    message: expect.stringContaining('There is no command for no-command here'),
    allowed: 'recompute-trained-tags, recompute-zeroshot-tags, sync-dropbox, train-keyword-models',
  });
});
