import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { callIn, startCallWorker, submit } from '../../support/call-platform.ts';
import { intoInbox } from '../../support/flite-calls.ts';
import { makeMedia, TONE } from '../../support/media.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait.ts';
import { type Asked, type SpeechServer, startSpeechServer, v3Recognition } from './speech-server.ts';

let api: TestApi;
let tenant: string;
let member: string;
let speech: SpeechServer;
let worker: RunningWorker | undefined;

const KEY = 'the-key-of-speechkit';
const DONE = { body: { id: 'op-1', done: true } };

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.makeTenant();
  member = await api.token(tenant, 'member');
});
beforeEach(async () => {
  speech = await startSpeechServer();
});
afterEach(async () => {
  await worker?.stop(0);
  worker = undefined;
  await speech.close();
});
afterAll(() => api.close());

async function transcribe(env: Readonly<Record<string, string>>, more: object = {}): Promise<string> {
  worker = await startCallWorker(api, env);
  const recording = await makeMedia(await makeTempDir(), [...TONE(3), 'tone.wav']);
  const objectKey = await intoInbox(api.storageDir, tenant, recording, `${crypto.randomUUID()}.wav`);
  const made = await submit(api, member, { recording: { objectKey }, language: 'en-US', ...more });
  return made.call.uuid;
}

const SPEECHKIT = () => ({
  MILLRACE_SPEECH_PROVIDER: 'speechkit',
  SPEECHKIT_API_KEY: KEY,
  SPEECHKIT_URL: speech.url,
  SPEECHKIT_OPERATION_URL: speech.url,
  SPEECHKIT_POLL_INTERVAL_MS: '1000',
});

async function jobOf(id: string, key: string) {
  const { rows } = await api.superuser.query(
    `select j.id, j.status, j.run_no, j.attempt_count, j.snooze_count, j.scheduled_for, j.last_error from millrace.jobs j
     join millrace.job_definitions d on d.id = j.definition_id where j.subject_id = $1 and d.key = $2`,
    [id, key],
  );
  return rows[0];
}

test('a start whose fate nobody knows is sent again with its own key, or ends the call where the operator wants no second charge', async () => {
  const keys: (string | undefined)[] = [];
  const start = (...statuses: number[]) => ({
    'POST /stt/v3/recognizeFileAsync': ({ idempotencyKey }: Asked) => {
      keys.push(idempotencyKey);
      return { status: statuses.shift() ?? 200, body: { id: `op-${keys.length}` } };
    },
    'GET /operations/': DONE,
    'GET /stt/v3/getRecognition': { body: v3Recognition([{ channel: 0, words: [['hello', 100, 400]] }]) },
  });
  const again = async (id: string) => {
    await waitFor(async () => (await jobOf(id, 'transcribe_start'))?.attempt_count === 1, {
      describe: 'the first try',
    });
    const { id: jobId } = await jobOf(id, 'transcribe_start');
    await api.superuser.query('update millrace.jobs set scheduled_for = now() where id = $1', [jobId]);
    worker?.lookForWork();
    return jobId;
  };
  // 503 may come from whatever stands before the provider, after that has begun.
  speech.answers = start(503);
  const first = await transcribe({ ...SPEECHKIT(), MILLRACE_SPEECH_MINUTE_MICROS: '60000' });
  await again(first);
  const repeated = await callIn(api, member, first, 'READY', 'FAILED');
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // Both may be charged for: three seconds twice, at 0.06 a minute.
  expect(repeated).toMatchObject({
    transcript: { operationCount: 2 },
    cost: { audioSeconds: 6, speechMicros: 6000, totalMicros: 6000 },
  });
  await worker?.stop(0);
  keys.length = 0;
  speech.answers = start(503);
  const second = await transcribe({ ...SPEECHKIT(), MILLRACE_SPEECH_UNKNOWN_START: 'fail' });
  const jobId = await again(second);
  expect((await callIn(api, member, second, 'FAILED')).error.type).toBe('StartUnknown');
  expect(keys).toHaveLength(1);
  await api.query(member, `mutation { retryJob(input: { id: "${jobId}" }) { __typename } }`);
  worker?.lookForWork();
  const retried = await callIn(api, member, second, 'READY');
  expect(retried.transcript.operationCount).toBe(1);
  // Another operation, with a key of its own.
  expect(new Set(keys).size).toBe(2);
});

test('an operator’s retry of a transcription that failed for good begins another operation', async () => {
  let operations = 0;
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': () => ({ body: { id: `op-${++operations}` } }),
    'GET /operations/op-1': { body: { done: true, error: { code: 3, message: 'bad sound' } } },
    'GET /operations/op-2': DONE,
    'GET /stt/v3/getRecognition': { body: v3Recognition([{ channel: 0, words: [['hello', 100, 400]] }]) },
  };
  const id = await transcribe(SPEECHKIT());
  await callIn(api, member, id, 'FAILED');
  const { id: jobId } = await jobOf(id, 'transcribe_poll');
  await api.query(member, `mutation { retryJob(input: { id: "${jobId}" }) { __typename } }`);
  worker?.lookForWork();
  const call = await callIn(api, member, id, 'READY');
  expect([operations, call.transcript.operationCount]).toEqual([2, 2]);
});

test('of two channels that an endpoint is sent, the one that it has answered is not paid for again after a quota', async () => {
  const sent: number[] = [];
  speech.answers = {
    'POST /v1/audio/transcriptions': ({ body }) => {
      sent.push(body.length);
      if (sent.length === 2)
        return { status: 429, headers: { 'retry-after': '1' }, body: { error: 'quota' } };
      const text = sent.length === 1 ? 'left' : 'right';
      return { body: { text, language: 'english', words: [{ word: text, start: 0.1, end: 0.5 }] } };
    },
  };
  worker = await startCallWorker(api, {
    MILLRACE_SPEECH_PROVIDER: 'openai',
    MILLRACE_SPEECH_URL: `${speech.url}/v1`,
  });
  const path = await makeMedia(await makeTempDir(), [
    ...['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2764*t)|0.5*sin(4147*t)':d=2:s=16000", 'two.wav'],
  ]);
  const objectKey = await intoInbox(api.storageDir, tenant, path, `${crypto.randomUUID()}.wav`);
  const { call: made } = await submit(api, member, { recording: { objectKey } });
  const call = await callIn(api, member, made.uuid, 'READY', 'FAILED');
  expect(call.transcript.turns).toMatchObject([
    { speaker: 0, text: 'left' },
    { speaker: 1, text: 'right' },
  ]);
  expect(sent).toHaveLength(3);
  expect(call.cost.audioSeconds).toBe(4);
  expect((await readdir(join(api.storageDir, 'calls', made.uuid))).sort()).toEqual([
    'audio.flac',
    'transcript.json',
    'waveform.json',
  ]);
});
