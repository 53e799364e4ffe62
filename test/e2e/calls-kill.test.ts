import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Asked,
  type SpeechServer,
  startSpeechServer,
  v3Recognition,
} from '../domains/calls/speech-server.ts';
import { CALL_COUNT } from '../support/call-platform.ts';
import { makeMedia, TONE } from '../support/media.ts';
import type { Program } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { type Platform, startPlatform } from './platform.ts';

const LEASE_SECONDS = 2;
/**
 * Where the worker that asks is killed, before it has an answer; the provider has done then what it was asked
 * for.
 */
const POINTS = [
  'GET /recording.wav',
  'POST /stt/v3/recognizeFileAsync',
  'GET /operations/',
  'GET /stt/v3/getRecognition',
  'POST /v1/chat/completions',
] as const;

let platform: Platform;
let speech: SpeechServer;
let recording: Buffer;
const workers = new Set<Program>();
const begun: Promise<void>[] = [];

beforeAll(async () => {
  speech = await startSpeechServer();
  platform = await startPlatform({
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.1',
    MILLRACE_SPEECH_PROVIDER: 'speechkit',
    SPEECHKIT_API_KEY: 'the-key',
    SPEECHKIT_URL: speech.url,
    SPEECHKIT_OPERATION_URL: speech.url,
    SPEECHKIT_POLL_INTERVAL_MS: '1000',
    MILLRACE_CALL_CHAT_URL: `${speech.url}/v1`,
  });
  recording = await readFile(await makeMedia(platform.dataDir, [...TONE(1), 'tone.wav']));
  await Promise.all([startWorker(), startWorker()]);
});
afterAll(async () => {
  await Promise.allSettled(begun);
  await platform?.close();
  await speech?.close();
});

async function startWorker(): Promise<void> {
  workers.add(await platform.startWorker(LEASE_SECONDS));
}

/** SIGKILL for the worker that has a running job of a stage; another one takes its place. */
async function killWorkerOf(definitionKeys: readonly string[]): Promise<void> {
  const { rows } = await platform.superuser.query(
    `select j.claimed_by_worker as worker from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
     where j.status = 'running' and d.key = any ($1) order by j.claimed_at desc limit 1`,
    [definitionKeys],
  );
  const pid = Number(String(rows[0]?.worker).split(':')[1]);
  const worker = [...workers].find((each) => each.pid === pid);
  if (worker === undefined) throw new Error(`No worker has a job of ${definitionKeys}`);
  workers.delete(worker);
  await worker.kill();
  begun.push(startWorker());
}

const STAGE_OF: Readonly<Record<(typeof POINTS)[number], readonly string[]>> = {
  'GET /recording.wav': ['extract_audio'],
  'POST /stt/v3/recognizeFileAsync': ['transcribe_start'],
  'GET /operations/': ['transcribe_poll'],
  'GET /stt/v3/getRecognition': ['transcribe_poll'],
  'POST /v1/chat/completions': ['analyze'],
};

const SUMMARY = { summary: 'A tone.', topics: ['tone'], actionItems: [], sentiment: 'neutral' };

/**
 * Answers as a provider that knows Idempotency-Keys; `isKilled` says at which requests a worker is killed.
 */
