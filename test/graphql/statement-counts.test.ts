import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let member: string;
let tenantId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  await api.superuser.query(
    `with v as (
       insert into millrace.videos (tenant_id, title, original_key) select $1, 'v' || n, 'k' || n from generate_series(1, 60) n
       returning id)
     insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id)
     select $1, d.id, 'video', v.id::text from v, millrace.job_definitions d where d.key = 'transcode'`,
    [tenantId],
  );
  await api.superuser.query(
    `insert into millrace.stored_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at)
     select j.id, n, j.tenant_id, 'w', 'failed', now() from millrace.jobs j, generate_series(1, 3) n`,
  );
});
afterAll(() => api.close());

/**
 * Every statement that any client of this process sends, one by one also where several go out in one message.
 */
const sent: string[] = [];
{
  const real = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  // Before any connection is made: each remembers the method it was made with.
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    sent.push(...text.split(';').filter((part) => part.trim() !== ''));
    return real.apply(this, args);
  } as typeof pg.Client.prototype.query);
}

async function statementsOf(document: string): Promise<string[]> {
  sent.length = 0;
  const answer = await api.query(member, document);
  expect(answer.errors).toEqual([]);
  // Whose token it is, is asked at most once a second, whatever the request; not part of what a page costs.
  const standing = sent.filter((text) => text.includes('read_standings'));
  expect(standing.length).toBeLessThanOrEqual(1);
  // The notification of what was enqueued before may be sent meanwhile, by a connection of its own; a new
  // connection is set up once.
  const beside = ['/* send_notifications */', '/* open_session */', '/* note_key_uses */'];
  return sent.filter((text) => !standing.includes(text) && !beside.some((begin) => text.startsWith(begin)));
}

