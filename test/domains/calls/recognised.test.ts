import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { callIn, startCallWorker, submit } from '../../support/call-platform.ts';
import {
  flitePath,
  intoInbox,
  needPocketsphinx,
  readAloud,
  say,
  stereoCall,
  wordErrorRate,
} from '../../support/flite-calls.ts';
import { makeMedia } from '../../support/media.ts';
import { openStream } from '../../support/sse.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const ANN = 'please call me back on monday about the contract. what does the insurance cost in the winter';
const BOB = 'the insurance will be two hundred dollars a month and i will send the papers to the office';
/** pocketsphinx on the voices of flite; 6.5 % on long texts. */
const MAX_ERROR_RATE = 0.25;

let api: TestApi;
let worker: RunningWorker;
let tenant: string;
let member: string;

beforeAll(async () => {
  api = await startTestApi();
  tenant = await api.makeTenant();
  member = await api.token(tenant, 'member');
  worker = await startCallWorker(api, { MILLRACE_SPEECH_PROVIDER: 'auto' });
});
afterAll(async () => {
  await worker.stop(0);
  await api.close();
});

test('pocketsphinx turns two voices on two channels into words with times, which are found with a letter wrong', async (context) => {
  const flite = await flitePath(context);
  await needPocketsphinx(context);
  const directory = await makeTempDir();
  const left = await say(flite, directory, 'ann.wav', ANN, 'slt');
  const right = await say(flite, directory, 'bob.wav', BOB, 'rms');
  const path = await stereoCall(directory, left, right, 8);
  const objectKey = await intoInbox(api.storageDir, tenant, path, 'two.wav');
  const made = await submit(api, member, {
    recording: { objectKey },
    speakers: ['Ann', 'Bob'],
    language: 'en-US',
  });
  const id = made.call.uuid;
  const stream = await openStream(
    api.server.graphqlUrl,
    member,
    `subscription { callChanged(id: "${id}") { status stages { stage job { status } } transcript { wordCount } } }`,
  );
  const ready = await stream.next(
    ({ data }) => data?.callChanged?.status === 'READY',
    'the call to be ready',
  );
  stream.stop();
  expect(ready.data.callChanged.transcript.wordCount).toBeGreaterThan(20);
  const call = await callIn(api, member, id, 'READY');
  expect(call.transcript).toMatchObject({ provider: 'pocketsphinx', isDraft: true, hasText: true });
  const heard = (speaker: number): string =>
    call.transcript.turns
      .filter((turn: { speaker: number }) => turn.speaker === speaker)
      .map(({ text }: { text: string }) => text)
      .join(' ');
  const rates = [wordErrorRate(ANN, heard(0)), wordErrorRate(BOB, heard(1))];

  for (const rate of rates) expect(rate).toBeLessThan(MAX_ERROR_RATE);
  // Words lie where they are said: the second voice begins after eight seconds.
  const second = call.transcript.turns.find((turn: { speaker: number }) => turn.speaker === 1);
  expect(second.startMs).toBeGreaterThan(7_800);
  expect(second.startMs).toBeLessThan(9_000);
  expect(call.analysis.keywords.map(({ text }: { text: string }) => text)).toContain('insurance');
  for (const query of ['insurance', 'insurence', '"two hundred dollars"', 'contract monday', 'insur*'])
    expect(await found(query), query).toContain(id);
  for (const query of ['"dollars hundred two"', 'insurance -month -contract', 'elephant'])
    expect(await found(query), query).toEqual([]);
  const { data } = await api.query(
    member,
    '{ searchCalls(query: "papers") { edges { hit { speakerName startMs text } } } }',
  );
  expect(data.searchCalls.edges[0].hit).toMatchObject({
    speakerName: 'Bob',
    text: expect.stringContaining('papers'),
  });
  expect(data.searchCalls.edges[0].hit.startMs).toBeGreaterThan(7_800);
  expect((await readdir(join(api.storageDir, 'calls', id))).sort()).toEqual([
    'audio.flac',
    'transcript.json',
    'waveform.json',
  ]);
});

test('a person who reads a novel aloud is recognised with the word error rate that the documentation states', async (context) => {
  await needPocketsphinx(context);
  const readings = await readAloud(context);
  const directory = await makeTempDir();
  const list = join(directory, 'list.txt');
  await writeFile(list, readings.map(({ path }) => `file '${path}'\n`).join(''));
  const path = await makeMedia(directory, ['-f', 'concat', '-safe', '0', '-i', list, 'novel.wav']);
  const objectKey = await intoInbox(api.storageDir, tenant, path, 'novel.wav');
  const made = await submit(api, member, { recording: { objectKey }, language: 'en-US' });
  const { transcript } = await callIn(api, member, made.call.uuid, 'READY');
  const heard = transcript.turns.map(({ text }: { text: string }) => text).join(' ');
  const rate = wordErrorRate(readings.map(({ said }) => said).join(' '), heard);
  expect(rate, heard).toBeLessThan(0.45);
});

async function found(query: string): Promise<readonly string[]> {
  const { data } = await api.query(
    member,
    'query ($query: String!) { searchCalls(query: $query) { edges { node { uuid } } } }',
    { query },
  );
  return [
    ...new Set<string>(data.searchCalls.edges.map(({ node }: { node: { uuid: string } }) => node.uuid)),
  ];
}
