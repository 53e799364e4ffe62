import { randomUUID } from 'node:crypto';
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { Database } from '../../../src/db/database.ts';
import { createNotifier } from '../../../src/db/notifier.ts';
import type { OriginalsStore } from '../../../src/domains/videos/stores/contract.ts';
import { createOriginalsStore } from '../../../src/domains/videos/stores/originals-store.ts';
import { PostgresProducerQueue } from '../../../src/queue/producer-verbs.ts';
import { type LocalObjectStore, openLocalStore } from '../../../src/storage/local-store.ts';
import { scanRegistration } from '../../../workers/handlers/videos/registration.ts';
import { createScan } from '../../../workers/handlers/videos/scan.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { register } from '../../../workers/registry.ts';
import { bytes } from '../../storage/stores.ts';
import { startTestApi, TEST_SECRET, type TestApi } from '../../support/api.ts';
import { handlerContext } from '../../support/handler-context.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { silentLog } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';

const QUIET_SECONDS = 60;
const MAX_UPLOAD_BYTES = 100;

let api: TestApi;
let database: Database;
let notifier: ReturnType<typeof createNotifier>;
let store: LocalObjectStore;
let originals: OriginalsStore;
let owner: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_SCAN_TENANT: 'archive', MILLRACE_MAX_UPLOAD_BYTES: `${MAX_UPLOAD_BYTES}` },
  });
  owner = await api.makeTenant();
  await api.superuser.query(`update millrace.tenants set slug = 'archive' where id = $1`, [owner]);
  admin = await api.token(owner, 'tenant_admin');
  database = new Database({
    connectionString: api.databaseUrl,
    rolePrefix: 'millrace',
    maxConnections: 4,
    applicationName: 'test',
    preparedStatements: true,
    onError: () => undefined,
  });
  notifier = createNotifier({ connectionString: api.databaseUrl, log: silentLog });
  store = await openLocalStore(api.storageDir);
  originals = createOriginalsStore({
    database,
    queue: new PostgresProducerQueue(database, notifier, { pipelines: testPipelines }),
    tenantSlug: 'archive',
    maxUploadBytes: MAX_UPLOAD_BYTES,
  });
});
afterAll(async () => {
  await notifier.close();
  await database.close();
  await api.close();
});

/** Puts a file of N seconds of age. */
async function place(key: string, ageSeconds = 2 * QUIET_SECONDS, content = 'film'): Promise<void> {
  await store.put(key, bytes(content));
  const then = new Date(Date.now() - ageSeconds * 1000);
  await utimes(join(api.storageDir, key), then, then);
}

async function scan(using: OriginalsStore = originals, signal = new AbortController().signal) {
  const context = handlerContext({
    payload: {},
    tools: { storage: store },
    own: { originals: using },
    signal,
  });
  const outcome = await createScan({ quietSeconds: QUIET_SECONDS })(context);
  return (outcome as { result: Record<string, number> }).result;
}

async function awaiting(tenantId: string): Promise<string> {
  const answer = await api.query(
    await api.token(tenantId, 'tenant_admin', { subject: 'bob' }),
    'mutation { createVideo(input: { title: "A talk" }) { ... on CreateVideoPayload { video { uuid } } } }',
  );
  return answer.data.createVideo.video.uuid;
}

const videoOf = async (id: string) =>
  (
    await api.superuser.query(
      `select v.tenant_id, v.title, v.status, v.original_key, v.size_bytes, v.owner_id,
         (select json_agg(json_build_object('by', j.created_by, 'tenant', j.tenant_id, 'payload', j.payload))
          from millrace.jobs j where j.subject_id = v.id::text) as jobs
       from millrace.videos v where v.id = $1`,
      [id],
    )
  ).rows[0];

