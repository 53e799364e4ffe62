import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { allInputLeaves, type InputLeaf } from '../support/input-leaves.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';

// From the printed schema: each argument of each mutation gets one bad value, and the error names it as the
// client wrote it.

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const UNRATED = { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' };

let api: TestApi;
let token: string;
/** What workers ask is theirs alone. */
let workerToken: string;
let rows: TenantRows;

beforeAll(async () => {
  api = await startTestApi({ env: UNRATED });
  rows = await makeTenantRows(api, 'fieldmark');
  await api.superuser.query(`update millrace.videos set status = 'uploaded' where id = $1`, [rows.videoId]);
  token = await api.token(rows.tenantId, 'super_admin');
  workerToken = await api.token(rows.tenantId, 'worker');
});
afterAll(() => api.close());

/** What no argument of a type takes; of an enum any other word. */
const BAD: Readonly<Record<string, unknown>> = {
  String: 'a\0b',
  ID: 'a\0b',
  Int: -2_147_483_648,
  Float: -1e300,
  BigInt: '-9223372036854775808',
  Boolean: 'yes',
  DateTime: 'tomorrow',
  JSON: { deep: ['a\0b'] },
};

type Input = Readonly<Record<string, unknown>>;

/** The lease of a job that runs; one that may have files where they are what is asked about. */
async function runningJob(at: string): Promise<Input> {
  const token = randomUUID();
  const { rows: made } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, subject_type, subject_id)
     select $1, id, '{"message": "x"}', $2, $2 from millrace.job_definitions where key = 'echo' returning id`,
    [rows.tenantId, at.startsWith('input.artifacts') ? 'folder' : null],
  );
  const jobUuid = made[0].id;
  await api.superuser.query(
    `update millrace.jobs set status = 'running', run_no = 1, lease_token = $2, claimed_by_worker = 'w', claimed_at = now(),
       started_at = now(), lease_expires_at = now() + interval '1 hour' where id = $1`,
    [jobUuid, token],
  );
  return { jobUuid, runNo: 1, token };
}

/** What is good beside a bad value, where the schema alone does not say. */
const BESIDE: Readonly<Record<string, (rows: TenantRows, at: string) => Input>> = {
  cancelJobs: () => ({ filter: { statuses: ['QUEUED'] } }),
  retryJobs: () => ({ filter: { statuses: ['FAILED'] } }),
  createWebhookEndpoint: () => ({ url: 'https://example.com/hook' }),
  createWebhookSource: (_rows, at) =>
    ['input.eventName', 'input.triggerUuid'].includes(at) ? {} : { eventName: 'a.b' },
  createApiKey: (_rows, at) => (at === 'input.definitionKeys' ? { role: 'WORKER', name: 'w' } : {}),
  createAccessToken: (_rows, at) => (/jobId|videoId/.test(at) ? {} : { ownJobs: true }),
  createTrigger: (_rows, at) => ({ definition: 'echo', ...timesOf(at) }),
  enqueueJob: () => ({ payload: { message: 'x' } }),
  importVideo: () => ({ url: 'https://example.com/a.mp4' }),
  registerVideo: () => ({ key: 'videos/original/01900000-0000-7000-8000-000000000000/a.mp4' }),
  replayJob: ({ jobId }) => ({ id: jobId }),
  deleteTenant: ({ tenantId }) => ({ id: tenantId }),
  submitCall: (_rows, at) =>
    at.startsWith('input.recording.') ? {} : { recording: { url: 'https://example.com/a.wav' } },
  submitLink: () => ({ url: 'https://example.com/a' }),
  requestClip: ({ videoId }) => ({ videoId, startMs: 1, endMs: 900 }),
  updateJob: ({ jobId }) => ({ id: jobId }),
  updateTrigger: ({ triggerId }) => ({ id: triggerId }),
  updateVideo: ({ videoId }) => ({ id: videoId }),
};

/** A trigger has an event or times: what else it takes depends on which. */
function timesOf(at: string): Input {
  if (['input.condition', 'input.dedupeWindowSeconds', 'input.eventName'].includes(at))
    return { eventName: 'order.paid' };
  if (at === 'input.everySeconds') return {};
  return at === 'input.cron' ? {} : { cron: '0 3 * * *', timeZone: 'Europe/Berlin' };
}

/** What a run says of itself is stored without what cannot be, as that of every worker. */
const CLEANED: ReadonlySet<string> = new Set([
  'appendJobLog input.lines.data',
  'appendJobLog input.lines.message',
  'failJob input.message',
  'reportJobProgress input.message',
  'reportJobProgress input.stage',
  'snoozeJob input.reason',
]);

const CASES = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) =>
  allInputLeaves(field.args)
    .filter(({ path }) => !CLEANED.has(`${field.name} ${path}`))
    .map((leaf) => [field.name, leaf.path, field, leaf] as const),
);

interface Named {
  readonly field?: string | null;
  readonly allowed?: string | null;
  readonly code?: string;
}

/** The failures in an answer, whichever form they have. */
async function failuresOf(
  { name, args }: GraphQLField<unknown, unknown>,
  leaf: InputLeaf,
): Promise<readonly Named[]> {
  const bad = leaf.type in BAD ? BAD[leaf.type] : 'NO_SUCH_WORD';
  const { input } = leaf.argumentsWith(leaf.isList ? [bad] : bad) as { input: Input };
  const ofOne = '... on DomainFailure { code field allowed }';
  const ofMany = name === 'enqueueJobs' ? `... on EnqueueJobsPayload { results { ${ofOne} } }` : '';
  const document = `mutation ($input: ${args[0]?.type}) { ${name}(input: $input) { __typename ${ofOne} ${ofMany} } }`;
  const variables = { input: await besideOf(name, leaf, input) };
  const first = await api.query(token, document, variables);
  const isOfWorkers = first.data?.[name]?.allowed === 'WORKER';
  const { data, errors } = isOfWorkers ? await api.query(workerToken, document, variables) : first;
  const answer = data?.[name];
  const top = errors.map(({ extensions }: { extensions?: Named }) => extensions ?? {});
  return [...top, ...(answer?.results ?? []), ...(answer === undefined || answer === null ? [] : [answer])];
}

async function besideOf(name: string, { path }: InputLeaf, input: Input): Promise<Input> {
  const needed = 'lease' in input ? { lease: await runningJob(path) } : {};
  const good = { ...needed, ...BESIDE[name]?.(rows, path) };
  if (name !== 'enqueueJobs') return { ...good, ...input, ...goodIn(good, path) };
  const [job] = input['jobs'] as readonly Input[];
  return { ...input, jobs: [{ payload: { message: 'x' }, ...job }] };
}

/** What the schema's own example stands for; never the bad value. */
function goodIn(good: Input, path: string): Input {
  return Object.fromEntries(Object.entries(good).filter(([key]) => !`${path}.`.startsWith(`input.${key}.`)));
}

const withoutIndices = (path: string): string => path.replaceAll(/\[\d+\]/g, '');

describe('the error about a bad value names its argument as the client wrote it', () => {
  it.each(CASES)('%s: %s', async (_name, path, field, leaf) => {
    const failures = await failuresOf(field, leaf);
    const named = failures.find(
      ({ field: at }) => at != null && `${withoutIndices(at)}.`.startsWith(`${path}.`),
    );
    expect(named, JSON.stringify(failures)).toBeDefined();
    // A list’s value is named by its place.
    if (leaf.isList) expect(named?.field).toMatch(/\[0\]/);
    if (leaf.isEnum) expect(named?.allowed).toMatch(/^[A-Z_]+(, [A-Z_]+)*$/);
  });
});
