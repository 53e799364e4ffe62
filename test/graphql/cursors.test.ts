import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeGlobalId } from '../../src/graphql/ids.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { makeTenantRows, type TenantRows } from '../support/tenant-rows.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

interface List {
  readonly coordinate: string;
  /** `after`, and `before` where it goes both ways. */
  readonly cursorArguments: readonly string[];
  /** The document that reads it with what is between the parentheses. */
  document(rows: TenantRows, args: string): string;
}

/** Of the types that have lists below them, one row. */
const ROWS: Readonly<Record<string, (rows: TenantRows) => string>> = {
  Job: ({ jobId }) => jobId,
  Tenant: ({ tenantId }) => tenantId,
  Video: ({ videoId }) => videoId,
  Call: ({ callId }) => callId,
  Event: ({ eventId }) => eventId,
  Trigger: ({ triggerId }) => triggerId,
};

/** What a list must be given beside its page. */
const ARGUMENTS: Readonly<Record<string, string>> = { 'Query.searchCalls': 'query: "cursormark"' };

let api: TestApi;
let admin: string;
/** Two rows of each kind: the second has lists of its own. */
let one: TenantRows;
let videoTwo: string;

beforeAll(async () => {
  api = await startTestApi();
  one = await makeTenantRows(api, 'cursormark');
  await api.superuser.query(
    `insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, 'alice', 'tenant_admin')`,
    [one.tenantId],
  );
  const { rows } = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status, owner_id)
     values ($1, 'another', 'videos/original/another', 'awaiting_upload', 'alice') returning id`,
    [one.tenantId],
  );
  videoTwo = rows[0].id;
  admin = await api.token(one.tenantId, 'super_admin');
});
afterAll(() => api.close());

function listsOfSchema(): readonly List[] {
  const lists: List[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name === 'Subscription') continue;
    for (const field of Object.values(type.getFields()))
      if (isConnection(field)) lists.push(listOf(type.name, field));
  }
  return lists;
}

function isConnection(field: GraphQLField<unknown, unknown>): boolean {
  const type = getNamedType(field.type);
  return isObjectType(type) && 'pageInfo' in type.getFields() && 'edges' in type.getFields();
}

function listOf(parent: string, { name, args }: GraphQLField<unknown, unknown>): List {
  return {
    coordinate: `${parent}.${name}`,
    cursorArguments: args.map((arg) => arg.name).filter((arg) => arg === 'after' || arg === 'before'),
    document: (rows, given) => {
      const needed = ARGUMENTS[`${parent}.${name}`];
      const all = needed === undefined ? given : `${needed}, ${given}`;
      const list = `list: ${name}(${all}) { edges { cursor } }`;
      if (parent === 'Query') return `{ ${list} }`;
      if (parent === 'WebhookEndpoint') return `{ webhookEndpoints(first: 1) { nodes { ${list} } } }`;
      const row = ROWS[parent];
      if (row === undefined) throw new Error(`No row of ${parent} is known, whose lists are to be read`);
      const id = encodeGlobalId(parent, row(rows));
      return `{ node(id: ${JSON.stringify(id)}) { ... on ${parent} { ${list} } } }`;
    },
  };
}

async function read(document: string) {
  const answer = await api.query(admin, document);
  return {
    ...answer,
    list:
      answer.data?.list ?? answer.data?.node?.list ?? answer.data?.webhookEndpoints?.nodes?.[0]?.list ?? null,
  };
}

async function cursorIn(list: List): Promise<string> {
  const { list: page, errors } = await read(list.document(one, 'first: 1'));
  expect(errors, list.coordinate).toEqual([]);
  expect(page?.edges, `${list.coordinate} has a row`).toHaveLength(1);
  return page.edges[0].cursor;
}

test('each list of the schema takes its own cursors and refuses those of every other, naming the argument', async () => {
  const lists = listsOfSchema();
  expect(lists.length).toBeGreaterThanOrEqual(10);
  const cursors = new Map<string, string>();
  for (const list of lists) cursors.set(list.coordinate, await cursorIn(list));
  for (const list of lists)
    for (const [owner, cursor] of cursors)
      for (const argument of list.cursorArguments) {
        const { errors } = await read(list.document(one, `${argument}: ${JSON.stringify(cursor)}`));
        const label = `a cursor of ${owner} as ${list.coordinate}(${argument}:)`;
        if (owner === list.coordinate) expect(errors, label).toEqual([]);
        else
          expect(errors, label).toMatchObject([
            { extensions: { code: 'INVALID_ARGUMENT', field: argument } },
          ]);
      }
});

test('a list that belongs to a row refuses the cursors of another row’s list', async () => {
  for (const list of listsOfSchema().filter(({ coordinate }) => coordinate.startsWith('Video.'))) {
    const cursor = await cursorIn(list);
    const { errors } = await read(
      list.document({ ...one, videoId: videoTwo }, `after: ${JSON.stringify(cursor)}`),
    );
    expect(errors, list.coordinate).toMatchObject([
      { extensions: { code: 'INVALID_ARGUMENT', field: 'after' } },
    ]);
  }
});

test('the bulk verbs refuse a cursor of the list of jobs, which has another order', async () => {
  const jobs = listsOfSchema().find(({ coordinate }) => coordinate === 'Query.jobs') as List;
  const { data, errors } = await api.query(
    admin,
    `mutation ($after: String) {
       retryJobs(input: { filter: { correlationId: "cursormark" }, after: $after }) {
         __typename ... on InvalidArgumentError { field }
       }
     }`,
    { after: await cursorIn(jobs) },
  );
  expect({ data, errors }).toMatchObject({ data: { retryJobs: { field: 'input.after' } }, errors: [] });
});
