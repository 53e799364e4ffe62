import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../support/wait.ts';
import { type LinksPlatform, startLinks } from './support/platform.ts';

// A server that speaks both protocols: OpenAI's, and that of a scraping service.

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

let server: Server;
let links: LinksPlatform;
const asked: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
let answers: Record<string, Answer[]> = {};

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, _body, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value));

const SUMMARY = {
  summary: 'Bees dance.',
  topics: ['bees', 'dance'],
  entities: [{ name: 'Karl von Frisch', kind: 'person' }],
};
const chat = (content: unknown) => json({ choices: [{ message: { content: JSON.stringify(content) } }] });
const embedding: Answer = (_request, body, response) => {
  const { input } = JSON.parse(body) as { input: string[] };
  json({ data: input.map((_text, index) => ({ index, embedding: [3, 4, 0] })) })(_request, body, response);
};
const DEFAULTS: Record<string, Answer> = {
  '/ai/chat/completions': chat(SUMMARY),
  '/ai/embeddings': embedding,
  '/scrape/v1/youtube/video': json({
    title: 'Bees',
    description: 'A talk',
    channel: { title: 'Nature' },
    lengthSeconds: '61',
  }),
  '/scrape/v1/youtube/video/transcript': json({
    transcript: [{ text: 'Bees dance in the hive.', startMs: '0', endMs: '2000' }],
    language: 'English',
  }),
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push({ path, headers: request.headers, body });
    const answer = answers[path]?.shift() ?? DEFAULTS[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A private address: the operator's own endpoints may be anywhere.
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  links = await startLinks({
    MILLRACE_AI_URL: `${base}/ai`,
    MILLRACE_AI_KEY: 'sk-secret-of-the-operator',
    MILLRACE_SCRAPE_API_URL: `${base}/scrape/`,
    MILLRACE_SCRAPE_API_KEY: 'scrape-secret',
  });
});
afterAll(async () => {
  await links?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});
beforeEach(() => {
  answers = {};
  asked.length = 0;
});

const VIDEO = 'https://www.youtube.com/watch?v=abc';

test('a video goes through the scraping service, a chat model and an embedding model', async () => {
  const row = await links.until(await links.submit(VIDEO), 'done', 'failed');
  expect(row).toMatchObject({
    status: 'done',
    title: 'Bees',
    author: 'Nature',
    duration_seconds: 61,
    text_kind: 'transcript',
    scraped_by: 'youtube',
    summary: 'Bees dance.',
    topics: ['bees', 'dance'],
    entities: [{ name: 'Karl von Frisch', kind: 'person' }],
    enriched_by: 'gpt-4o-mini',
    embedded_by: 'text-embedding-3-small',
  });
  const [vector] = (
    await links.api.superuser.query(
      'select model, dimensions from millrace.link_vectors where link_id = $1',
      [row['id']],
    )
  ).rows;
  expect(vector).toEqual({ model: 'text-embedding-3-small', dimensions: 3 });
  const of = (path: string) => asked.find((each) => each.path === path);
  expect(of('/scrape/v1/youtube/video')?.headers['x-api-key']).toBe('scrape-secret');
  const chatRequest = of('/ai/chat/completions');
  expect(chatRequest?.headers.authorization).toBe('Bearer sk-secret-of-the-operator');
  expect(JSON.parse(chatRequest?.body ?? '')).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  });
});

test('an answer that asks to wait is waited for, and spends no run', async () => {
  answers['/ai/chat/completions'] = [json({ error: 'slow down' }, 429, { 'retry-after': '1' })];
  answers['/scrape/v1/youtube/video'] = [json({}, 429, { 'retry-after-ms': '900' })];
  const row = await links.until(await links.submit(VIDEO), 'done', 'failed');
  expect(row['status']).toBe('done');
  const { rows } = await links.api.superuser.query(
    `select d.key, j.snooze_count, j.attempt_count from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
     where j.subject_id = $1 order by d.key`,
    [row['id']],
  );
  expect(rows).toEqual([
    { key: 'enrich', snooze_count: 1, attempt_count: 0 },
    { key: 'scrape', snooze_count: 1, attempt_count: 0 },
  ]);
});

test('a refusal that no retry helps fails at once, without the key in what it says', async () => {
  answers['/ai/chat/completions'] = [json({ error: { message: 'no such model' } }, 404)];
  const row = await links.until(await links.submit(VIDEO), 'done', 'failed');
  expect(row).toMatchObject({
    status: 'failed',
    processing_error: expect.stringMatching(/^ProviderRefused: .*404.*no such model/),
  });
  expect(row['processing_error']).not.toContain('sk-secret');
});

test('a video without a transcript is done with its metadata, and no model is asked', async () => {
  answers['/scrape/v1/youtube/video/transcript'] = [json({ transcript: null })];
  const row = await links.until(await links.submit(VIDEO), 'done', 'failed');
  expect(row).toMatchObject({
    status: 'done',
    title: 'Bees',
    text_kind: null,
    summary: null,
    embedded_by: null,
  });
  expect(asked.filter(({ path }) => path.startsWith('/ai'))).toEqual([]);
});