describe('a scan of originals', () => {
  it('takes in what nobody registered, each in its own tenant, and again changes nothing', async () => {
    const elsewhere = await api.makeTenant();
    const [placed, named, left, growing, mine] = [
      randomUUID(),
      randomUUID(),
      await awaiting(elsewhere),
      randomUUID(),
      await awaiting(owner),
    ];
    await place(`videos/original/${placed}/master.mkv`);
    await place(`videos/original/${named}/All-hands.mp4`);
    await place(`videos/original/${named}/another.mp4`);
    await place(`videos/original/${left}/master.mp4`);
    // Not the file that its video waits for.
    await place(`videos/original/${mine}/other.mp4`);
    await place(`videos/original/${growing}/master.mp4`, 1);
    await place(`videos/original/${randomUUID()}/empty.mp4`, 1000, '');
    await place(`videos/original/${randomUUID().toUpperCase()}/master.mp4`);
    await place('videos/original/readme.txt');
    await place(`videos/original/${randomUUID()}/deeper/master.mp4`);
    await place(`videos/proxy/${randomUUID()}/master.mp4`);

    // Two at once, and one after them.
    const rounds = await Promise.all([scan(), scan()]);
    const sum = (name: string) => rounds.reduce((total, round) => total + (round[name] ?? 0), 0);
    expect([sum('registered'), sum('completed')]).toEqual([2, 1]);
    expect(await scan()).toEqual({
      lookedAt: 10,
      registered: 0,
      completed: 0,
      growing: 1,
      unowned: 0,
      ignored: 4,
      refused: expect.arrayContaining([
        { name: expect.stringMatching(/empty\.mp4$/), reason: 'is empty' },
        { name: 'videos/original/readme.txt', reason: expect.stringContaining('UUID in lower case') },
      ]),
    });
    const key = `videos/original/${placed}/master.mkv`;
    expect(await videoOf(placed)).toMatchObject({
      tenant_id: owner,
      title: placed,
      status: 'uploaded',
      original_key: key,
      size_bytes: '4',
      jobs: [{ by: 'system', tenant: owner, payload: { video_id: placed, s3_original_path: key } }],
    });
    const several = await videoOf(named);
    expect(['All-hands.mp4', 'another.mp4']).toContain(several.title);
    expect(several.jobs).toHaveLength(1);
    expect(await videoOf(left)).toMatchObject({
      tenant_id: elsewhere,
      status: 'uploaded',
      jobs: [{ by: 'user:bob', tenant: elsewhere }],
    });
    expect(await videoOf(mine)).toMatchObject({ status: 'awaiting_upload', jobs: null });
    expect(await videoOf(growing)).toBeUndefined();
    await place(`videos/original/${growing}/master.mp4`);
    expect(await scan()).toMatchObject({ registered: 1, growing: 0 });
  });

  it('does not complete an upload that is larger than any may be', async () => {
    const id = await awaiting(owner);
    const key = (await videoOf(id)).original_key;
    await place(key, 1000, 'x'.repeat(MAX_UPLOAD_BYTES + 1));
    expect(await scan()).toMatchObject({ completed: 0 });
    expect(await videoOf(id)).toMatchObject({ status: 'awaiting_upload', jobs: null });
    // The same file, but for its size.
    await place(key, 1000, 'x'.repeat(MAX_UPLOAD_BYTES));
    expect(await scan()).toMatchObject({ completed: 1 });
    await store.delete(key);
  });

  it('without a tenant that takes them only reports them, and of any number looks up some at a time', async () => {
    const ids = Array.from({ length: 1100 }, () => randomUUID());
    const list = async function* () {
      for (const id of ids)
        yield { key: `videos/original/${id}/a.mp4`, sizeBytes: 4, modifiedAt: new Date(0) };
    };
    const nobodys = createOriginalsStore({
      database,
      queue: new PostgresProducerQueue(database, notifier, { pipelines: testPipelines }),
      tenantSlug: 'no-such-tenant',
      maxUploadBytes: MAX_UPLOAD_BYTES,
    });
    const asked: number[] = [];
    const counting: OriginalsStore = {
      ...nobodys,
      findVideos: (some) => {
        asked.push(some.length);
        return nobodys.findVideos(some);
      },
    };
    const real = store;
    try {
      store = {
        ...real,
        list,
        stat: async (key) => ({ key, sizeBytes: 4, contentType: 'video/mp4', modifiedAt: new Date(0) }),
      };
      expect(await scan(counting)).toMatchObject({ lookedAt: 1100, unowned: 1100, registered: 0 });
      await expect(scan(counting, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    } finally {
      store = real;
    }
    expect(asked).toEqual([500, 500, 100]);
  });

  it('takes every name that the file system allows, or lists it with the reason', async () => {
    const folder = (id: string) => join(api.storageDir, 'videos', 'original', id);
    const names = [
      'my film.mp4',
      `it's "quoted".mov`,
      'Über 会議 🎬.mkv',
      '100% #1 & ?.webm',
      'Cafe\u0301.mp4',
      '-rf.mp4',
    ];
    const taken = new Map(names.map((name) => [randomUUID(), name]));
    for (const [id, name] of taken) await place(`videos/original/${id}/${name}`);
    const odd = randomUUID();
    await mkdir(folder(odd));
    for (const name of ['.hidden.mp4', 'back\\slash.mp4', 'new\nline.mp4'])
      await writeFile(join(folder(odd), name), 'x');
    const notText = Buffer.concat([
      Buffer.from(`${folder(odd)}/`),
      Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x70, 0x34]),
    ]);
    await writeFile(notText, 'x');
    await symlink('/etc/hosts', `${folder(odd)}/link.mp4`);
    const { refused } = await scan();
    const ofOdd = (refused as unknown as { name: string; reason: string }[]).filter(({ name }) =>
      name.includes(odd),
    );
    expect(
      ofOdd.map(({ name, reason }) => `${name.slice(name.indexOf(odd) + odd.length + 1)} ${reason}`).sort(),
    ).toEqual(
      [
        '.hidden.mp4 has a segment that begins with a dot, which is not allowed',
        'back\\\\slash.mp4 contains a backslash',
        'f\ufffd.mp4 contains bytes that are no UTF-8',
        'link.mp4 is a symbolic link',
        'new\\nline.mp4 contains a character that is not allowed (a control character, or no whole one)',
      ].sort(),
    );
    const token = await api.token(owner, 'member');
    for (const [id, name] of taken) {
      expect(await videoOf(id)).toMatchObject({ title: name, original_key: `videos/original/${id}/${name}` });
      const { data } = await api.query(token, 'query ($id: ID!) { video(id: $id) { urls { original } } }', {
        id,
      });
      const file = await fetch(data.video.urls.original, { headers: { connection: 'close' } });
      expect(file.status).toBe(200);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0);
      const saved = /filename\*=UTF-8''(\S+)$/.exec(file.headers.get('content-disposition') ?? '')?.[1];
      if (/[^ -~]/.test(name)) expect(decodeURIComponent(saved ?? '')).toContain(name.split('.')[0]);
    }
  });

  it('is a job of the system tenant that workers put into the queue again and again', async () => {
    const id = randomUUID();
    await place(`videos/original/${id}/master.mp4`);
    const { definition, load, provide } = scanRegistration(1);
    const worker = await openWorker({
      awaits: new AbortController().signal,
      config: loadConfig({
        MILLRACE_JWT_SECRET: TEST_SECRET,
        MILLRACE_STORAGE_DIR: api.storageDir,
        MILLRACE_SCAN_SECONDS: '1',
        MILLRACE_SCAN_TENANT: 'archive',
        MILLRACE_LOG_LEVEL: 'silent',
      }),
      databaseUrl: api.databaseUrl,
      registrations: [register(definition, load, provide)],
    });
    const scans = async () =>
      (
        await api.superuser.query(
          `select j.status, j.tenant_id from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
           where d.key = 'scan_originals' and j.status = 'succeeded'`,
        )
      ).rows;
    try {
      await waitFor(async () => (await videoOf(id))?.jobs?.length === 1, {
        describe: 'the file to be a video',
      });
      await waitFor(async () => (await scans()).length >= 2, { describe: 'a second scan' });
    } finally {
      await worker.stop(0);
    }
    expect((await scans())[0].tenant_id).toBe('00000000-0000-0000-0000-000000000000');
    const answer = await api.query(
      admin,
      'mutation { enqueueJob(input: { definition: "scan_originals", payload: {} }) { __typename } }',
    );
    expect(answer.data.enqueueJob.__typename).toBe('ForbiddenError');
  });
});

