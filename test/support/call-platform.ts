import { loadConfig } from '../../src/config/config.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { builtInRegistrations } from '../../workers/registrations.ts';
import type { RunningWorker } from '../../workers/runtime/running-worker.ts';
import { TEST_SECRET, type TestApi } from './api.ts';
import { waitFor } from './wait.ts';

/** How many calls the test that kills workers submits; twenty with `npm run soak:calls`. */
export const CALL_COUNT = Number(process.env['MILLRACE_TEST_CALLS'] ?? 4);

export const CALL_FIELDS = `id uuid title status durationMs channelCount loudnessLufs isSilent speakers
  error { type message }
  transcript { hash provider model isDraft hasText emptyReason wordCount turnCount audioSeconds operationCount costMicros
    turns { position speaker startMs endMs text confidence words { text startMs endMs confidence } } }
  cost { audioSeconds speechMicros inputTokens outputTokens summaryMicros totalMicros }
  analysis { speakerStatistics { speaker talkMs talkRatio wordCount turnCount questionCount interruptionCount }
    interruptions { speaker atMs overlapMs } silences { startMs endMs } questions { speaker atMs text }
    keywords { text count firstAtMs } entities { type value atMs }
    overview { summary topics actionItems { text owner } sentiment } cost { model inputTokens outputTokens micros } }
  stages { stage job { status runNo attemptCount } }
  artifacts { kind sizeBytes contentType url }`;

const SUBMIT = `mutation ($input: SubmitCallInput!) { submitCall(input: $input) { __typename
  ... on SubmitCallPayload { call { uuid status } upload { method url headers { name value } } job { id } }
  ... on DomainFailure { code message field allowed } } }`;

/** A worker in this process that runs the stages of calls. */
export async function startCallWorker(
  api: TestApi,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningWorker> {
  const config = loadConfig({
    MILLRACE_JWT_SECRET: TEST_SECRET,
    MILLRACE_STORAGE_DIR: api.storageDir,
    MILLRACE_LOG_LEVEL: 'silent',
    PATH: process.env['PATH'] ?? '',
    MILLRACE_SPEECH_PROVIDER: 'segments',
    ...env,
  });
  return await openWorker({
    awaits: new AbortController().signal,
    config,
    databaseUrl: api.databaseUrl,
    registrations: await builtInRegistrations(config),
    exitWhenBlocked: false,
    concurrency: 4,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are as different as the documents; the tests say what they expect
export async function submit(api: TestApi, token: string, input: object): Promise<any> {
  const { data, errors } = await api.query(token, SUBMIT, { input });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data.submitCall;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export async function readCall(api: TestApi, token: string, id: string): Promise<any> {
  const { data, errors } = await api.query(token, `query ($id: ID!) { call(id: $id) { ${CALL_FIELDS} } }`, {
    id,
  });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data.call;
}

/** Waits until a call has one of the statuses. */
export async function callIn(api: TestApi, token: string, id: string, ...statuses: readonly string[]) {
  let last: unknown;
  await waitFor(
    async () => {
      const { data } = await api.query(
        token,
        'query ($id: ID!) { call(id: $id) { status error { message } } }',
        { id },
      );
      last = data?.call;
      return statuses.includes(data?.call?.status);
    },
    { describe: () => `the call to be ${statuses.join(' or ')}: ${JSON.stringify(last)}` },
  );
  return await readCall(api, token, id);
}