test('broken, wrong and oversized answers are tried again, and the third failure fails the link', async () => {
  answers['/ai/chat/completions'] = [
    (_request, _body, response) => void response.end('{"choices": ['),
    chat({ summary: 5 }),
    (_request, _body, response) => void response.end(Buffer.alloc(17 * 1024 * 1024, ' ')),
    chat({ summary: 5 }),
  ];
  const id = await links.submit(VIDEO);
  for (const runs of [1, 2]) {
    // The next run at once, in place of when the lease of the failed one would have ended.
    await waitFor(
      async () =>
        (
          await links.api.superuser.query(
            `update millrace.jobs set scheduled_for = now() where subject_id = $1 and status = 'queued' and attempt_count = $2`,
            [id, runs],
          )
        ).rowCount,
      { describe: `run ${runs} to fail` },
    );
  }
  const row = await links.until(id, 'done', 'failed');
  expect(row).toMatchObject({ status: 'failed' });
  expect(asked.filter(({ path }) => path === '/ai/chat/completions').length).toBe(3);
  expect(row['processing_error']).toBeTruthy();
});

test('the same content is enriched once, however often its job runs', async () => {
  const row = await links.until(await links.submit(VIDEO), 'done');
  const before = asked.filter(({ path }) => path.startsWith('/ai')).length;
  await links.api.superuser.query(`update millrace.links set status = 'enriching' where id = $1`, [
    row['id'],
  ]);
  await links.api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, subject_type, subject_id)
     select $1, id, jsonb_build_object('link_id', $2::uuid), 'link', $2 from millrace.job_definitions where key = 'enrich'`,
    [links.tenantId, row['id']],
  );
  await links.until(String(row['id']), 'done');
  expect(asked.filter(({ path }) => path.startsWith('/ai')).length).toBe(before);
});

test('links are found by meaning among those of the same model alone', async () => {
  const id = await links.until(await links.submit(VIDEO), 'done').then((row) => row['id']);
  await links.api.superuser.query(
    `insert into millrace.link_vectors (link_id, tenant_id, model, dimensions, code, vector)
     select link_id, tenant_id, 'another-model', dimensions, code, vector from millrace.link_vectors where link_id = $1`,
    [id],
  );
  await links.api.superuser.query(
    `delete from millrace.link_vectors where link_id = $1 and model <> 'another-model'`,
    [id],
  );
  const { data } = await links.api.query(
    links.member,
    `{ searchLinks(query: "dance", mode: MEANING, first: 100) { model hits { meaning link { uuid } } } }`,
  );
  expect(data.searchLinks.model).toBe('text-embedding-3-small');
  const found = data.searchLinks.hits.map(({ link }: { link: { uuid: string } }) => link.uuid);
  expect(found.length).toBeGreaterThan(0);
  expect(found).not.toContain(id);
});

test('words decide alone while the model cannot be asked, which the answer says', async () => {
  answers['/ai/embeddings'] = [json({}, 500)];
  const { data } = await links.api.query(
    links.member,
    `{ searchLinks(query: "hive dance") { model meaningProblem hits { score wordScore wordsPlace meaning } } }`,
  );
  expect(data.searchLinks).toMatchObject({ model: null, meaningProblem: expect.stringContaining('500') });
  expect(data.searchLinks.hits[0]).toMatchObject({ score: 1, wordsPlace: 1, meaning: null });
});

test('the status follows a job that is canceled, one that expired, and one that kept taking its workers down', async () => {
  await links.api.superuser.query(
    `update millrace.job_definitions set paused_at = now() where key = 'scrape'`,
  );
  const [canceled, expired, poison] = [
    await links.submit(VIDEO),
    await links.submit(VIDEO),
    await links.submit(VIDEO),
  ];
  const admin = await links.api.token(links.tenantId, 'tenant_admin');
  const jobOf = async (id: string) =>
    (await links.api.superuser.query('select id from millrace.jobs where subject_id = $1', [id])).rows[0].id;
  await links.api.query(admin, `mutation ($id: ID!) { cancelJob(input: { id: $id }) { __typename } }`, {
    id: await jobOf(canceled),
  });
  expect(await links.until(canceled, 'failed')).toMatchObject({
    processing_error: expect.stringMatching(/^Canceled/),
  });
  await links.api.superuser.query(
    `update millrace.jobs set expires_at = now() - interval '1 second' where id = $1`,
    [await jobOf(expired)],
  );
  // As the leader leaves a job that has taken down one worker after the other.
  await links.api.superuser.query('update millrace.jobs set lost_lease_count = 4 where id = $1', [
    await jobOf(poison),
  ]);
  await links.api.superuser.query(
    `update millrace.job_definitions set paused_at = null where key = 'scrape'`,
  );
  expect(await links.until(expired, 'failed')).toMatchObject({
    processing_error: expect.stringMatching(/expired/i),
  });
  expect(await links.until(poison, 'failed')).toMatchObject({
    status: 'failed',
    processing_error: expect.stringMatching(/\S/),
  });
});
