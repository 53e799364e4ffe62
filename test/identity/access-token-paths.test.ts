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
import { startTestApi, type TestApi } from '../support/api.ts';
import { exampleArguments, inputLeaves } from '../support/input-leaves.ts';
import { schema } from '../support/schema.ts';
import { openStream } from '../support/sse.ts';
import {
  type ContentRows,
  makeContentRows,
  makeTenantRows,
  type TenantRows,
} from '../support/tenant-rows.ts';
import { askAll, documentsOf, pathOf, selectionOf, shownIn, singlePaths } from './scope-paths.ts';

/** What each kind may use and be shown. Here too, so that a slip there is no slip here. */
interface Reached {
  readonly input: () => string;
  readonly roots: readonly string[];
  readonly types: readonly string[];
  /** Of types that are not all shown. */
  readonly fields: readonly string[];
  /** Fields that it must see, or the test looks at nothing. */
  readonly atLeast: number;
}

const TENANT_FIELDS = ['Tenant.id', 'Tenant.uuid', 'Tenant.slug', 'Tenant.name'];
const DEFINITION_FIELDS = ['JobDefinition.id', 'JobDefinition.key', 'JobDefinition.description'];
const JOB_TYPES = [
  ...['Job', 'JobAttempt', 'JobError', 'JobLogConnection', 'JobLogEdge', 'JobLogEvent', 'JobLogFile'],
  ...['JobLogLine', 'JobProgress', 'JobSubject', 'WaitingFor'],
];
const KINDS: Readonly<Record<string, Reached>> = {
  job: {
    input: () => `jobId: "${ours.jobId}"`,
    roots: ['viewer', 'job', 'node', 'nodes', 'jobChanged', 'jobLog'],
    types: JOB_TYPES,
    fields: [...TENANT_FIELDS, ...DEFINITION_FIELDS],
    atLeast: 30,
  },
  video: {
    input: () => `videoId: "${ours.videoId}"`,
    roots: ['viewer', 'video', 'clip', 'node', 'nodes', 'videoChanged', 'clipChanged'],
    types: [
      ...[
        'Video',
        'VideoUrls',
        'VideoTrack',
        'VideoPipeline',
        'VideoProcessing',
        'PipelineStage',
        'JobError',
        'JobProgress',
        'ProgressPreview',
      ],
      ...['Clip', 'ClipConnection', 'ClipEdge', 'ClipPreview', 'PixelBox'],
      ...['Segment', 'SegmentConnection', 'SegmentEdge', 'SegmentEntity', 'SegmentWord'],
    ],
    fields: TENANT_FIELDS,
    atLeast: 30,
  },
  ownJobs: {
    input: () => 'ownJobs: true',
    roots: [
      ...['viewer', 'job', 'jobs', 'node', 'nodes', 'jobChanged', 'jobChanges', 'jobLog'],
      ...['enqueueJob', 'cancelJob', 'retryJob'],
    ],
    types: [
      ...JOB_TYPES,
      ...['JobConnection', 'JobEdge', 'JobDependency', 'JobUpdated', 'JobLeft', 'JobRemoved', 'FeedReady'],
      'ResyncRequired',
    ],
    fields: [...TENANT_FIELDS, ...DEFINITION_FIELDS],
    atLeast: 30,
  },
  upload: {
    input: () => 'upload: true',
    roots: ['viewer', 'createVideo', 'completeVideoUpload'],
    types: [],
    fields: TENANT_FIELDS,
    atLeast: 5,
  },
};

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
let ours: TenantRows;
/** Of the same tenant, and out of reach of every token here. */
let beyond: ContentRows;
const tokens = new Map<string, string>();
const nonNull = new Map<GraphQLField<unknown, unknown>, GraphQLOutputType>();

