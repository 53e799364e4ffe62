import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { callIn, startCallWorker, submit } from '../../support/call-platform.ts';
import { intoInbox } from '../../support/flite-calls.ts';
import { makeMedia, TONE } from '../../support/media.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

let api: TestApi;
let worker: RunningWorker;
let tenant: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.makeTenant();
  member = await api.token(tenant, 'member');
  worker = await startCallWorker(api);
}, 60_000);
afterAll(async () => {
  await worker.stop(0);
  await api.close();
});

async function run(path: string, more: object = {}, ...statuses: string[]) {
  const objectKey = await intoInbox(api.storageDir, tenant, path, `${crypto.randomUUID()}.wav`);
  const made = await submit(api, member, { recording: { objectKey }, ...more });
  return await callIn(api, member, made.call.uuid, ...(statuses.length > 0 ? statuses : ['READY', 'FAILED']));
}

describe('a call without anything that recognises words', () => {
  test('gets times and speakers from its channels, loudness, a waveform and an analysis, and no invented text', async () => {
    const directory = await makeTempDir();
    // The left channel sounds from 0 to 2 s and from 6 to 8 s, the right one from 3 to 5 s.
    const path = await makeMedia(directory, [
      ...['-f', 'lavfi', '-i'],
      "aevalsrc='if(lt(t,2)+gte(t,6),0.5*sin(2764*t),0)|if(gte(t,3)*lt(t,5),0.5*sin(4147*t),0)':d=8:s=16000",
      'two.wav',
    ]);
    const call = await run(path, { speakers: ['Ann', 'Bob'] });
    expect(call).toMatchObject({ status: 'READY', channelCount: 2, isSilent: false, durationMs: 8000 });
    expect(call.loudnessLufs).toBeLessThan(0);
    expect(call.transcript).toMatchObject({
      provider: 'segments',
      hasText: false,
      emptyReason: 'no_provider',
      wordCount: 0,
      audioSeconds: 8,
    });
    expect(
      call.transcript.turns.map(({ speaker, text }: { speaker: number; text: string }) => [speaker, text]),
    ).toEqual([
      [0, ''],
      [1, ''],
      [0, ''],
    ]);
    const starts = call.transcript.turns.map(
      ({ startMs }: { startMs: number }) => Math.round(startMs / 100) / 10,
    );
    expect(starts).toEqual([0, 3, 6]);
    const [ann, bob] = call.analysis.speakerStatistics;
    expect(ann.talkRatio).toBeCloseTo(0.667, 1);
    expect(bob.talkRatio).toBeCloseTo(0.333, 1);
    expect(call.analysis.overview).toBeNull();
    expect(
      call.stages.map(({ stage, job }: { stage: string; job: { status: string } }) => [stage, job.status]),
    ).toEqual([
      ['EXTRACT_AUDIO', 'SUCCEEDED'],
      ['TRANSCRIBE_START', 'SUCCEEDED'],
      ['TRANSCRIBE_POLL', 'SUCCEEDED'],
      ['ANALYZE', 'SUCCEEDED'],
    ]);
    const waveform = call.artifacts.find(({ kind }: { kind: string }) => kind === 'call_waveform');
    const drawn = (await (await fetch(waveform.url, { headers: { connection: 'close' } })).json()) as {
      peaks: number[][];
    };
    expect(drawn.peaks).toHaveLength(2);
    expect(drawn.peaks[0]).toHaveLength(80);
    expect(drawn.peaks[0]?.[40]).toBe(0);
    expect(drawn.peaks[1]?.[40]).toBeGreaterThan(10);
  });

  test('a silent recording gets an empty transcript that says so, and nothing is sent to anybody', async () => {
    const path = await makeMedia(await makeTempDir(), [
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=16000:cl=mono',
      '-t',
      '3',
      's.wav',
    ]);
    const call = await run(path);
    expect(call).toMatchObject({ status: 'READY', isSilent: true, loudnessLufs: null });
    expect(call.transcript).toMatchObject({
      hasText: false,
      emptyReason: 'silent',
      provider: 'none',
      turnCount: 0,
    });
    expect(call.stages[1].job).toBeNull();
  });

  test('two channels with one sound are one channel', async () => {
    const path = await makeMedia(await makeTempDir(), [...TONE(2), '-ac', '2', 'same.wav']);
    expect(await run(path)).toMatchObject({ status: 'READY', channelCount: 1 });
  });

  test('what is no recording, has no sound or was cut off fails for good, with a reason', async () => {
    const directory = await makeTempDir();
    const text = await makeMedia(directory, [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=64x64:d=1',
      '-c:v',
      'mpeg4',
      'mute.mp4',
    ]);
    expect((await run(text)).error).toMatchObject({
      type: 'NotARecording',
      message: expect.stringContaining('no sound'),
    });
    expect((await run(import.meta.filename)).error).toMatchObject({ type: 'NotARecording' });
    const whole = await makeMedia(directory, [...TONE(20), '-c:a', 'flac', 'whole.flac']);
    const { writeFile } = await import('node:fs/promises');
    const bytes = await readFile(whole);
    await writeFile(join(directory, 'half.flac'), bytes.subarray(0, bytes.length / 2));
    const half = await run(join(directory, 'half.flac'));
    expect(half.error).toMatchObject({ type: 'RecordingDamaged' });
    expect(half.stages[0].job).toMatchObject({ status: 'FAILED', runNo: 1 });
  });

  test('an upload that is not kept goes once its sound is there, by its artifact, and the sound stays', async () => {
    const path = await makeMedia(await makeTempDir(), [...TONE(2), 'up.mp3']);
    const bytes = await readFile(path);
    const made = await submit(api, member, {
      recording: { upload: { fileName: 'up.mp3', sizeBytes: bytes.length } },
      keepRecording: false,
    });
    expect(made.call.status).toBe('AWAITING_UPLOAD');
    const put = await fetch(made.upload.url, {
      method: 'PUT',
      body: bytes,
      headers: { connection: 'close' },
    });
    expect(put.status).toBe(201);
    const id = made.call.uuid;
    const complete = `mutation { completeCallUpload(input: { callId: "${id}" }) { ... on CompleteCallUploadPayload { job { id } } } }`;
    const first = await api.query(member, complete);
    expect((await api.query(member, complete)).data).toEqual(first.data);
    const late = await fetch(made.upload.url, {
      method: 'PUT',
      body: bytes,
      headers: { connection: 'close' },
    });
    expect(late.status).toBe(409);
    const call = await callIn(api, member, id, 'READY');
    expect(call.artifacts.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'call_audio',
      'call_transcript',
      'call_waveform',
    ]);
    expect((await readdir(join(api.storageDir, 'calls', id))).sort()).toEqual([
      'audio.flac',
      'transcript.json',
      'waveform.json',
    ]);
  });
});
