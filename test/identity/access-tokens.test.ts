import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endBoth, watchingSeconds, watchTwice } from '../graphql/subscriptions/watch-twice.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openStream } from '../support/sse.ts';
import { makeContentRows } from '../support/tenant-rows.ts';
import { waitFor } from '../support/wait.ts';

const CREATE = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { __typename
  ... on CreateAccessTokenPayload { token jti expiresAt } ... on DomainFailure { code message field allowed } } }`;
const REVOKE = `mutation ($jti: String!) { revokeAccessToken(input: { jti: $jti }) { __typename
  ... on RevokeAccessTokenPayload { jti } ... on DomainFailure { code field } } }`;
const ENQUEUE = `mutation ($input: EnqueueJobInput!) { enqueueJob(input: $input) { __typename
  ... on EnqueueJobPayload { jobId job { id createdBy status } } ... on DomainFailure { code field message } } }`;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

interface Made {
  readonly token: string;
  readonly jti: string;
  readonly expiresAt: string;
}

async function create(by: string, input: object, headers: object = {}): Promise<Made> {
  const { data, errors } = await api.query(by, CREATE, { input }, headers);
  expect(errors).toEqual([]);
  expect(data.createAccessToken).toMatchObject({ __typename: 'CreateAccessTokenPayload' });
  return data.createAccessToken;
}

const refusal = async (by: string, input: object) =>
  (await api.query(by, CREATE, { input })).data.createAccessToken;

async function newTenant() {
  const tenantId = await api.makeTenant();
  const admin = await api.token(tenantId, 'tenant_admin', { subject: 'admin' });
  return { tenantId, admin, alice: await api.token(tenantId, 'member', { subject: 'alice' }) };
}

async function newKey(admin: string, more = '') {
  const { data } = await api.query(
    admin,
    `mutation { createApiKey(input: { name: "backend", role: TENANT_ADMIN ${more} }) { ... on CreateApiKeyPayload { secret apiKey { uuid } } } }`,
  );
  return { secret: data.createApiKey.secret as string, id: data.createApiKey.apiKey.uuid as string };
}

async function enqueue(token: string, more: object = {}): Promise<string> {
  const input = { definition: 'echo', payload: { message: 'x' }, ...more };
  return (await api.query(token, ENQUEUE, { input })).data.enqueueJob.jobId;
}

const messageOf = async (token: string, headers: object = {}) =>
  (await api.query(token, '{ viewer { name } }', {}, headers)).errors[0]?.message ?? 'good';

describe('createAccessToken', () => {
  it('makes a token of fifteen minutes that says whom it speaks for, and no longer than its minter', async () => {
    const { tenantId } = await newTenant();
    const alice = await api.token(tenantId, 'member', { ttlSeconds: 600 });
    const { token, jti, expiresAt } = await create(alice, { ownJobs: true, ttlSeconds: null });
    expect(token).toMatch(/^mra_/);
    expect(jti).toMatch(/^at-/);
    // Its minter's token ends in ten minutes.
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    const { data } = await api.query(token, '{ viewer { name role scopes expiresAt } }');
    expect(data.viewer).toEqual({
      name: 'user:alice',
      role: 'MEMBER',
      scopes: ['JOBS_READ', 'JOBS_WRITE'],
      expiresAt,
    });
    const long = await api.token(tenantId, 'member', { ttlSeconds: null });
    const lasts = Date.parse((await create(long, { ownJobs: true })).expiresAt) - Date.now();
    expect(lasts).toBeGreaterThan(800_000);
    expect(lasts).toBeLessThanOrEqual(900_000);
    // Nothing in it can be read, not even whose it is.
    expect(Buffer.from(token.split('.').join(''), 'base64url').toString('latin1')).not.toContain('alice');
  });

  it('wants one thing that it is limited to, a time within a day, and what is there', async () => {
    const { alice } = await newTenant();
    const missing = '01900000-0000-7000-8000-000000000000';
    const allowed = 'one of jobId, videoId, ownJobs: true and upload: true';
    expect(await refusal(alice, {})).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input', allowed });
    expect(await refusal(alice, { ownJobs: false })).toMatchObject({ allowed });
    expect(await refusal(alice, { ownJobs: true, jobId: missing })).toMatchObject({ allowed });
    for (const ttlSeconds of [0, -1, 86_401])
      expect(await refusal(alice, { ownJobs: true, ttlSeconds })).toMatchObject({
        code: 'INVALID_ARGUMENT',
        field: 'input.ttlSeconds',
        allowed: '1 to 86400',
      });
    expect(await refusal(alice, { jobId: missing })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(alice, { videoId: missing })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gives nothing that the minter has not', async () => {
    const { tenantId, admin, alice } = await newTenant();
    const forbidden = { code: 'FORBIDDEN' };
    expect(await refusal(alice, { upload: true })).toMatchObject(forbidden);
    expect(await refusal(alice, { ownJobs: true, subject: 'bob' })).toMatchObject(forbidden);
    expect(await refusal(await api.token(tenantId, 'worker'), { ownJobs: true })).toMatchObject(forbidden);
    await create(alice, { ownJobs: true, subject: 'alice' });
    const reader = await newKey(admin, 'scopes: [JOBS_READ]');
    expect(await refusal(reader.secret, { upload: true })).toMatchObject(forbidden);
    const { token } = await create(reader.secret, { ownJobs: true, subject: 'customer-7' });
    const input = { definition: 'echo', payload: { message: 'x' } };
    expect((await api.query(token, ENQUEUE, { input })).data.enqueueJob).toMatchObject(forbidden);
    // Nor does one access token make another.
    const again = await api.query(token, CREATE, { input: { ownJobs: true } });
    expect(again.errors[0]?.extensions).toMatchObject(forbidden);
  });

  it('is for one tenant, and for GraphQL', async () => {
    const { admin } = await newTenant();
    const other = await newTenant();
    const { token } = await create(admin, { upload: true });
    expect(await messageOf(token, { 'x-millrace-tenant': other.tenantId })).toMatch(/another tenant/);
    for (const [method, path] of [
      ['POST', '/clips'],
      ['POST', '/api/jobs/tick'],
      ['GET', '/metrics'],
    ]) {
      const headers = { authorization: `Bearer ${token}`, connection: 'close' };
      const response = await fetch(`${api.url}${path}`, { method: method as string, headers });
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).toContain('An access token is not taken here');
    }
    const changed = `${token.slice(0, -6)}${token.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`;
    expect(await messageOf(changed)).toBe('There is no such access token');
  });

  it('acts on the tenant that a super admin acted on', async () => {
    const { tenantId } = await newTenant();
    const key = await api.token(tenantId, 'super_admin', { subject: 'root' });
    const other = await newTenant();
    const { token } = await create(key, { ownJobs: true }, { 'x-millrace-tenant': other.tenantId });
    const { data } = await api.query(token, '{ viewer { role tenant { uuid } } }');
    expect(data.viewer).toEqual({ role: 'MEMBER', tenant: { uuid: other.tenantId } });
  });
});

describe('a token for own jobs', () => {
  it('enqueues, lists, watches and cancels those of whom it speaks for, and no others', async () => {
    const { tenantId, admin } = await newTenant();
    const { secret } = await newKey(admin);
    const { token } = await create(secret, { ownJobs: true, subject: 'customer-7' });
    const theirs = await enqueue(secret);
    const stream = await openStream(
      api.server.graphqlUrl,
      token,
      'subscription { jobChanges { __typename ... on JobUpdated { job { id } } } }',
    );
    await stream.next(({ data }) => data?.jobChanges.__typename === 'FeedReady', 'the end of the state');
    const alsoTheirs = await enqueue(secret);
    const own = await enqueue(token);
    await stream.next(({ data }) => data?.jobChanges.job?.id === own, 'the own job');
    const sent = JSON.stringify(stream.received);
    expect([theirs, alsoTheirs].filter((id) => sent.includes(id))).toEqual([]);
    stream.stop();
    const { data } = await api.query(token, '{ jobs { nodes { id createdBy } } }');
    expect(data.jobs.nodes).toEqual([{ id: own, createdBy: 'user:customer-7' }]);
    const cancel = async (id: string) =>
      (
        await api.query(
          token,
          `mutation { cancelJob(input: { id: "${id}" }) { __typename ... on DomainFailure { code } } }`,
        )
      ).data.cancelJob;
    expect(await cancel(theirs)).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    expect(await cancel(own)).toEqual({ __typename: 'CancelJobPayload' });
    for (const id of [theirs, alsoTheirs]) {
      expect((await api.query(token, `{ job(id: "${id}") { id } }`)).data.job).toBeNull();
      const watched = await openStream(
        api.server.graphqlUrl,
        token,
        `subscription { jobChanged(id: "${id}") { id } }`,
      );
      const first = await watched.next(() => true, 'an answer');
      expect(first.errors?.[0].extensions.code).toBe('NOT_FOUND');
      watched.stop();
    }
    const { rows } = await api.superuser.query(
      `select count(*)::int as canceled from millrace.jobs where tenant_id = $1 and status = 'canceled'`,
      [tenantId],
    );
    expect(rows[0].canceled).toBe(1);
  });

  it('is refused what touches other jobs: dedupe keys, dependencies, priorities and subjects', async () => {
    const { admin, alice } = await newTenant();
    const { token } = await create(alice, { ownJobs: true });
    const theirs = await enqueue(admin, { dedupeKey: 'd' });
    for (const [field, value] of Object.entries({
      dedupeKey: 'd',
      dependsOn: [{ jobId: theirs }],
      priority: 0,
      subject: { type: 'thing', key: '1' },
    })) {
      const input = { definition: 'echo', payload: { message: 'x' }, [field]: value };
      const { data } = await api.query(token, ENQUEUE, { input });
      expect(data.enqueueJob).toMatchObject({ code: 'FORBIDDEN', field: `input.${field}` });
      expect(JSON.stringify(data)).not.toContain(theirs);
    }
  });
});

describe('a token for uploads', () => {
  it('creates a video, uploads and completes it, and no video of others', async () => {
    const { tenantId, admin } = await newTenant();
    const { videoId } = await makeContentRows(api, tenantId, 'theirs');
    const { token } = await create(admin, { upload: true, subject: 'customer-7' });
    const complete = async (id: string) =>
      (
        await api.query(
          token,
          `mutation { completeVideoUpload(input: { videoId: "${id}" }) { __typename
            ... on CompleteVideoUploadPayload { video { id status } job { id status } } ... on DomainFailure { code } } }`,
        )
      ).data.completeVideoUpload;
    expect(await complete(videoId)).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
    const { data } = await api.query(
      token,
      'mutation { createVideo(input: { title: "mine" }) { ... on CreateVideoPayload { video { id status } upload { url method } } } }',
    );
    const { video, upload } = data.createVideo;
    const put = await fetch(upload.url, {
      method: upload.method,
      body: 'not empty',
      headers: { connection: 'close' },
    });
    expect(put.ok).toBe(true);
    expect(await complete(video.id)).toMatchObject({
      __typename: 'CompleteVideoUploadPayload',
      video: { id: video.id },
      job: { status: 'QUEUED' },
    });
    expect(
      (await api.query(token, `{ video(id: "${video.id}") { id } }`)).errors[0]?.extensions,
    ).toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('an access token ends at once, with its sockets and streams,', () => {
  const run = async (by: string, mutation: string) => {
    const document = `mutation { done: ${mutation} { __typename ... on DomainFailure { message } } }`;
    const { data, errors } = await api.query(by, document);
    expect(errors).toEqual([]);
    expect(data.done.message).toBeUndefined();
  };

  it('when it is revoked by its id: by who made it or an admin, and nobody else', async () => {
    const { tenantId, admin, alice } = await newTenant();
    const bob = await api.token(tenantId, 'member', { subject: 'bob' });
    const [first, second, third] = [
      await create(alice, { ownJobs: true }),
      await create(alice, { ownJobs: true }),
      await create(alice, { ownJobs: true }),
    ];
    const revoke = async (by: string, jti: string) =>
      (await api.query(by, REVOKE, { jti })).data.revokeAccessToken.__typename;
    expect(await revoke(bob, first.jti)).toBe('NotFoundError');
    expect(await revoke(admin, 'at-nothing')).toBe('NotFoundError');
    const both = await watchTwice(api, first.token);
    expect(await revoke(alice, first.jti)).toBe('RevokeAccessTokenPayload');
    await endBoth(api, both, 2_000);
    expect(await messageOf(first.token)).toBe('Token has been revoked');
    expect(await revoke(admin, second.jti)).toBe('RevokeAccessTokenPayload');
    await waitFor(async () => (await messageOf(second.token)) === 'Token has been revoked', {
      describe: 'the second to end',
    });
    expect(await messageOf(third.token)).toBe('good');
  });

  it('when the API key that made it is revoked', async () => {
    const { admin } = await newTenant();
    const { secret, id } = await newKey(admin);
    const { token } = await create(secret, { ownJobs: true, subject: 'customer-7' });
    const both = await watchTwice(api, token);
    await run(admin, `revokeApiKey(input: { id: "${id}" })`);
    await endBoth(api, both, 2_000);
    expect(await messageOf(token)).toBe('Token has been revoked');
  });

  it.each([
    ['the person who made it is revoked', 'revokeTokens(input: { subject: "alice" })'],
    ['the token that made it is revoked', 'revokeTokens(input: { jti: "<jti>" })'],
    [
      'the person who made it is no longer a member',
      'setMember(input: { subject: "admin", role: TENANT_ADMIN })',
    ],
  ])('when %s', async (_what, mutation) => {
    const { admin, alice } = await newTenant();
    const { jti } = JSON.parse(Buffer.from(alice.split('.')[1] ?? '', 'base64url').toString());
    const { token } = await create(alice, { ownJobs: true });
    const both = await watchTwice(api, token);
    await run(admin, mutation.replace('<jti>', jti));
    await endBoth(api, both, 2_000);
    expect(await messageOf(token)).not.toBe('good');
  });

  it('when the person whom it speaks for is revoked', async () => {
    const { admin } = await newTenant();
    const { secret } = await newKey(admin);
    const { token } = await create(secret, { ownJobs: true, subject: 'customer-7' });
    const both = await watchTwice(api, token);
    await run(admin, 'revokeTokens(input: { subject: "customer-7" })');
    await endBoth(api, both, 2_000);
    expect(await messageOf(secret)).toBe('good');
  });

  it('when its time has come', async () => {
    const { alice } = await newTenant();
    const ttlSeconds = await watchingSeconds(api, alice);
    const { token } = await create(alice, { ownJobs: true, ttlSeconds });
    const both = await watchTwice(api, token);
    await waitFor(() => both.socket.closeCode() === 4403 && both.stream.isEnded(), {
      describe: 'both streams to end',
    });
    expect(await messageOf(token)).toBe('Token has expired');
  });
});

describe('an access token whose minter may less by now', () => {
  it('may less itself', async () => {
    const { tenantId, admin } = await newTenant();
    const { secret, id } = await newKey(admin);
    const { token } = await create(secret, { upload: true });
    const code = async () =>
      (
        await api.query(
          token,
          'mutation { createVideo(input: { title: "x" }) { __typename ... on DomainFailure { code } } }',
        )
      ).data?.createVideo.code ?? 'good';
    expect(await code()).toBe('good');
    for (const change of [`role = 'member'`, `role = 'tenant_admin', scopes = '{jobs:read}'`]) {
      await api.superuser.query(`update millrace.api_keys set ${change} where tenant_id = $1 and id = $2`, [
        tenantId,
        id,
      ]);
      await waitFor(async () => (await code()) === 'FORBIDDEN', { describe: `the change to ${change}` });
      await api.superuser.query(
        `update millrace.api_keys set role = 'tenant_admin', scopes = '{}' where tenant_id = $1 and id = $2`,
        [tenantId, id],
      );
      await waitFor(async () => (await code()) === 'good', { describe: 'the change back' });
    }
  });
});
