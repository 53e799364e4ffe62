import {
  type GraphQLField,
  GraphQLList,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../src/core/scopes.ts';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { inputLeaves } from '../support/input-leaves.ts';
import { schema } from '../support/schema.ts';
import { openStream } from '../support/sse.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';
import { HOLDS_NOTHING, NEEDS, OPEN } from './scope-needs.ts';
import { type Asked, askAll, documentsOf, pathOf, selectionOf, shownIn, singlePaths } from './scope-paths.ts';

/** So that each way can be asked for, whatever it would cost. */
const UNLIMITED = {
  MILLRACE_MAX_DEPTH: '50',
  MILLRACE_MAX_FIELDS: '1000',
  MILLRACE_MAX_ALIASES: '1000',
  MILLRACE_MAX_REPEATS: '1000',
  MILLRACE_MAX_COMPLEXITY: '10000000',
  MILLRACE_CALLER_COST_PER_SECOND: '0',
  MILLRACE_TENANT_COST_PER_SECOND: '0',
};

let api: TestApi;
let rows: TenantRows;
const nonNull = new Map<GraphQLField<unknown, unknown>, GraphQLOutputType>();

beforeAll(async () => {
  api = await startTestApi({ env: UNLIMITED });
  rows = await makeTenantRows(api, 'ours');
  await api.superuser.query(
    `with endpoint as (
       insert into millrace.webhook_endpoints (tenant_id, label, url) values ($1, 'e', 'https://example.com') returning id
     ), source as (
       insert into millrace.webhook_sources (tenant_id, label, event_name, verification) values ($1, 's', 'a.b', 'token')
     )
     insert into millrace.webhook_deliveries (tenant_id, endpoint_id, job_id, run_no, message_id, event_name, outcome)
     select $1, id, $2, 1, 'm', 'a.b', 'failed' from endpoint`,
    [rows.tenantId, rows.jobId],
  );
  await api.superuser.query(
    `with other as (
       insert into millrace.jobs (tenant_id, definition_id, payload, created_by)
       select $1, definition_id, payload, 'x' from millrace.jobs where id = $2 returning id)
     insert into millrace.job_dependencies (tenant_id, job_id, depends_on_id, policy)
     select $1, id, $2, 'run' from other`,
    [rows.tenantId, rows.jobId],
  );
  await api.superuser.query(`update millrace.job_progress set percent = 5 where job_id = $1`, [rows.jobId]);
  // Only a video that is there has tracks.
  await api.superuser.query(`update millrace.videos set status = 'ready' where id = $1`, [rows.videoId]);
  // A field that is refused must not take those beside it out of the answer, or they could not be looked at.
  for (const type of Object.values(schema.getTypeMap()))
    if ((isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) {
        nonNull.set(field, field.type);
        field.type = nullable(field.type);
      }
});
afterAll(async () => {
  for (const [field, type] of nonNull) field.type = type;
  await api.close();
});

function nullable(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return nullable(type.ofType as GraphQLOutputType);
  return isListType(type) ? new GraphQLList(nullable(type.ofType as GraphQLOutputType)) : type;
}

async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const key = newApiKey();
  await api.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, role, key_hash, scopes) values ($1, 'k', 'tenant_admin', $2, $3)`,
    [rows.tenantId, hashApiKey(key), scopes],
  );
  return key;
}

const maySee = (scope: Scope, field: string): boolean => {
  const needed = NEEDS[field.split('.')[0] as string];
  return needed === undefined || needed.includes(scope) || OPEN.includes(field);
};

const READS = (): Readonly<Record<string, readonly string[]>> => ({
  auditLog: [''],
  bulkAction: [`(id: "${rows.bulkActionId}")`],
  bulkActions: [''],
  call: [`(id: "${rows.callId}")`],
  calls: [''],
  searchCalls: ['(query: "ours")'],
  clip: [`(id: "${rows.clipId}")`],
  job: [`(id: "${rows.jobId}")`],
  jobDefinition: ['(key: "echo")'],
  jobDefinitions: [''],
  jobStatistics: [''],
  jobSummary: [''],
  jobs: [''],
  node: [`(id: "Segment:${rows.segmentId}")`],
  nodes: [`(ids: ${JSON.stringify(globalIds())})`],
  searchVideos: ['(query: "ours")'],
  tenant: [''],
  usage: ['(from: "2020-01-01T00:00:00Z", to: "2020-01-31T00:00:00Z")'],
  webhookEndpoints: [''],
  webhookSources: [''],
  video: [`(id: "${rows.videoId}")`],
  videos: [''],
  viewer: [''],
  event: [`(id: "${rows.eventId}")`],
  events: [''],
  schedulePreview: ['(input: { cron: "@daily" })'],
  testTrigger: ['(input: { trigger: { label: "t", definition: "echo", eventName: "a" } })'],
  trigger: [`(id: "${rows.triggerId}")`],
  triggers: [''],
  tenants: [''],
  link: [`(id: "${rows.linkId}")`],
  links: [''],
  searchLinks: ['(query: "talk", mode: WORDS)'],
  workers: [''],
});

const STREAMS = (): Readonly<Record<string, string>> => ({
  bulkActionChanged: `(id: "${rows.bulkActionId}")`,
  callChanged: `(id: "${rows.callId}")`,
  callChanges: '',
  clipChanged: `(id: "${rows.clipId}")`,
  clipChanges: '',
  jobChanged: `(id: "${rows.jobId}")`,
  jobChanges: '',
  jobLog: `(jobId: "${rows.jobId}")`,
  jobSummary: '',
  linkChanged: `(id: "${rows.linkId}")`,
  videoChanged: `(id: "${rows.videoId}")`,
  videoChanges: '',
  workersChanged: '',
});

function globalIds(): readonly string[] {
  const { jobId, videoId, clipId, callId, segmentId, apiKeyId, tenantId } = rows;
  const ids = {
    Job: jobId,
    Video: videoId,
    Clip: clipId,
    Call: callId,
    Segment: segmentId,
    ApiKey: apiKeyId,
    Tenant: tenantId,
  };
  return Object.entries(ids).map(([type, id]) => `${type}:${id}`);
}

function fieldsOf(name: 'Query' | 'Mutation' | 'Subscription'): readonly GraphQLField<unknown, unknown>[] {
  const type = schema.getType(name);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

/** What a key is shown, by all root fields. */
async function seenThroughQueries(key: string): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (const field of fieldsOf('Query'))
    for (const args of READS()[field.name] ?? [])
      for (const asked of documentsOf(schema, field)) {
        const { data, errors } = await api.query(key, `{ root: ${field.name}${args} ${selectionOf(asked)} }`);
        // A document that is not run at all would prove nothing.
        const refused = errors.filter(({ extensions }) => extensions?.['code'] !== 'FORBIDDEN');
        expect(refused, `${field.name}: ${selectionOf(asked)}`).toEqual([]);
        for (const shown of shownIn(data?.root, asked)) seen.add(shown);
      }
  return seen;
}

/**
 * What a key is shown by the first events of all streams, until one says that it is complete or nothing more
 * comes.
 */
async function seenThroughStreams(key: string): Promise<ReadonlySet<string>> {
  const documents = fieldsOf('Subscription').flatMap((field) =>
    documentsOf(schema, field).map((asked) => ({ field, asked })),
  );
  // All at once: each waits for the feed, and together they wait once.
  const seen = await Promise.all(documents.map(({ field, asked }) => seenThroughStream(key, field, asked)));
  return new Set(seen.flat());
}

async function seenThroughStream(
  key: string,
  field: GraphQLField<unknown, unknown>,
  asked: readonly Asked[],
): Promise<readonly string[]> {
  const document = `subscription { root: ${field.name}${STREAMS()[field.name]} ${selectionOf(asked)} }`;
  const stream = await openStream(api.server.graphqlUrl, key, document);
  await stream.next(() => true, `an answer to ${document}`);
  // One that is not opened at all would prove nothing.
  const refused = stream.received.flatMap(({ errors = [] }) => errors);
  expect(
    refused.filter(({ extensions }) => extensions?.['code'] !== 'FORBIDDEN'),
    document,
  ).toEqual([]);
  stream.stop();
  return stream.received.flatMap(({ data }) => shownIn(data?.root, asked));
}

const typesOf = (seen: ReadonlySet<string>) =>
  new Set([...seen].filter((field) => !OPEN.includes(field)).map((field) => field.split('.')[0]));

describe('the test', () => {
  it('knows of every type whether its fields are for all keys, and every way in', () => {
    const unknown = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !HOLDS_NOTHING.test(type.name) && !(type.name in NEEDS),
    );
    expect(unknown.map(({ name }) => name)).toEqual([]);
    for (const [type, paths] of [
      ['Query', READS()],
      ['Subscription', STREAMS()],
    ] as const)
      expect(Object.keys(paths).toSorted()).toEqual(
        fieldsOf(type)
          .map(({ name }) => name)
          .toSorted(),
      );
  });

  it('reaches nearly all types by its queries and streams with a key that is not narrowed', async () => {
    const key = await keyWith([]);
    const types = new Set([
      ...typesOf(await seenThroughQueries(key)),
      ...typesOf(await seenThroughStreams(key)),
    ]);
    // Of these there is no row here, or a file.
    const unmet = [
      ...[
        'CallActionItem',
        'CallAnalysisCost',
        'CallEntity',
        'CallInterruption',
        'CallQuestion',
        'CallSilence',
      ],
      ...[
        'CallSpeakerStatistics',
        'ClipPreview',
        'JobLogFile',
        'Member',
        'PipelineStage',
        'RateLimit',
        'SimilarLink',
      ],
      // For super admins, which no key's role is.
      'TenantQueue',
      ...[
        'UsageAmount',
        'UsageDay',
        'UsageOutcomeRuns',
        'VideoPipeline',
        'Worker',
        'WorkerJobType',
        'WorkerRuns',
      ],
    ];
    expect(Object.keys(NEEDS).filter((type) => !types.has(type) && !unmet.includes(type))).toEqual([]);
  });
});

describe.each(SCOPES)('a key with %s alone', (scope) => {
  it('is shown nothing of another scope, by whatever way it asks', async () => {
    const key = await keyWith([scope]);
    const seen = [...(await seenThroughQueries(key))];
    expect(seen.filter((field) => !maySee(scope, field))).toEqual([]);
    if (scope.endsWith(':read') || scope === 'admin')
      expect(seen.filter((field) => maySee(scope, field) && !OPEN.includes(field)).length).toBeGreaterThan(
        10,
      );
  });

  it('is sent nothing of another scope by a stream', async () => {
    const key = await keyWith([scope]);
    const seen = [...(await seenThroughStreams(key))];
    expect(seen.filter((field) => !maySee(scope, field))).toEqual([]);
  });

  it('is refused a mutation that would answer with what it may not see, before it is run', async () => {
    const key = await keyWith([scope]);
    const before = await writtenRows();
    const askedOnce = new Set<string>();
    for (const field of fieldsOf('Mutation')) {
      const values = inputLeaves(field.args)[0];
      const variables = values === undefined ? {} : values.argumentsWith(values.example);
      const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
      const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      // One field of each hidden type is asked for by each mutation, and each hidden field by one.
      const asked = new Set<string>();
      const head = field.args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
      for (const path of singlePaths(askAll(schema, getNamedType(field.type)))) {
        const hidden = path.find(({ typeName, fieldName }) => !maySee(scope, `${typeName}.${fieldName}`));
        const shown = hidden === undefined ? '' : `${hidden.typeName}.${hidden.fieldName}`;
        if (hidden === undefined || (asked.has(hidden.typeName) && askedOnce.has(shown))) continue;
        asked.add(hidden.typeName);
        askedOnce.add(shown);
        const document = `mutation ${head[0]} { ${field.name}${head[1]} ${selectionOf([pathOf(path)])} }`;
        const { errors } = await api.query(key, document, variables);
        expect(errors[0]?.extensions, document).toMatchObject({ code: 'FORBIDDEN' });
        expect(errors[0]?.message, document).toMatch(/^This API key may not read \w+\.\w+: its scopes are/);
      }
    }
    expect(await writtenRows()).toEqual(before);
  });
});

async function writtenRows(): Promise<unknown> {
  const { rows: found } = await api.superuser.query(
    `select (select count(*) from millrace.jobs) as jobs, (select max(version) from millrace.jobs) as version,
       (select count(*) from millrace.videos) as videos, (select count(*) from millrace.clips) as clips, (select count(*) from millrace.calls) as calls,
       (select count(*) from millrace.audit_log) as audit`,
  );
  return found[0];
}

describe('what a key has just written', () => {
  it('is shown to it by its ids and status', async () => {
    const jobs = await keyWith(['jobs:write']);
    const enqueued = await api.query(
      jobs,
      `mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) {
        ... on EnqueueJobPayload { jobId job { id uuid status } } } }`,
    );
    expect(enqueued.data.enqueueJob.job).toMatchObject({ status: 'QUEUED' });
    const videos = await keyWith(['videos:write']);
    const made = await api.query(
      videos,
      'mutation { createVideo(input: { title: "x" }) { ... on CreateVideoPayload { video { id uuid status } upload { url } } } }',
    );
    expect(made.data.createVideo.video).toMatchObject({ status: 'AWAITING_UPLOAD' });
  });
});