function answer(
  operations: Map<string, string>,
  isKilled: (point: string) => boolean | Promise<boolean>,
): void {
  const bodies: Readonly<Record<(typeof POINTS)[number], (asked: Asked) => unknown>> = {
    'GET /recording.wav': () => recording,
    'POST /stt/v3/recognizeFileAsync': ({ idempotencyKey = crypto.randomUUID() }) => {
      const id = operations.get(idempotencyKey) ?? `op-${operations.size + 1}`;
      operations.set(idempotencyKey, id);
      return { id };
    },
    'GET /operations/': () => ({ done: true }),
    'GET /stt/v3/getRecognition': () => v3Recognition([{ channel: 0, words: [['tone', 100, 900]] }]),
    'POST /v1/chat/completions': () => ({
      choices: [{ message: { content: JSON.stringify(SUMMARY) } }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    }),
  };
  speech.asked.length = 0;
  speech.answers = {
    ...Object.fromEntries(
      POINTS.map((point) => [
        point,
        async (asked: Asked) => {
          const body = bodies[point](asked);
          if (await isKilled(point)) await killWorkerOf(STAGE_OF[point]);
          return { body };
        },
      ]),
    ),
    'DELETE /stt/v3/deleteRecognition': { body: {} },
  };
}

async function submit(): Promise<string> {
  const { submitCall } = await platform.api<{ submitCall: { call: { uuid: string }; message?: string } }>(
    `mutation ($url: String!) { submitCall(input: { recording: { url: $url } }) {
      ... on SubmitCallPayload { call { uuid } } ... on DomainFailure { message } } }`,
    { url: `${speech.url}/recording.wav` },
  );
  return submitCall.call.uuid;
}

async function allReady(ids: readonly string[]): Promise<void> {
  let last: unknown;
  await waitFor(
    async () => {
      const { rows } = await platform.superuser.query(
        'select id, status, error from millrace.calls where id = any ($1)',
        [ids],
      );
      last = rows.filter(({ status }) => status !== 'ready');
      if (rows.some(({ status }) => status === 'failed')) throw new Error(JSON.stringify(last));
      return rows.every(({ status }) => status === 'ready');
    },
    {
      describe: () =>
        `calls to be ready: ${JSON.stringify(last)}\n${[...workers].map((each) => each.stderr().slice(-1500)).join('\n---\n')}`,
      pollMs: 100,
    },
  );
}

/** One transcript and one analysis, and in the store what artifacts name: nothing more, nothing less. */
async function expectWhole(id: string): Promise<void> {
  const { rows } = await platform.superuser.query(
    `select (select count(*)::int from millrace.call_transcripts where call_id = $1) as transcripts,
       (select count(*)::int from millrace.call_turns where call_id = $1) as turns,
       (select count(*)::int from millrace.call_analyses where call_id = $1) as analyses,
       (select array_agg(key order by key) from millrace.artifacts where subject_type = 'call' and subject_id = $1::text) as keys,
       (select count(*)::int from millrace.jobs where subject_id = $1::text) as jobs`,
    [id],
  );
  expect(rows[0]).toMatchObject({ transcripts: 1, turns: 1, analyses: 1, jobs: 4 });
  const folder = join(platform.dataDir, 'storage/calls', id);
  const files = (await readdir(folder)).map((name) => `calls/${id}/${name}`).sort();
  expect(files).toEqual(rows[0].keys);
  expect(files).toEqual(
    ['audio.flac', 'recording.wav', 'transcript.json', 'waveform.json'].map((name) => `calls/${id}/${name}`),
  );
}

test('a worker killed at every request that its stages make and before what it has begun is settled, a call ends with one transcript, one operation and no orphan', async () => {
  const operations = new Map<string, string>();
  const left = new Set<string>(POINTS);
  let isHeld: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  let id = '';
  answer(operations, async (point) => {
    if (left.delete(point)) return true;
    // The second start is answered, and its operation noted, but the job cannot end: its call is held.
    if (point === 'POST /stt/v3/recognizeFileAsync') {
      await platform.superuser.query('begin');
      await platform.superuser.query('select from millrace.calls where id = $1 for update', [id]);
      isHeld();
    }
    return false;
  });
  id = await submit();
  await held;
  const noted = join(platform.dataDir, 'storage/calls', id, 'operation.json');
  await waitFor(async () => (await readFile(noted, 'utf8').catch(() => '')).includes('"begun"'), {
    describe: 'the note of the operation',
  });
  await killWorkerOf(['transcribe_start']);
  await platform.superuser.query('rollback');
  await allReady([id]);
  expect([...left]).toEqual([]);
  await expectWhole(id);
  // The start that nobody saw an answer to was sent again with the same key, so that there is one operation.
  const starts = speech.asked.filter(({ path }) => path.startsWith('/stt/v3/recognizeFileAsync'));
  expect(starts.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
    starts[0]?.idempotencyKey,
    starts[0]?.idempotencyKey,
  ]);
  expect(operations.size).toBe(1);
  const { rows } = await platform.superuser.query(
    `select d.key, count(*)::int as lost from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id
     join millrace.job_definitions d on d.id = j.definition_id
     where j.subject_id = $1 and a.status = 'lost' group by 1 order by 1`,
    [id],
  );
  expect(rows).toEqual([
    { key: 'analyze', lost: 1 },
    { key: 'extract_audio', lost: 1 },
    { key: 'transcribe_poll', lost: 2 },
    { key: 'transcribe_start', lost: 2 },
  ]);
  // It is not silent: the job's log says it, and both starts count as ones that may be charged for.
  const { call } = await platform.api<{
    call: {
      transcript: { operationCount: number };
      stages: { job: { log: { nodes: { message: string }[] } } }[];
    };
  }>(`{ call(id: "${id}") { transcript { operationCount } stages { job { log { nodes { message } } } } } }`);
  expect(call.transcript.operationCount).toBe(2);
  expect(JSON.stringify(call.stages[1])).toContain('sent again with the same Idempotency-Key');
});

test('two workers that are killed now and then bring all calls to their end, each with one transcript', async () => {
  const operations = new Map<string, string>();
  let count = 0;
  // At another stage each time, as far as seven goes round five.
  answer(operations, () => ++count % 7 === 0 && count / 7 <= Math.ceil(CALL_COUNT / 2));
  const ids = await Promise.all(Array.from({ length: CALL_COUNT }, submit));
  await allReady(ids);
  for (const id of ids) await expectWhole(id);
  expect(operations.size).toBe(CALL_COUNT);
  const { rows } = await platform.superuser.query(
    `select count(distinct a.job_id)::int as jobs from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id
     where j.subject_id = any ($1) and a.status = 'lost'`,
    [ids],
  );
  expect(rows[0].jobs).toBeGreaterThan(0);
});