it('a page of 50 jobs with definition, attempts and video takes at most 8 statements, BEGIN, SET and COMMIT included', async () => {
  const seen = await statementsOf(`{ jobs(first: 50) { nodes {
    id status definition { key } attempts { attemptNo status } video { title status } progress { percent } } } }`);
  expect(seen.length, seen.join('\n')).toBeLessThanOrEqual(8);
  expect(seen[0]).toMatch(/^begin isolation level repeatable read read only/);
  expect(seen[1]).toMatch(/set_config\('role', 'millrace_api'/);
  expect(seen.at(-1)).toBe('COMMIT');
});

it('payloads and results of a page take one statement each, and none where nobody asks for them', async () => {
  const seen = await statementsOf('{ jobs(first: 50) { nodes { id payload result } } }');
  expect(seen, seen.join('\n')).toHaveLength(7);
  // The definitions too: what their schemas mark as secret is not shown.
  expect(seen.filter((text) => text.includes('job_definitions'))).toHaveLength(1);
  expect(seen.filter((text) => text.includes('json_of_jobs'))).toHaveLength(2);
  const without = await statementsOf('{ jobs(first: 50) { nodes { id status } } }');
  expect(without.join('\n')).not.toMatch(/payload|json_of_jobs/);
});

it('what each job of a page waits for takes one statement more', async () => {
  const seen = await statementsOf(
    '{ jobs(first: 50) { nodes { id waitingFor { reason message endsAt } } } }',
  );
  expect(seen, seen.join('\n')).toHaveLength(5);
  expect(seen.filter((text) => text.includes('waiting_for'))).toHaveLength(1);
});

describe('what jobs made', () => {
  const files = (args: string, count = 2) =>
    `{ jobs(first: ${count}) { nodes { uuid artifacts${args} { nodes { kind name url } pageInfo { hasNextPage endCursor } } } } }`;
  const made = async (args: string): Promise<{ kind: string; name: string; url: string | null }[]> =>
    (await api.query(member, files(args))).data.jobs.nodes[0].artifacts.nodes;

  beforeAll(async () => {
    await api.superuser.query(
      `insert into millrace.artifacts (tenant_id, job_id, run_no, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
       select j.tenant_id, j.id, 1, 'video', j.subject_id, k.kind, 'videos/proxy/' || j.subject_id || '/' || k.kind || '/' || n, 1,
         repeat('0', 64), 'image/jpeg'
       from millrace.jobs j, (values ('hls_playlist', 1), ('hls_segment', 30), ('poster', 2)) k (kind, count), generate_series(1, k.count) n`,
    );
  });

  it('takes two statements more for a page of 50 jobs, that of their definitions included', async () => {
    const seen = await statementsOf(files('(first: 2)', 50));
    expect(seen, seen.join('\n')).toHaveLength(6);
    expect(seen.filter((text) => text.includes('find_artifact_pages'))).toHaveLength(1);
  });

  it('is listed by kind and name, with numbers as numbers, without pieces of streams unless they are asked for, page by page', async () => {
    expect((await made('')).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'hls_playlist 1',
      'poster 1',
      'poster 2',
    ]);
    expect(await made('(kind: "poster")')).toHaveLength(2);
    const numbers = Array.from({ length: 30 }, (_, at) => String(at + 1));
    const segments = await made('(kind: "hls_segment", first: 100)');
    expect(segments.map(({ name }) => name)).toEqual(numbers);
    expect(await made('(kind: "nobody")')).toEqual([]);
    const { jobs } = (await api.query(member, files('(first: 1)'))).data;
    const [{ uuid, artifacts }] = jobs.nodes;
    expect(artifacts.pageInfo.hasNextPage).toBe(true);
    const behind = (cursor: string) =>
      `{ job(id: "${uuid}") { artifacts(first: 2, after: "${cursor}") { nodes { name } pageInfo { hasNextPage } } } }`;
    expect((await api.query(member, behind(artifacts.pageInfo.endCursor))).data.job.artifacts).toEqual({
      nodes: [{ name: '1' }, { name: '2' }],
      pageInfo: { hasNextPage: false },
    });
    const paged: string[] = [];
    for (let after: string | null = null; paged.length < 31; ) {
      const next: string = `{ job(id: "${uuid}") { artifacts(kind: "hls_segment", first: 7, after: ${JSON.stringify(after)}) { nodes { name } pageInfo { hasNextPage endCursor } } } }`;
      const found: { nodes: { name: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } = (
        await api.query(member, next)
      ).data.job.artifacts;
      paged.push(...found.nodes.map(({ name }) => name));
      after = found.pageInfo.endCursor;
      if (!found.pageInfo.hasNextPage) break;
    }
    expect(paged).toEqual(numbers);
    const ofAnother = jobs.nodes[1].artifacts.pageInfo.endCursor;
    expect((await api.query(member, behind(ofAnother))).errors[0]).toMatchObject({
      extensions: { code: 'INVALID_ARGUMENT', field: 'after' },
    });
  });

  it('is found again by its global id', async () => {
    const fields = 'id kind label name contentType sizeBytes sha256 runNo createdAt';
    const list = `{ jobs(first: 1) { nodes { artifacts(first: 1) { nodes { ${fields} } } } } }`;
    const [file] = (await api.query(member, list)).data.jobs.nodes[0].artifacts.nodes;
    const again = `{ node(id: "${file.id}") { ... on JobArtifact { ${fields} url } } }`;
    expect((await api.query(member, again)).data.node).toEqual({ ...file, url: expect.any(String) });
  });

  it('opens for a key that may read videos, and is only named for one that may not', async () => {
    const keyWith = async (scopes: string) => {
      const admin = await api.token(tenantId, 'tenant_admin');
      const create = `mutation { createApiKey(input: { name: "k", role: MEMBER, scopes: [${scopes}] }) { ... on CreateApiKeyPayload { secret } } }`;
      return (await api.query(admin, create)).data.createApiKey.secret as string;
    };
    const urls = async (key: string) =>
      (await api.query(key, files('(first: 3)'))).data.jobs.nodes[0].artifacts.nodes.map(
        ({ url }: { url: string | null }) => url !== null,
      );
    expect(await urls(await keyWith('JOBS_READ, VIDEOS_READ'))).toEqual([true, true, true]);
    expect(await urls(await keyWith('JOBS_READ'))).toEqual([false, false, false]);
  });
});

it('the same relation under two aliases is read once', async () => {
  const seen = await statementsOf(
    `{ jobs(first: 50) { nodes { a: definition { key } b: definition { id } } } }`,
  );
  expect(seen, seen.join('\n')).toHaveLength(5);
});

it('a page of videos with their jobs and progress takes at most 8 statements', async () => {
  const seen = await statementsOf(
    `{ videos(first: 50) { nodes { title urls { original } progress { percent } jobs { status definition { key } } } } }`,
  );
  expect(seen.length, seen.join('\n')).toBeLessThanOrEqual(8);
});

it('a page of 50 videos with the first clips and texts of each takes at most 8 statements', async () => {
  await api.superuser.query(
    `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms)
     select v.tenant_id, v.id, n, n + 1000, 0 from millrace.videos v, generate_series(1, 4) n where v.tenant_id = $1`,
    [tenantId],
  );
  await api.superuser.query(
    `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language, bounding_box, words)
     select v.tenant_id, v.id, n, n, n + 1, 'T' || n, 't' || n, md5(n::text), 0.9, 'eng', '{"x": 1, "y": 2, "width": 3, "height": 4}', '[]'
     from millrace.videos v, generate_series(1, 4) n where v.tenant_id = $1`,
    [tenantId],
  );
  for (const [list, field] of [
    ['clips', 'startMs'],
    ['segments', 'text'],
  ]) {
    const document = (args: string) =>
      `{ videos(first: 50) { nodes { id ${list}(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } } } }`;
    const seen = await statementsOf(document('first: 3'));
    expect(seen.length, seen.join('\n')).toBeLessThanOrEqual(8);
    const { data } = await api.query(member, document('first: 3'));
    const [video] = data.videos.nodes;
    expect(video[list as string].nodes).toHaveLength(3);
    expect(video[list as string].pageInfo.hasNextPage).toBe(true);
    const after = `first: 3, after: ${JSON.stringify(video[list as string].pageInfo.endCursor)}`;
    const rest = await api.query(
      member,
      `query ($id: ID!) { video(id: $id) { ${list}(${after}) { nodes { id ${field === 'text' ? 'text' : 'status'} } } } }`,
      { id: video.id },
    );
    expect(rest.errors).toEqual([]);
    expect(rest.data.video[list as string].nodes).toHaveLength(1);
  }
});

it('an operation that reads nothing opens no transaction', async () => {
  expect(await statementsOf('{ viewer { name role } }')).toEqual([]);
});
