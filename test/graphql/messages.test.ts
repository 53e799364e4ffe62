import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { NO_MANIFEST } from '../../src/graphql/prepare/manifest.ts';
import { Preparer } from '../../src/graphql/prepare/preparer.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { schema } from '../support/schema.ts';

let api: TestApi;
let tenantId: string;
let member: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  [member, admin] = await Promise.all([api.token(tenantId, 'member'), api.token(tenantId, 'tenant_admin')]);
});
afterAll(() => api.close());

const identityOf = (id: string): Identity => ({
  actor: { tenantId: id, role: 'member', name: 'user:a', expiresAt: null, credentialId: null, scopes: null },
  credential: {
    tenantId: id,
    role: 'member',
    subject: 'a',
    credentialId: null,
    issuedAt: null,
    expiresAt: null,
    scopes: null,
    persistedOnly: false,
  },
  persistedOnly: false,
  key: 'a',
});

const FAILURE = '... on DomainFailure { code message field allowed }';

describe('what is allowed is written as the enums write it', () => {
  it('for the role that a mutation takes', async () => {
    const answer = await api.query(
      member,
      `mutation { cancelJobs(input: { filter: { statuses: [QUEUED] } }) { ${FAILURE} } }`,
    );
    expect(answer.data.cancelJobs).toMatchObject({ code: 'FORBIDDEN', allowed: 'TENANT_ADMIN' });
    expect(answer.data.cancelJobs.message).toMatch(/^Role MEMBER may not .*; it takes TENANT_ADMIN\.$/);
  });

  it('for the role that a field takes, in an error at the top', async () => {
    const { errors } = await api.query(member, '{ auditLog { nodes { id } } }');
    expect(errors[0]?.message).toMatch(/^Role MEMBER may not .*; it takes TENANT_ADMIN\.$/);
    expect(errors[0]?.extensions).toEqual({ code: 'FORBIDDEN', allowed: 'TENANT_ADMIN' });
  });

  it('for the states in which a job is canceled, retried and changed', async () => {
    const enqueued = await api.query(
      member,
      'mutation { enqueueJob(input: { definition: "echo", payload: { message: "a" } }) { ... on EnqueueJobPayload { job { id } } } }',
    );
    const { id } = enqueued.data.enqueueJob.job;
    const run = (verb: string, extra = '') =>
      api
        .query(admin, `mutation ($id: ID!) { ${verb}(input: { id: $id ${extra} }) { ${FAILURE} } }`, { id })
        .then(({ data }) => data[verb]);
    expect(await run('retryJob')).toMatchObject({
      code: 'WRONG_STATE',
      allowed: 'FAILED, DEAD_LETTER, CANCELED',
    });
    await run('cancelJob');
    expect(await run('cancelJob')).toMatchObject({ code: 'WRONG_STATE', allowed: 'QUEUED, RUNNING' });
    const changed = await run('updateJob', ', priority: 1');
    expect(changed).toMatchObject({ code: 'WRONG_STATE', allowed: 'QUEUED' });
    expect(changed.message).toMatch(/ is CANCELED; .* only of a QUEUED one\.$/);
  });

  it('for the scopes of a narrowed key, and for the roles that a key may have', async () => {
    const create = (input: string) =>
      api.query(
        admin,
        `mutation { createApiKey(input: ${input}) { __typename ${FAILURE} ... on CreateApiKeyPayload { secret } } }`,
      );
    const narrow = await create('{ name: "reader", role: MEMBER, scopes: [VIDEOS_READ] }');
    const { errors } = await api.query(narrow.data.createApiKey.secret, '{ jobs { nodes { id } } }');
    expect(errors[0]?.extensions).toEqual({ code: 'FORBIDDEN', allowed: 'JOBS_READ' });
    expect(errors[0]?.message).toContain('its scopes are VIDEOS_READ; it takes JOBS_READ');
    expect((await create('{ name: "king", role: SUPER_ADMIN }')).data.createApiKey).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.role',
      allowed: 'for you: WORKER, MEMBER, TENANT_ADMIN',
    });
  });
});

const ENQUEUE = (input: string) =>
  `mutation { enqueueJob(input: { definition: "echo" ${input} }) { __typename } }`;
const STATUSES = 'CANCELED, DEAD_LETTER, FAILED, QUEUED, RUNNING, SUCCEEDED';

