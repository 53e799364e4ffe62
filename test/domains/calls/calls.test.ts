import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { probe } from '../../../workers/tools/ffprobe.ts';
import { RECORDING_FORMATS } from '../../../workers/tools/media-formats.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../workers/tools/media-limits.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { callIn, startCallWorker, submit } from '../../support/call-platform.ts';
import { intoInbox } from '../../support/flite-calls.ts';
import { makeMedia, npmMedia, TONE } from '../../support/media.ts';
import { restClient } from '../../support/rest.ts';
import { openStream } from '../../support/sse.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { WAIT_MS, waitFor } from '../../support/wait.ts';

let api: TestApi;
let worker: RunningWorker;
let tenant: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.makeTenant();
  member = await api.token(tenant, 'member');
  worker = await startCallWorker(api);
});
afterAll(async () => {
  await worker.stop(0);
  await api.close();
});

async function run(path: string, more: object = {}, ...statuses: string[]) {
  const objectKey = await intoInbox(api.storageDir, tenant, path, `${crypto.randomUUID()}.wav`);
  const made = await submit(api, member, { recording: { objectKey }, ...more });
  return await callIn(api, member, made.call.uuid, ...(statuses.length > 0 ? statuses : ['READY', 'FAILED']));
}

const CLIP = `mutation ($input: RequestClipInput!) { requestClip(input: $input) {
  ... on RequestClipPayload { isNew clip { uuid } } ... on DomainFailure { code field allowed } } }`;