describe('registerVideo', () => {
  const REGISTER = `mutation ($input: RegisterVideoInput!) { registerVideo(input: $input) { __typename
    ... on DomainFailure { code field allowed }
    ... on RegisterVideoPayload { isNew video { uuid title status } job { id } } } }`;
  async function ask(token: string, input: object, headers = {}) {
    const answer = await api.query(token, REGISTER, { input }, headers);
    expect(answer.errors).toEqual([]);
    return answer.data.registerVideo;
  }

  it('makes a video of a file once, however often it is asked', async () => {
    const id = randomUUID();
    const key = `videos/original/${id}/talk.mp4`;
    expect(await ask(admin, { key })).toMatchObject({ code: 'OBJECT_NOT_FOUND', field: 'input.key' });
    await place(key, 0);
    const all = await Promise.all([
      ask(admin, { key, title: 'A talk' }),
      ask(admin, { key, title: 'A talk' }),
    ]);
    expect(all.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(all[0]).toMatchObject({
      video: { uuid: id, title: 'A talk', status: 'UPLOADED' },
      job: all[1].job,
    });
    expect((await videoOf(id)).jobs).toMatchObject([{ by: 'user:alice' }]);
    await place(`videos/original/${id}/other.mp4`);
    expect(await ask(admin, { key: `videos/original/${id}/other.mp4` })).toMatchObject({
      code: 'ALREADY_EXISTS',
      allowed: key,
    });
  });

  it('takes no other keys, no bad file, and nothing of another tenant', async () => {
    for (const key of ['videos/original/x/a.mp4', `videos/proxy/${randomUUID()}/a.mp4`, '../a', ''])
      expect(await ask(admin, { key })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.key' });
    const [empty, large] = [`videos/original/${randomUUID()}/a.mp4`, `videos/original/${randomUUID()}/a.mp4`];
    await place(empty, 0, '');
    await place(large, 0, 'x'.repeat(101));
    expect(await ask(admin, { key: empty })).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.key' });
    expect(await ask(admin, { key: large })).toMatchObject({ code: 'OBJECT_TOO_LARGE', field: 'input.key' });
    const elsewhere = await api.makeTenant();
    const theirs = await awaiting(elsewhere);
    const key = `videos/original/${theirs}/master.mp4`;
    await place(key, 0);
    expect(await ask(admin, { key })).toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    expect(await videoOf(theirs)).toMatchObject({ tenant_id: elsewhere, status: 'awaiting_upload' });

    const free = `videos/original/${randomUUID()}/a.mp4`;
    await place(free, 0);
    const other = await api.token(elsewhere, 'tenant_admin');
    expect(await ask(other, { key: free })).toMatchObject({
      code: 'FORBIDDEN',
      allowed: 'the tenant that MILLRACE_SCAN_TENANT names, or a super admin',
    });
    expect(await ask(await api.token(owner, 'member'), { key: free })).toMatchObject({ code: 'FORBIDDEN' });
    const root = await api.token(owner, 'super_admin');
    const made = await ask(root, { key: free }, { 'x-millrace-tenant': elsewhere });
    expect(made).toMatchObject({ isNew: true, video: { title: 'a.mp4' } });
    expect((await videoOf(made.video.uuid)).tenant_id).toBe(elsewhere);
  });
});