describe('a value that is not of its type', () => {
  it.each([
    [
      'a time',
      ENQUEUE(', scheduledFor: "tomorrow"'),
      {},
      'input.scheduledFor',
      'RFC 3339 text with a time zone',
    ],
    [
      'a time in a variable',
      'mutation ($in: EnqueueJobInput!) { enqueueJob(input: $in) { __typename } }',
      { in: { definition: 'echo', scheduledFor: 'tomorrow' } },
      'in.scheduledFor',
      'RFC 3339 text with a time zone',
    ],
    [
      'a time in a list',
      'mutation { enqueueJobs(input: { jobs: [{ definition: "a" }, { definition: "b", expiresAt: "x" }] }) { __typename } }',
      {},
      'input.jobs[1].expiresAt',
      'RFC 3339 text with a time zone',
    ],
    [
      'a time in a list in a variable',
      'mutation ($jobs: [EnqueueJobInput!]!) { enqueueJobs(input: { jobs: $jobs }) { __typename } }',
      { jobs: [{ definition: 'a' }, { definition: 'b', expiresAt: 'x' }] },
      'jobs[1].expiresAt',
      'RFC 3339 text with a time zone',
    ],
    [
      'a value of an enum',
      '{ jobs(filter: { statuses: [FAILED, DONE] }) { nodes { id } } }',
      {},
      'filter.statuses[1]',
      STATUSES,
    ],
    [
      'a value of an enum in a variable',
      'query ($filter: JobFilter) { jobs(filter: $filter) { nodes { id } } }',
      { filter: { statuses: ['DONE'] } },
      'filter.statuses[0]',
      STATUSES,
    ],
    [
      'an enum as text',
      '{ jobs(filter: { statuses: "FAILED" }) { nodes { id } } }',
      {},
      'filter.statuses',
      STATUSES,
    ],
    [
      'a choice of two',
      'mutation { revokeTokens(input: { subject: "a", jti: "b" }) { __typename } }',
      {},
      'input',
      'exactly one of jti, subject',
    ],
    [
      'a choice of none, in a variable',
      'mutation ($input: RevokeTokensInput!) { revokeTokens(input: $input) { __typename } }',
      { input: {} },
      'input',
      'exactly one of jti, subject',
    ],
  ])(
    'is named by its field and its place, with what is allowed: %s',
    async (_what, query, variables, field, allowed) => {
      const { errors } = await api.query(admin, query, variables);
      expect(errors[0]?.extensions).toMatchObject({ field, allowed });
      expect(errors[0]).toMatchObject({ locations: [expect.anything()] });
      expect(errors[0]?.message.toLowerCase()).toContain(`allowed: ${allowed}`.toLowerCase());
    },
  );

  it('has its field, but names nothing of the schema where the schema is not given out', () => {
    const preparer = new Preparer(schema, loadConfig({ MILLRACE_INTROSPECTION: 'never' }), NO_MANIFEST);
    for (const request of [
      { query: '{ jobs(filter: { statuses: DONE }) { nodes { id } } }' },
      {
        query: 'query ($filter: JobFilter) { jobs(filter: $filter) { nodes { id } } }',
        variables: { filter: { statuses: 'DONE' } },
      },
    ]) {
      const answer = preparer.prepare(request, identityOf(tenantId));
      const [error] = Array.isArray(answer) ? answer : [];
      expect(error?.extensions).toMatchObject({ field: 'filter.statuses' });
      expect(JSON.stringify(error)).not.toMatch(/QUEUED|DEAD_LETTER/);
    }
  });
});

describe('an unknown definition', () => {
  const enqueue = async (token: string, definition: string) => {
    const answer = await api.query(
      token,
      `mutation ($d: String!) { enqueueJob(input: { definition: $d }) { ${FAILURE} } }`,
      { d: definition },
    );
    return answer.data.enqueueJob;
  };

  it('is answered with a guess and with what the caller may enqueue', async () => {
    await api.superuser.query(
      `insert into millrace.job_definitions (key, enqueue_role) values ('echo_strong', 'tenant_admin'), ('echo_inner', 'system')`,
    );
    const mistyped = await enqueue(member, 'ehco');
    expect(mistyped).toMatchObject({ code: 'UNKNOWN_DEFINITION', field: 'input.definition' });
    expect(mistyped.message).toBe('There is no job definition "ehco". Did you mean "echo"?');
    expect(mistyped.allowed.split(', ')).toContain('echo');
    expect(mistyped.allowed).not.toMatch(/echo_strong|echo_inner/);
    const theirs = await enqueue(admin, 'echo_stron');
    expect(theirs.message).toContain('Did you mean "echo_strong"?');
    expect(theirs.allowed).not.toContain('echo_inner');
    expect((await enqueue(member, 'echo_stron')).message).not.toContain('echo_strong');
    expect((await enqueue(member, 'x'.repeat(100_000))).message).not.toContain('Did you mean');
  });

  it('is answered with a guess in filters and where a definition is changed, too', async () => {
    const ask = async (document: string, token = member) => (await api.query(token, document)).errors[0];
    for (const [at, document] of [
      '{ jobs(filter: { definitions: ["ehco"] }) { nodes { id } } }',
      '{ jobs(filter: { definitions: ["echo", "ehco"] }) { nodes { id } } }',
    ].entries())
      expect(await ask(document)).toMatchObject({
        message: 'There is no job definition "ehco". Did you mean "echo"?',
        extensions: { code: 'UNKNOWN_DEFINITION', field: `filter.definitions[${at}]` },
      });
    const root = await api.token(tenantId, 'super_admin');
    const { data } = await api.query(
      root,
      `mutation { pauseJobDefinition(input: { definition: "ehco" }) { ${FAILURE} } }`,
    );
    expect(data.pauseJobDefinition).toMatchObject({
      code: 'UNKNOWN_DEFINITION',
      message: 'There is no job definition "ehco". Did you mean "echo"?',
    });
  });

  it('has a guess among many jobs, and a list of at most twenty', async () => {
    await api.superuser.query(
      `insert into millrace.job_definitions (key, enqueue_role) select 'kind_' || lpad(n::text, 3, '0'), 'member' from generate_series(1, 300) n`,
    );
    const { data } = await api.query(
      member,
      `mutation { enqueueJobs(input: { jobs: [{ definition: "ehco" }, { definition: "echo", payload: { message: "a" } }] }) {
        ... on EnqueueJobsPayload { results { __typename ${FAILURE} } } } }`,
    );
    const [wrong, right] = data.enqueueJobs.results;
    expect(wrong).toMatchObject({ code: 'UNKNOWN_DEFINITION', field: 'input.jobs[0].definition' });
    expect(wrong.message).toContain('Did you mean "echo"?');
    expect(wrong.allowed.split(', ')).toHaveLength(21);
    expect(right.__typename).toBe('EnqueueJobPayload');
  });
});