describe('a clip of a call', () => {
  test('is a piece of its recording as M4A, made once for a range, read over REST too, and goes with the call', async () => {
    // A second of silence, two of a tone, a second of silence; on both channels, at a rate that the stored
    // sound does not have.
    const path = await makeMedia(await makeTempDir(), [
      ...['-f', 'lavfi', '-i'],
      "aevalsrc='if(between(t,1,3),0.5*sin(2764*t),0)|if(between(t,1,3),0.4*sin(4147*t),0)':d=4:s=44100",
      'clip.wav',
    ]);
    const call = await run(path);
    const ask = async (input: object) =>
      (await api.query(member, CLIP, { input: { callId: call.uuid, paddingMs: 0, ...input } })).data
        .requestClip;
    const asked = await ask({ startMs: 1_000, endMs: 2_500 });
    expect(asked.isNew).toBe(true);
    expect(await ask({ startMs: 1_000, endMs: 2_500 })).toEqual({ ...asked, isNew: false });
    const stream = await openStream(
      api.server.graphqlUrl,
      member,
      `subscription { clipChanged(id: "${asked.clip.uuid}") { status url startMs endMs widthPx sha256 sizeBytes preview { startMs } video { id } call { uuid } error { message } } }`,
    );
    const { data } = await stream.next(
      ({ data: event }) => ['READY', 'FAILED'].includes(event?.clipChanged?.status),
      'the clip',
    );
    stream.stop();
    const clip = data.clipChanged;
    expect(clip).toMatchObject({
      status: 'READY',
      startMs: 1_000,
      widthPx: null,
      preview: null,
      video: null,
      error: null,
    });
    expect(Math.abs(clip.endMs - 2_500)).toBeLessThanOrEqual(30);
    expect(clip.call).toEqual({ uuid: call.uuid });
    const answer = await fetch(clip.url, { headers: { connection: 'close' } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mp4']);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(clip.sha256);
    const file = join(await makeTempDir(), 'clip.m4a');
    await writeFile(file, bytes);
    const { ffprobePath } = await npmMedia();
    const cwd = await makeTempDir();
    const { audio, durationSeconds } = await probe(file, {
      ...{ ffprobePath, cwd, formats: RECORDING_FORMATS, signal: AbortSignal.timeout(WAIT_MS) },
      limits: DEFAULT_MEDIA_LIMITS,
    });
    // As it was recorded, and not as recognisers take it; the tone all through it.
    expect(audio).toMatchObject({ channels: 2, sampleRateHz: 44_100 });
    expect(durationSeconds).toBeCloseTo(1.5, 1);
    const rest = restClient(api.url, member);
    const { body: listed } = await rest.get(`/calls/${call.uuid}/clips`);
    expect(listed.data).toMatchObject([
      { id: asked.clip.uuid, call_id: call.uuid, video_id: null, status: 'ready', t_start: 1_000 },
    ]);
    const again = await rest.post('/clips', {
      call_id: call.uuid,
      t_start: 1_000,
      t_end: 2_500,
      padding_ms: 0,
    });
    expect([again.status, again.body.id]).toEqual([200, asked.clip.uuid]);
    expect((await rest.get(`/clips/${asked.clip.uuid}`)).body.url).toContain('.m4a');
    // What cannot be is refused by name.
    expect(await ask({ startMs: 4_000, endMs: 5_000 })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.startMs',
    });
    expect(await ask({ startMs: 0, endMs: 1, videoId: call.uuid })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.videoId',
    });
    const neither = await rest.post('/clips', { t_start: 0, t_end: 1 });
    expect([neither.status, neither.body.allowed]).toEqual([400, 'exactly one of video_id and call_id']);
    // One whose time is up loses its file, and is made again.
    const folder = join(api.storageDir, 'calls', call.uuid);
    expect(await readdir(join(folder, 'clips'))).toEqual([`${asked.clip.uuid}.m4a`]);
    expect((await rest.send('DELETE', `/calls/${call.uuid}`)).status).toBe(204);
    await waitFor(async () => (await readdir(folder).catch(() => [])).length === 0, {
      describe: 'its files to go',
    });
    const { rows } = await api.superuser.query(
      'select count(*)::int as count from millrace.artifacts where key like $1',
      [`calls/${call.uuid}/%`],
    );
    expect(rows[0].count).toBe(0);
    expect((await rest.get(`/clips/${asked.clip.uuid}`)).status).toBe(404);
  });

  test('of one whose recording was not kept is cut out of the sound that was', async () => {
    const path = await makeMedia(await makeTempDir(), [...TONE(2), '-ar', '44100', 'gone.wav']);
    const call = await run(path);
    // As if it had been removed from the store.
    const { rows } = await api.superuser.query('select recording_key from millrace.calls where id = $1', [
      call.uuid,
    ]);
    await rm(join(api.storageDir, rows[0].recording_key));
    const { data } = await api.query(member, CLIP, {
      input: { callId: call.uuid, startMs: 500, endMs: 1_000 },
    });
    const { uuid } = data.requestClip.clip;
    const rest = restClient(api.url, member);
    const clip = await waitFor(
      async () => {
        const { body } = await rest.get(`/clips/${uuid}`);
        return body.status === 'ready' || body.status === 'failed' ? body : false;
      },
      { describe: 'the clip' },
    );
    // With the usual padding, as far as the call reaches.
    expect(clip).toMatchObject({ status: 'ready', start_ms: 0, error: null });
    expect(Math.abs(clip.end_ms - 2_000)).toBeLessThanOrEqual(70);
  });
});

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
    const bytes = await readFile(whole);
    await writeFile(join(directory, 'half.flac'), bytes.subarray(0, bytes.length / 2));
    const half = await run(join(directory, 'half.flac'));
    expect(half.error).toMatchObject({ type: 'RecordingDamaged' });
    expect(half.stages[0].job).toMatchObject({ status: 'FAILED', runNo: 1 });
  });

  test('a stage that runs again finds what is there, and makes and asks nothing again', async () => {
    const path = await makeMedia(await makeTempDir(), [...TONE(2), 'again.wav']);
    const call = await run(path);
    const folder = join(api.storageDir, 'calls', call.uuid);
    const filesOf = async () =>
      await Promise.all(
        (await readdir(folder)).sort().map(async (name) => [name, (await stat(join(folder, name))).ino]),
      );
    const before = await filesOf();
    await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, payload, subject_type, subject_id)
       select tenant_id, definition_id, payload, subject_type, subject_id from millrace.jobs
       where subject_id = $1 order by id limit 1`,
      [call.uuid],
    );
    worker.lookForWork();
    const jobs = async () =>
      (
        await api.superuser.query(
          `select d.key, j.status, array(select l.message from millrace.job_log_lines l where l.job_id = j.id) as log
           from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where j.subject_id = $1 order by j.id offset 4`,
          [call.uuid],
        )
      ).rows;
    await waitFor(
      async () =>
        (await jobs()).filter(({ key, status }) => key === 'analyze' && status === 'succeeded').length === 1,
      {
        describe: 'the stages to have run again',
      },
    );
    const ran = await waitFor(
      async () => {
        const rows = await jobs();
        return rows.every(({ log }) => log.length > 0) ? rows : false;
      },
      { describe: 'their logs' },
    );
    expect(ran.map(({ key, log }) => [key, log[0]])).toEqual([
      ['extract_audio', 'An earlier run has taken the sound out'],
      ['transcribe_start', 'An earlier run has the transcript'],
      ['analyze', 'An earlier run has analysed this transcript'],
    ]);
    expect(await filesOf()).toEqual(before);
    expect((await callIn(api, member, call.uuid, 'READY')).transcript).toEqual(call.transcript);
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
