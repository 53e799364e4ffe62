import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { begin, patch } from '../../support/tus-requests.ts';
import { waitFor } from '../../support/wait.ts';

const LIMIT_BYTES = 1_000;
const CREATE = `mutation ($input: CreateVideoInput!) { createVideo(input: $input) {
  ... on CreateVideoPayload { video { id uuid } upload { url } resumableUpload { url } }
  ... on DomainFailure { code message field allowed } } }`;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_TENANT_STORAGE_BYTES: String(LIMIT_BYTES) } });
});
afterAll(() => api.close());

async function newTenant() {
  const tenantId = await api.makeTenant();
  const token = await api.token(tenantId, 'tenant_admin');
  const create = async (input: object = {}) =>
    (await api.query(token, CREATE, { input: { title: 'x', ...input } })).data.createVideo;
  const storage = async () =>
    (await api.query(token, '{ tenant { storage { usedBytes reservedBytes limitBytes } } }')).data.tenant
      .storage;
  return { tenantId, token, create, storage };
}

/** A PUT whose body is left open after its first byte. */
function open(
  url: string,
  lengthBytes: number,
): { readonly request: ClientRequest; readonly answer: Promise<Answer> } {
  const request = httpRequest(url, {
    method: 'PUT',
    headers: { 'content-length': lengthBytes },
    agent: false,
  });
  request.on('error', () => undefined);
  request.write('x');
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response?.statusCode ?? 0,
    error: JSON.parse(await text(response as IncomingMessage)).error,
  }));
  answer.catch(() => undefined);
  return { request, answer };
}

interface Answer {
  readonly status: number;
  readonly error?: { readonly code: string; readonly field: string; readonly allowed: string };
}

async function put(url: string, lengthBytes: number): Promise<Answer> {
  const { request, answer } = open(url, lengthBytes);
  request.end('x'.repeat(lengthBytes - 1));
  return answer;
}

const incoming = () => readdir(join(api.storageDir, '.incoming'));
const isHeld = async (uuid: string) => {
  const { rowCount } = await api.superuser.query(
    'select from millrace.video_puts where video_id = $1 and held_until > clock_timestamp()',
    [uuid],
  );
  return rowCount === 1;
};

const SUBMIT = `mutation ($recording: CallRecordingInput!) { submitCall(input: { recording: $recording }) {
  ... on SubmitCallPayload { call { uuid } upload { url } }
  ... on DomainFailure { code field } } }`;

describe('recordings of calls', () => {
  it('count from their announcement on, and then by what has come', async () => {
    const { token, create, storage } = await newTenant();
    const submit = async (recording: object) =>
      (await api.query(token, SUBMIT, { recording: { upload: { fileName: 'a.wav', ...recording } } })).data
        .submitCall;
    const complete = async (id: string) =>
      (
        await api.query(
          token,
          'mutation ($id: ID!) { completeCallUpload(input: { callId: $id }) { __typename ... on DomainFailure { code field } } }',
          { id },
        )
      ).data.completeCallUpload;
    expect(await submit({ sizeBytes: '1001' })).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const { call, upload } = await submit({ sizeBytes: '700' });
    expect(await storage()).toMatchObject({ usedBytes: '0', reservedBytes: '700' });
    expect(await create({ sizeBytes: '301' })).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await submit({ sizeBytes: '301' })).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    // Its own reservation is not in its way.
    expect((await put(upload.url, 700)).status).toBe(201);
    expect(await complete(call.uuid)).toEqual({ __typename: 'CompleteCallUploadPayload' });
    expect(await storage()).toMatchObject({ usedBytes: '700', reservedBytes: '0' });
    const undeclared = await submit({});
    expect((await put(undeclared.upload.url, 301)).status).toBe(413);
    const deleted = await api.query(
      token,
      'mutation ($id: ID!) { deleteCall(input: { id: $id }) { __typename ... on DomainFailure { code message field } } }',
      { id: call.uuid },
    );
    expect(deleted.data.deleteCall).toEqual({ __typename: 'DeleteCallPayload' });
    expect(await storage()).toMatchObject({ usedBytes: '0', reservedBytes: '0' });
    // Nothing was kept free for one whose size nobody said: what was announced meanwhile comes first.
    expect((await put(undeclared.upload.url, 300)).status).toBe(201);
    await submit({ sizeBytes: '701' });
    expect(await complete(undeclared.call.uuid)).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      field: 'input.callId',
    });
    expect(await complete(undeclared.call.uuid)).toMatchObject({ code: 'OBJECT_NOT_FOUND' });
  });
});

