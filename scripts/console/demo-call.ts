import { readFile } from 'node:fs/promises';
import { type ApiClient, callApi } from '../../src/cli/call-api.ts';
import { say, stereoCall } from '../../test/support/flite-calls.ts';
import { waitFor } from '../../test/support/wait.ts';
import { programsIn } from '../../workers/tools/search-path.ts';

const ANN = 'please call me back on monday about the contract. what does the insurance cost in the winter';
const BOB = 'the insurance will be two hundred dollars a month and i will send the papers to the office';

interface Submitted {
  readonly submitCall: {
    readonly call: { readonly uuid: string };
    readonly upload: { readonly url: string };
  };
}

/**
 * Gives a demo a call of two voices. @returns its UUID once it is ready; undefined where flite is not
 * installed
 */
export async function makeDemoCall(api: ApiClient, directory: string): Promise<string | undefined> {
  let flite: string | undefined;
  for await (const path of programsIn(process.env['PATH'] ?? null, 'flite')) {
    flite = path;
    break;
  }
  if (flite === undefined) return undefined;
  const left = await say(flite, directory, 'ann.wav', ANN, 'slt');
  const right = await say(flite, directory, 'bob.wav', BOB, 'rms');
  const recording = await readFile(await stereoCall(directory, left, right, 8));
  const { submitCall } = await callApi<Submitted>(
    api,
    `mutation { submitCall(input: { recording: { upload: { fileName: "contract.wav" } }, title: "The contract", speakers: ["Ann", "Bob"], language: "en-US" }) {
      ... on SubmitCallPayload { call { uuid } upload { url } } } }`,
  );
  const { uuid } = submitCall.call;
  await fetch(submitCall.upload.url, { method: 'PUT', body: recording });
  await callApi(api, `mutation { completeCallUpload(input: { callId: "${uuid}" }) { __typename } }`);
  await waitFor(
    async () => {
      const { call } = await callApi<{ call: { status: string } }>(api, `{ call(id: "${uuid}") { status } }`);
      return call.status === 'READY';
    },
    { describe: 'the call', timeoutMs: 120_000 },
  );
  return uuid;
}
