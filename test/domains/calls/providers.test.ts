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
import { type SpeechServer, startSpeechServer, v3Recognition } from './speech-server.ts';

let api: TestApi;
let tenant: string;
let member: string;
let speech: SpeechServer;
let worker: RunningWorker | undefined;

const KEY = 'the-key-of-speechkit';
const DONE = { body: { id: 'op-1', done: true } };
const PENDING = { body: { id: 'op-1', done: false } };

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

test('SpeechKit v3 is sent OGG Opus once, asked again and again without an attempt being spent, and read once', async () => {
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': { body: { id: 'op-1', done: false } },
    'GET /operations/op-1': [
      PENDING,
      { status: 429, headers: { 'retry-after': '1' }, body: { message: 'quota' } },
      DONE,
    ],
    'GET /stt/v3/getRecognition': {
      body: v3Recognition([
        {
          channel: 0,
          words: [
            ['hello', 100, 400],
            ['there', 450, 800],
          ],
          normalized: 'Hello, there!',
        },
        {
          channel: 1,
          words: [
            ['twenty', 1000, 1300],
            ['euros', 1350, 1800],
          ],
          normalized: 'twenty euros',
        },
      ]),
    },
    'DELETE /stt/v3/deleteRecognition': { body: {} },
  };
  const id = await transcribe(SPEECHKIT());
  const call = await callIn(api, member, id, 'READY', 'FAILED');
  expect(call.error).toBeNull();
  expect(call.transcript).toMatchObject({
    provider: 'speechkit',
    model: 'general',
    isDraft: false,
    wordCount: 4,
  });
  expect(call.transcript.turns).toMatchObject([
    { speaker: 0, startMs: 100, endMs: 800, text: 'Hello, there!' },
    { speaker: 1, startMs: 1000, endMs: 1800, text: 'twenty euros' },
  ]);
  const [start] = speech.asked;
  expect(start?.authorization).toBe(`Api-Key ${KEY}`);
  const body = JSON.parse(String(start?.body));
  expect(Buffer.from(body.content, 'base64').subarray(0, 4).toString()).toBe('OggS');
  expect(body.recognitionModel).toMatchObject({
    audioFormat: { containerAudio: { containerAudioType: 'OGG_OPUS' } },
    languageRestriction: { languageCode: ['en-US'] },
    audioProcessingType: 'FULL_DATA',
  });
  expect(body.speakerLabeling.speakerLabeling).toBe('SPEAKER_LABELING_ENABLED');
  expect(speech.countOf('/stt/v3/recognizeFileAsync')).toBe(1);
  expect(speech.countOf('/stt/v3/getRecognition')).toBe(1);
  expect(await jobOf(id, 'transcribe_poll')).toMatchObject({
    status: 'succeeded',
    attempt_count: 0,
    snooze_count: 2,
  });
  // What was sent goes with the operation, by its artifact row.
  expect((await readdir(join(api.storageDir, 'calls', id))).sort()).toEqual([
    'audio.flac',
    'transcript.json',
    'waveform.json',
  ]);
  expect(call.artifacts.map(({ kind }: { kind: string }) => kind)).not.toContain('call_ogg');
});

test('SpeechKit v2 is given the address of the sound in its bucket, and its channels count from one', async () => {
  speech.answers = {
    'POST /speech/stt/v2/longRunningRecognize': { body: { id: 'op-2', done: false } },
    'GET /operations/op-2': {
      body: {
        id: 'op-2',
        done: true,
        response: {
          chunks: [
            {
              channelTag: '2',
              alternatives: [
                {
                  text: 'yes',
                  words: [{ word: 'yes', startTime: '1.500s', endTime: '1.880s', confidence: 0.5 }],
                },
              ],
            },
            {
              channelTag: '1',
              alternatives: [
                {
                  text: 'no',
                  words: [{ word: 'no', startTime: '0.250s', endTime: '0.880s', confidence: 1 }],
                },
              ],
            },
          ],
        },
      },
    },
  };
  const id = await transcribe({
    ...SPEECHKIT(),
    SPEECHKIT_VERSION: 'v2',
    SPEECHKIT_AUDIO_URL: 'https://bucket.example/calls',
  });
  const call = await callIn(api, member, id, 'READY', 'FAILED');
  expect(call.transcript.turns).toMatchObject([
    { speaker: 0, startMs: 250, endMs: 880, text: 'no' },
    { speaker: 1, startMs: 1500, endMs: 1880, text: 'yes', confidence: 0.5 },
  ]);
  const body = JSON.parse(String(speech.asked[0]?.body));
  expect(body.audio.uri).toBe(`https://bucket.example/calls/calls/${id}/transcription.ogg`);
});

test('an operation that fails in a way that may pass is begun again; one that is refused ends the call, without its key', async () => {
  let operations = 0;
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': () => ({ body: { id: `op-${++operations}` } }),
    'GET /operations/op-1': { body: { done: true, error: { code: 14, message: 'try again' } } },
    'GET /operations/op-2': { body: { done: true, error: { code: 3, message: `bad sound for ${KEY}` } } },
  };
  const id = await transcribe(SPEECHKIT());
  const call = await callIn(api, member, id, 'READY', 'FAILED');
  expect(call.error).toMatchObject({ type: 'SpeechFailed', message: expect.stringContaining('bad sound') });
  expect(operations).toBe(2);
  await worker?.stop(0);
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': { status: 401, body: { message: `unknown key ${KEY}` } },
  };
  const refused = await callIn(api, member, await transcribe(SPEECHKIT()), 'READY', 'FAILED');
  expect(refused.error.type).toBe('EndpointDenied');
  expect(refused.error.message).toContain('•••');
  expect(refused.error.message).not.toContain(KEY);
});