beforeAll(async () => {
  api = await startTestApi({ env: UNLIMITED });
  ours = await makeTenantRows(api, 'ours');
  beyond = await makeContentRows(api, ours.tenantId, 'beyond');
  await api.superuser.query(`update millrace.jobs set created_by = 'user:alice' where id = $1`, [ours.jobId]);
  await api.superuser.query(`update millrace.videos set owner_id = 'user:alice' where id = $1`, [
    ours.videoId,
  ]);
  // What is within reach leads to what is not, both ways.
  await api.superuser.query(
    `with dependent as (
       insert into millrace.jobs (tenant_id, definition_id, payload, created_by)
       select $1, definition_id, '{"message": "beyond"}', 'beyond' from millrace.jobs where id = $2 returning id)
     insert into millrace.job_dependencies (tenant_id, job_id, depends_on_id, policy)
     select $1, id, $2, 'run' from dependent union all select $1, $2, $3, 'run'`,
    [ours.tenantId, ours.jobId, beyond.jobId],
  );
  await api.superuser.query(
    `update millrace.jobs set subject_type = 'video', subject_id = $2 where id = $1`,
    [ours.jobId, beyond.videoId],
  );
  const alice = await api.token(ours.tenantId, 'tenant_admin');
  for (const [kind, { input }] of Object.entries(KINDS)) {
    const { data } = await api.query(
      alice,
      `mutation { createAccessToken(input: { ${input()} }) { ... on CreateAccessTokenPayload { token } ... on DomainFailure { message } } }`,
    );
    tokens.set(kind, data.createAccessToken.token);
  }
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

function fieldsOf(name: 'Query' | 'Mutation' | 'Subscription'): readonly GraphQLField<unknown, unknown>[] {
  const type = schema.getType(name);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

const idsOf = (rows: ContentRows) => ({
  Job: rows.jobId,
  Video: rows.videoId,
  Clip: rows.clipId,
  Call: rows.callId,
  Segment: rows.segmentId,
});

function globalIds(): readonly string[] {
  const all = [...Object.entries(idsOf(beyond)), ...Object.entries(idsOf(ours))];
  return [...all, ['Tenant', ours.tenantId], ['ApiKey', ours.apiKeyId]].map(([type, id]) => `${type}:${id}`);
}

/** Each way to call a root field, with what is within reach and with what is not. */
function callsOf(name: string): readonly string[] {
  const byId = (argument: string, key: keyof ContentRows) =>
    [ours, beyond].map((rows) => `(${argument}: "${rows[key]}")`);
  const calls: Readonly<Record<string, readonly string[]>> = {
    bulkAction: [`(id: "${ours.bulkActionId}")`],
    bulkActionChanged: [`(id: "${ours.bulkActionId}")`],
    event: [`(id: "${ours.eventId}")`],
    link: [`(id: "${ours.linkId}")`],
    linkChanged: [`(id: "${ours.linkId}")`],
    searchLinks: ['(query: "talk", mode: WORDS)'],
    trigger: [`(id: "${ours.triggerId}")`],
    schedulePreview: ['(input: { cron: "@daily" })'],
    testTrigger: ['(input: { trigger: { label: "t", definition: "echo", eventName: "a" } })'],
    call: byId('id', 'callId'),
    callChanged: byId('id', 'callId'),
    searchCalls: ['(query: "beyond")'],
    clip: byId('id', 'clipId'),
    clipChanged: byId('id', 'clipId'),
    job: byId('id', 'jobId'),
    jobChanged: byId('id', 'jobId'),
    jobDefinition: ['(key: "echo")'],
    jobLog: byId('jobId', 'jobId'),
    node: globalIds().map((id) => `(id: "${id}")`),
    nodes: [`(ids: ${JSON.stringify(globalIds())})`],
    searchVideos: ['(query: "beyond")'],
    usage: ['(from: "2020-01-01T00:00:00Z", to: "2020-01-31T00:00:00Z")'],
    video: byId('id', 'videoId'),
    videoChanged: byId('id', 'videoId'),
  };
  return calls[name] ?? [''];
}

/** `video` of a job within reach names one that is not by its key alone, as the job itself was given it. */
function expectNothingBeyond(data: unknown, what: string): void {
  const text = JSON.stringify(data ?? null).replaceAll(`"JobSubject_key":"${beyond.videoId}"`, '');
  // What was asked for by its id is null, and its id is in no answer.
  for (const hidden of ['"beyond', ...Object.values(idsOf(beyond))])
    expect(text.includes(hidden) ? `${hidden} in ${text.slice(0, 500)}` : '', what).toBe('');
}

function expectWithin(kind: string, field: string): void {
  const { types, fields } = KINDS[kind] as Reached;
  const typeName = field.split('.')[0] as string;
  const isOpen =
    ['Viewer', 'PageInfo'].includes(typeName) || types.includes(typeName) || fields.includes(field);
  expect(isOpen ? 'within reach' : field).toBe('within reach');
}

const code = (errors: readonly { extensions?: Readonly<Record<string, unknown>> }[]) =>
  errors.map(({ extensions }) => extensions?.['code']);

describe.each(Object.keys(KINDS))('an access token of the kind %s', (kind) => {
  const reached = KINDS[kind] as Reached;
  const token = () => tokens.get(kind) as string;

  it('is shown by queries what it reaches and nothing else of its tenant, by whatever way', async () => {
    const seen = new Set<string>();
    for (const field of fieldsOf('Query'))
      for (const args of callsOf(field.name))
        for (const asked of documentsOf(schema, field)) {
          const document = `{ root: ${field.name}${args} ${selectionOf(asked)} }`;
          const { data, errors } = await api.query(token(), document);
          expectNothingBeyond(data, document);
          if (!reached.roots.includes(field.name)) {
            expect(data?.root ?? null, document).toBeNull();
            expect(code(errors), document).toContain('FORBIDDEN');
          }
          // A document that is not run at all would prove nothing.
          expect(
            code(errors).filter((each) => each !== 'FORBIDDEN'),
            document,
          ).toEqual([]);
          for (const shown of shownIn(data?.root, asked)) seen.add(shown);
        }
    for (const field of seen) expectWithin(kind, field);
    expect(seen.size).toBeGreaterThan(reached.atLeast);
  });

  it('is sent by streams what it reaches and nothing else of its tenant', async () => {
    let events = 0;
    for (const field of fieldsOf('Subscription'))
      for (const args of callsOf(field.name))
        for (const asked of documentsOf(schema, field)) {
          const document = `subscription { root: ${field.name}${args} ${selectionOf(asked)} }`;
          const stream = await openStream(api.server.graphqlUrl, token(), document);
          await stream.next(() => true, `an answer to ${document}`);
          for (const { data, errors } of stream.received) {
            expectNothingBeyond(data, document);
            if (data?.root != null) events++;
            if (reached.roots.includes(field.name)) {
              for (const shown of shownIn(data?.root, asked)) expectWithin(kind, shown);
            } else {
              expect(data?.root ?? null, document).toBeNull();
              expect(code(errors ?? []), document).toContain('FORBIDDEN');
            }
          }
          stream.stop();
        }
    expect(events > 0).toBe(kind !== 'upload');
  });

  it('is refused every other mutation, and one that would answer with what it may not see, before it is run', async () => {
    const before = await writtenRows();
    for (const field of fieldsOf('Mutation')) {
      const values = inputLeaves(field.args)[0];
      const variables =
        values === undefined ? exampleArguments(field.args) : values.argumentsWith(values.example);
      const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
      const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const [head, call] = field.args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
      const paths = singlePaths(askAll(schema, getNamedType(field.type)));
      const closed = reached.roots.includes(field.name)
        ? paths.filter((path) => path.some(({ typeName, fieldName }) => isClosed(kind, typeName, fieldName)))
        : paths.slice(0, 1);
      for (const path of closed.slice(0, 60)) {
        const document = `mutation ${head} { ${field.name}${call} ${selectionOf([pathOf(path)])} }`;
        const { errors } = await api.query(token(), document, variables);
        expect(code(errors), document).toEqual(['FORBIDDEN']);
        expect(errors[0]?.message, document).toMatch(/^This access token may not /);
      }
    }
    expect(await writtenRows()).toEqual(before);
  });
});

/** Types that mutations answer with are for those who may use the mutation. */
const ANSWER = /(Payload|Error|PayloadProblem|UploadTarget|UploadHeader|ResumableUpload)$/;

function isClosed(kind: string, typeName: string, fieldName: string): boolean {
  const { types, fields } = KINDS[kind] as Reached;
  if (types.includes(typeName) || (ANSWER.test(typeName) && typeName !== 'JobError')) return false;
  const receipts = ['id', 'uuid', 'status'].includes(fieldName);
  if (kind === 'upload' && receipts && ['Job', 'Video'].includes(typeName)) return false;
  if (['Viewer', 'PageInfo', 'JobError'].includes(typeName)) return false;
  return !fields.includes(`${typeName}.${fieldName}`);
}

async function writtenRows(): Promise<unknown> {
  const { rows: found } = await api.superuser.query(
    `select (select count(*) from millrace.jobs) as jobs, (select max(version) from millrace.jobs) as version,
       (select count(*) from millrace.videos) as videos, (select count(*) from millrace.clips) as clips, (select count(*) from millrace.calls) as calls,
       (select count(*) from millrace.api_keys) as keys, (select count(*) from millrace.audit_log) as audit`,
  );
  return found[0];
}
