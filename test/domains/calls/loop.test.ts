import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, TEST_SECRET, type TestApi } from '../../support/api.ts';
import { callIn, submit } from '../../support/call-platform.ts';
import { intoInbox } from '../../support/flite-calls.ts';
import { makeMedia, TONE } from '../../support/media.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait.ts';
import { type SpeechServer, startSpeechServer, v3Recognition } from './speech-server.ts';

let api: TestApi;
let speech: SpeechServer;
let loop: Program;

beforeAll(async () => {
  api = await startTestApi();
  speech = await startSpeechServer();
  loop = startProgram('examples/calls/loop.ts', [], {
    DATABASE_URL: api.databaseUrl,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_JWT_SECRET: TEST_SECRET,
    SPEECHKIT_API_KEY: 'the-key',
    SPEECHKIT_URL: speech.url,
    SPEECHKIT_OPERATION_URL: speech.url,
    SPEECHKIT_POLL_INTERVAL_MS: '1000',
  });
});
afterAll(async () => {
  await loop?.interrupt();
  await speech?.close();
  await api?.close();
});

test('a loop of claim, complete and fail brings a call through its stages, fails with its backoff and is put off by a provider', async () => {
  speech.answers = {
    'POST /stt/v3/recognizeFileAsync': [{ status: 503, body: {} }, { body: { id: 'op-1' } }],
    'GET /operations/': [{ body: { done: false } }, { body: { done: true } }],
    'GET /stt/v3/getRecognition': { body: v3Recognition([{ channel: 0, words: [['hello', 100, 400]] }]) },
  };
  const tenantId = await api.makeTenant();
  const member = await api.token(tenantId, 'member');
  const recording = await makeMedia(await makeTempDir(), [...TONE(2), 'tone.wav']);
  const objectKey = await intoInbox(api.storageDir, tenantId, recording, 'tone.wav');
  const { call: made } = await submit(api, member, { recording: { objectKey } });
  const failed = await waitFor(
    async () => {
      const { rows } = await api.superuser.query(
        `select j.id, j.attempt_count, extract(epoch from j.scheduled_for - now())::float8 as seconds
         from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
         where d.key = 'transcribe_start' and j.status = 'queued' and j.attempt_count = 1`,
      );
      return rows[0] ?? false;
    },
    { describe: () => `the start to fail:\n${loop.stderr().slice(-2000)}` },
  );
  // 30 s after the first failure, by the loop's own calculation.
  expect(failed.seconds).toBeGreaterThan(20);
  expect(failed.seconds).toBeLessThanOrEqual(30);
  await api.superuser.query('update millrace.jobs set scheduled_for = now() where id = $1', [failed.id]);
  const call = await callIn(api, member, made.uuid, 'READY', 'FAILED');
  expect(call).toMatchObject({
    status: 'READY',
    error: null,
    transcript: { provider: 'speechkit', wordCount: 1 },
  });
  const { rows } = await api.superuser.query(
    `select d.key, j.status, j.snooze_count from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
     where j.subject_id = $1 order by j.id`,
    [made.uuid],
  );
  expect(rows).toEqual([
    { key: 'extract_audio', status: 'succeeded', snooze_count: 0 },
    { key: 'transcribe_start', status: 'succeeded', snooze_count: 0 },
    { key: 'transcribe_poll', status: 'succeeded', snooze_count: 1 },
    { key: 'analyze', status: 'succeeded', snooze_count: 0 },
  ]);
  expect((await readdir(join(api.storageDir, 'calls', made.uuid))).sort()).toEqual([
    'audio.flac',
    'transcript.json',
    'waveform.json',
  ]);
});
