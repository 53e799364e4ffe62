import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callApi } from '../../src/cli/call-api.ts';
import { say as speak, stereoCall } from '../../test/support/flite-calls.ts';
import { waitFor } from '../../test/support/wait.ts';
import { programsIn } from '../../workers/tools/search-path.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { watchChildren } from '../stage/children.ts';
import { startServer, startShippedWorker } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';

const ROUNDS = 3;
const GOAL_SHARE = 0.05;
/** As the kernel names them, in fifteen letters; what a process does at work for us is not overhead. */
const PROGRAMS = ['ffmpeg', 'ffprobe', 'pocketsphinx_co'];
const SENTENCES = [
  'please call me back on monday about the contract and the insurance for the winter.',
  'what does it cost for a month when we pay for the whole year at once.',
  'the papers are in the office and will be sent to you before the end of the week.',
];
/** Of one voice; a minute each in the full size. */
const REPEATS = { quick: 1, full: 5 };

/**
 * Two voices on two channels through all stages of the shipped worker, with pocketsphinx: how much of it no
 * program is at work.
 */
export const callPipeline: Measure = {
  name: 'call-pipeline',
  title:
    'A call of two minutes from the recording to the analysis: time, and what is neither ffmpeg nor the recogniser',
  async run(context) {
    const { effort, say } = context;
    const flite = await fliteIn(process.env['PATH'] ?? null);
    await using stage = await openStage(context);
    const text = SENTENCES.join(' ').repeat(effort.quick ? REPEATS.quick : REPEATS.full);
    const left = await speak(flite, stage.directory, 'left.wav', text, 'slt');
    const right = await speak(flite, stage.directory, 'right.wav', text, 'rms');
    const recording = await stereoCall(stage.directory, left, right, effort.quick ? 3 : 60);
    const settings = { MILLRACE_SPEECH_PROVIDER: 'pocketsphinx' };
    const worker = await startShippedWorker(stage, settings);
    const { program: server, graphqlUrl, token } = await startServer(stage);
    const inbox = join(stage.env['MILLRACE_DATA_DIR'] as string, 'storage/call-inbox', stage.tenantId);
    await mkdir(inbox, { recursive: true });
    const shares: number[] = [];
    const totals: number[] = [];
    try {
      for (let round = 0; round < (effort.quick ? 1 : ROUNDS); round++) {
        await copyFile(recording, join(inbox, `${round}.wav`));
        const watch = watchChildren(worker.pid, PROGRAMS);
        const objectKey = `call-inbox/${stage.tenantId}/${round}.wav`;
        const { submitCall } = await callApi<{ submitCall: { call: { uuid: string } } }>(
          { graphqlUrl, token },
          'mutation ($key: String!) { submitCall(input: { recording: { objectKey: $key } }) { ... on SubmitCallPayload { call { uuid } } } }',
          { key: objectKey },
        );
        await waitFor(
          async () => {
            const { rows } = await stage.client.query<{ status: string }>(
              'select status from millrace.calls where id = $1',
              [submitCall.call.uuid],
            );
            if (rows[0]?.status === 'failed') throw new Error('The call failed');
            return rows[0]?.status === 'ready';
          },
          { describe: 'the call to be ready', timeoutMs: 600_000, pollMs: 10 },
        );
        const { totalSeconds, busySeconds, byName } = await watch.stop();
        shares.push((totalSeconds - busySeconds) / totalSeconds);
        totals.push(totalSeconds);
        const programs = [...byName].map(([name, took]) => `${name} ${rounded(took)} s`);
        say(
          `${rounded(totalSeconds)} s, of it ${rounded(totalSeconds - busySeconds)} s without a program; ${programs.join(', ')}`,
        );
      }
    } finally {
      await server.interrupt();
      await worker.interrupt();
    }
    return [
      figureOf({ name: 'call from recording to analysis', unit: 's', goal: null }, totals),
      figureOf({ name: 'share without ffmpeg or recogniser at work', unit: '', goal: GOAL_SHARE }, shares),
    ];
  },
};

async function fliteIn(searchPath: string | null): Promise<string> {
  for await (const path of programsIn(searchPath, 'flite')) return path;
  throw new Error('flite is not installed (Debian: flite)');
}