describe('of the uploads of one video', () => {
  it('one is taken at a time, however many come under its URL, and the next when that has ended', async () => {
    const { create } = await newTenant();
    const { video, upload } = await create();
    const first = open(upload.url, 10);
    await waitFor(() => isHeld(video.uuid), { describe: 'the first to be taken' });
    const others = await Promise.all(Array.from({ length: 25 }, () => put(upload.url, 10)));
    for (const other of others) expect(other).toMatchObject({ status: 423, error: { code: 'UploadLocked' } });
    expect(await incoming()).toHaveLength(1);
    first.request.end('x'.repeat(9));
    expect((await first.answer).status).toBe(201);
    expect((await put(upload.url, 10)).status).toBe(201);
  });

  it('one in pieces and one by a PUT shut each other out', async () => {
    const { create } = await newTenant();
    const { video, upload, resumableUpload } = await create();
    const begun = await begin(resumableUpload.url, 4);
    const url = String(begun.headers['location']);
    const first = open(upload.url, 10);
    await waitFor(() => isHeld(video.uuid), { describe: 'the PUT to be taken' });
    expect((await patch(url, 0, Buffer.from('ab'))).status).toBe(423);
    expect((await begin(resumableUpload.url, 4)).status).toBe(423);
    first.request.destroy();
    await waitFor(async () => !(await isHeld(video.uuid)), { describe: 'the PUT to be given up' });
    expect((await patch(url, 0, Buffer.from('ab'))).status).toBe(204);
    await api.superuser.query(
      `update millrace.uploads set held_by = gen_random_uuid(), held_until = now() + interval '1 minute' where video_id = $1`,
      [video.uuid],
    );
    expect((await put(upload.url, 10)).status).toBe(423);
  });
});