test('a provider that takes hours holds no slot, and is given up after a day', async () => {
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': { body: { id: 'op-1' } },
    'GET /operations/op-1': PENDING,
  };
  const id = await transcribe({ ...SPEECHKIT(), SPEECHKIT_POLL_INTERVAL_MS: '3600000' });
  const sleeping = await waitFor(
    async () => {
      const job = await jobOf(id, 'transcribe_poll');
      return job?.snooze_count === 1 && job.status === 'queued' ? job : false;
    },
    { describe: 'the poll to sleep' },
  );
  // The row is written before its worker has read the answer.
  await waitFor(() => worker?.runningCount === 0, { describe: 'the slot to be free' });
  expect(sleeping.attempt_count).toBe(0);
  expect(sleeping.scheduled_for.getTime() - Date.now()).toBeGreaterThan(3_500_000);
  // A day and an hour later.
  await api.superuser.query(
    `update millrace.jobs set queued_at = queued_at - interval '25 hours', scheduled_for = now() - interval '1 minute' where id = $1`,
    [sleeping.id],
  );
  worker?.lookForWork();
  const call = await callIn(api, member, id, 'FAILED');
  expect(call.error.type).toBe('DeadlineExceeded');
});

test('a program with a model of its own is given each channel as WAV, and what it prints becomes words', async () => {
  const printed = `{"result":{"language":"en"},"transcription":[{"text":" good morning","offsets":{"from":100,"to":900}}]}`;
  const script = `test "$(head -c 4 "$1")" = RIFF && echo 'model loaded' && echo '${printed}'`;
  const id = await transcribe({
    MILLRACE_SPEECH_PROVIDER: 'command',
    MILLRACE_SPEECH_COMMAND: JSON.stringify(['/bin/sh', '-c', script, 'sh', '{wav}']),
  });
  const call = await callIn(api, member, id, 'READY', 'FAILED');
  expect(call.transcript).toMatchObject({
    provider: 'command',
    model: 'sh',
    isDraft: false,
    costMicros: null,
  });
  expect(call.transcript.turns).toMatchObject([{ startMs: 100, endMs: 900, text: 'good morning' }]);
});

test('an OpenAI-compatible endpoint is sent each channel, and its times become turns', async () => {
  speech.answers = {
    'POST /v1/audio/transcriptions': {
      body: {
        text: 'Good morning. How much is it?',
        language: 'english',
        words: [
          { word: 'Good', start: 0.1, end: 0.3 },
          { word: 'morning.', start: 0.35, end: 0.8 },
          { word: 'How', start: 2.2, end: 2.3 },
          { word: 'much?', start: 2.4, end: 2.8 },
        ],
      },
    },
    'POST /v1/chat/completions': [
      {
        body: {
          choices: [{ message: { content: 'no json' } }],
          usage: { prompt_tokens: 9, completion_tokens: 9 },
        },
      },
      {
        body: {
          choices: [
            {
              message: {
                content: JSON.stringify({
                  summary: 'Somebody asks for a price.',
                  topics: ['price'],
                  actionItems: [{ text: 'Send an offer', owner: 'Ann' }],
                  sentiment: 'neutral',
                }),
              },
            },
          ],
          usage: { prompt_tokens: 1000, completion_tokens: 100 },
        },
      },
    ],
  };
  const id = await transcribe({
    MILLRACE_SPEECH_PROVIDER: 'openai',
    MILLRACE_SPEECH_URL: `${speech.url}/v1`,
    MILLRACE_SPEECH_API_KEY: KEY,
    MILLRACE_CALL_CHAT_URL: `${speech.url}/v1`,
    MILLRACE_CALL_CHAT_MODEL: 'reader',
    MILLRACE_CALL_CHAT_INPUT_MICROS: '2000000',
    MILLRACE_CALL_CHAT_OUTPUT_MICROS: '8000000',
  });
  // The malformed answer is retried as an error that may pass: now, and not in half a minute.
  await waitFor(async () => (await jobOf(id, 'analyze'))?.attempt_count === 1, {
    describe: 'the malformed answer',
  });
  const [analyze] = [await jobOf(id, 'analyze')];
  expect(analyze.last_error.message).toContain('no JSON');
  await api.superuser.query(`update millrace.jobs set scheduled_for = now() where id = $1`, [analyze.id]);
  worker?.lookForWork();
  const call = await callIn(api, member, id, 'READY', 'FAILED');
  expect(call.transcript.turns).toMatchObject([{ text: 'Good morning.' }, { text: 'How much?' }]);
  expect(call.analysis.questions).toMatchObject([{ atMs: 2200, text: 'How much?' }]);
  expect(call.analysis.overview).toEqual({
    summary: 'Somebody asks for a price.',
    topics: ['price'],
    actionItems: [{ text: 'Send an offer', owner: 'Ann' }],
    sentiment: 'neutral',
  });
  expect(call.analysis.cost).toEqual({ model: 'reader', inputTokens: 1000, outputTokens: 100, micros: 2800 });
  // The answer that was of no use was paid for all the same.
  const { data } = await api.query(
    await api.token(tenant, 'tenant_admin'),
    `{ usage(from: "${new Date(Date.now() - 86_400_000).toISOString()}", to: "${new Date().toISOString()}", filter: { definitions: ["analyze"] }) { days { amounts { unit amount } } } }`,
  );
  expect(data.usage.days.at(-1).amounts).toEqual([
    { unit: 'COST_MICROS', amount: String(2800 + 90) },
    { unit: 'INPUT_TOKENS', amount: '1009' },
    { unit: 'OUTPUT_TOKENS', amount: '109' },
  ]);
  const [sent] = speech.asked;
  expect(String(sent?.body)).toContain('name="model"');
  expect(sent?.authorization).toBe(`Bearer ${KEY}`);
});