describe('a tenant whose storage is limited', () => {
  it('is charged for streams and pictures too, and refused an upload for them', async () => {
    const { tenantId, create, storage } = await newTenant();
    await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, original_key, status, size_bytes, made_bytes) values ($1, 'x', 'k-made', 'ready', 300, 500)`,
      [tenantId],
    );
    expect(await storage()).toMatchObject({ usedBytes: '800' });
    expect(await create({ sizeBytes: '201' })).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  it('is refused a video that does not fit before there is one, with how much does', async () => {
    const { create, storage } = await newTenant();
    expect(await storage()).toEqual({ usedBytes: '0', reservedBytes: '0', limitBytes: '1000' });
    await create({ sizeBytes: '600' });
    expect(await create({ sizeBytes: '401' })).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      field: 'input.sizeBytes',
      allowed: expect.stringContaining('at most 400 bytes'),
    });
    expect(await create({ sizeBytes: '400' })).toHaveProperty('upload');
    expect(await storage()).toMatchObject({ reservedBytes: '1000' });
  });

  it('is refused an upload before its bytes are taken, by PUT and in pieces, also beside what was never completed', async () => {
    const { create, storage, token } = await newTenant();
    const [one, two, three] = [await create(), await create(), await create()];
    expect((await put(one.upload.url, 600)).status).toBe(201);
    expect(await storage()).toMatchObject({ usedBytes: '0', reservedBytes: '600' });
    const refused = open(two.upload.url, 401);
    // Nothing but its head and one byte was sent.
    expect(await refused.answer).toMatchObject({
      status: 413,
      error: { code: 'QuotaExceeded', field: 'content-length' },
    });
    refused.request.destroy();
    expect(await begin(three.resumableUpload.url, 401)).toMatchObject({
      status: 413,
      error: { code: 'QuotaExceeded', field: 'upload-length' },
    });
    expect((await begin(three.resumableUpload.url, 400)).status).toBe(201);
    const completed = await api.query(
      token,
      'mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { ... on CompleteVideoUploadPayload { isNew } } }',
      { id: one.video.id },
    );
    expect(completed.data.completeVideoUpload).toEqual({ isNew: true });
    expect(await storage()).toMatchObject({ usedBytes: '600', reservedBytes: '400' });
  });

  it('gets in one of two uploads that come at once and do not both fit, and none of other tenants count', async () => {
    const { create } = await newTenant();
    const [one, two] = [await create(), await create()];
    const answers = await Promise.all([put(one.upload.url, 600), put(two.upload.url, 600)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 413]);
    const other = await newTenant();
    expect((await put((await other.create()).upload.url, 1_000)).status).toBe(201);
  });

  it('is refused new clips once it is full, by either way in, and still gets the clip that is there', async () => {
    const { tenantId, token, create, storage } = await newTenant();
    const { video, upload } = await create();
    expect((await put(upload.url, 999)).status).toBe(201);
    await api.query(
      token,
      'mutation ($id: ID!) { completeVideoUpload(input: { videoId: $id }) { __typename } }',
      { id: video.id },
    );
    const clip = async (endMs: number) =>
      (
        await api.query(
          token,
          `mutation ($input: RequestClipInput!) { requestClip(input: $input) { __typename
             ... on RequestClipPayload { isNew } ... on DomainFailure { code field allowed } } }`,
          { input: { videoId: video.id, startMs: 0, endMs } },
        )
      ).data.requestClip;
    expect(await clip(1_000)).toEqual({ __typename: 'RequestClipPayload', isNew: true });
    await api.superuser.query('update millrace.videos set size_bytes = 1000 where id = $1', [video.uuid]);
    expect(await storage()).toMatchObject({ usedBytes: '1000' });
    expect(await clip(2_000)).toEqual({
      __typename: 'QuotaExceededError',
      code: 'QUOTA_EXCEEDED',
      field: 'input.videoId',
      allowed: expect.stringContaining('at most 0 bytes'),
    });
    expect(await clip(1_000)).toEqual({ __typename: 'RequestClipPayload', isNew: false });
    const response = await fetch(`${api.url}/clips?video_id=${video.uuid}&t_start=0&t_end=2000`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'QuotaExceeded', field: 'video_id' } });
    const { rows } = await api.superuser.query(
      'select count(*)::int from millrace.clips where tenant_id = $1',
      [tenantId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('has the limit that a super admin sets for it, who alone may', async () => {
    const { tenantId, token, create, storage } = await newTenant();
    const set = async (by: string, maxStoredBytes: string | null) =>
      (
        await api.query(
          by,
          'mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { __typename ... on DomainFailure { code field } } }',
          { input: { maxStoredBytes } },
          { 'x-millrace-tenant': tenantId },
        )
      ).data.updateTenant;
    expect(await set(token, '2000')).toMatchObject({ code: 'FORBIDDEN' });
    const root = await api.token(tenantId, 'super_admin', { subject: 'root' });
    expect(await set(root, '0')).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.maxStoredBytes' });
    expect(await set(root, '2000')).toMatchObject({ __typename: 'UpdateTenantPayload' });
    expect(await storage()).toMatchObject({ limitBytes: '2000' });
    expect((await put((await create()).upload.url, 1_500)).status).toBe(201);
    await set(root, null);
    expect(await storage()).toMatchObject({ limitBytes: '1000' });
    expect(await create()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });
});
