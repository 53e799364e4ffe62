import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../../support/program.ts';
import { waitFor } from '../../support/wait.ts';
import { ARTICLE } from './support/pages.ts';
import { type LinksPlatform, startLinks } from './support/platform.ts';

// Workers that are killed while they wait for a page or a model: the server holds an answer for as long as a
// test wants.

const LEASE_SECONDS = 2;

let server: Server;
let links: LinksPlatform;
let env: Readonly<Record<string, string>>;
let worker: Program;
/** How many requests of each path get no answer. */
const held = new Map<string, number>();
const asked: string[] = [];

const ANSWERS: Readonly<Record<string, (body: string) => unknown>> = {
  '/ai/chat/completions': () => ({
    choices: [
      {
        message: {
          content: JSON.stringify({ summary: 'Leases.', topics: ['leases'], entities: [] }),
        },
      },
    ],
  }),
  '/ai/embeddings': (body) => ({
    data: (JSON.parse(body) as { input: string[] }).input.map((_text, index) => ({
      index,
      embedding: [3, 4, 0],
    })),
  }),
};

function answer(path: string, body: string, response: ServerResponse): void {
  const waiting = held.get(path) ?? 0;
  asked.push(path);
  if (waiting > 0) {
    held.set(path, waiting - 1);
    return;
  }
  const json = ANSWERS[path];
  if (json !== undefined)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(json(body)));
  else if (path === '/robots.txt') response.writeHead(404).end();
  else response.setHeader('content-type', 'text/html').end(ARTICLE);
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    answer(new URL(request.url ?? '', 'http://x').pathname, body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const base = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
  links = await startLinks({ MILLRACE_AI_URL: `${base}/ai` }, false);
  env = {
    DATABASE_URL: links.api.databaseUrl,
    MILLRACE_STORAGE_DIR: links.api.storageDir,
    MILLRACE_DATA_DIR: links.api.storageDir,
    MILLRACE_AI_URL: `${base}/ai`,
    MILLRACE_OUTGOING_ALLOWED: '127.0.0.2',
    MILLRACE_LINK_HOST_DELAY_MS: '0',
    MILLRACE_JOB_TYPES: 'scrape,enrich',
  };
  worker = startWorker();
});
afterAll(async () => {
  await worker?.interrupt();
  await links?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

function startWorker(): Program {
  return startProgram('test/e2e/short-lease-worker.fixture.ts', [String(LEASE_SECONDS)], env);
}

const urlOf = (path: string) => `http://127.0.0.2:${(server.address() as AddressInfo).port}${path}`;
const timesAsked = (path: string) => asked.filter((each) => each === path).length;

/** Waits until the worker waits for an answer of this path, and kills it there. */
async function killAt(path: string, times: number): Promise<void> {
  await waitFor(() => timesAsked(path) === times, {
    describe: () => `${path} to be asked for ${times} times:\n${worker.stderr().slice(-2_000)}`,
  });
  await worker.kill();
  worker = startWorker();
}

async function runsOf(linkId: string) {
  const { rows } = await links.api.superuser.query(
    `select d.key, j.status, array(select a.status from millrace.job_attempts a where a.job_id = j.id order by a.attempt_no) as runs
     from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where j.subject_id = $1 order by d.key desc`,
    [linkId],
  );
  return rows;
}

async function countOf(table: string, linkId: string): Promise<number> {
  const { rows } = await links.api.superuser.query(
    `select count(*)::int from millrace.${table} where ${table === 'links' ? 'id' : 'link_id'} = $1`,
    [linkId],
  );
  return rows[0].count;
}

test('a link whose workers are killed while they read, sum up and embed is done once, with one text and one vector', async () => {
  for (const path of ['/post', '/ai/chat/completions', '/ai/embeddings']) held.set(path, 1);
  const id = await links.submit(urlOf('/post'), 'killed');
  await killAt('/post', 1);
  expect((await links.row(id)).status).toBe('scraping');
  await killAt('/ai/chat/completions', 1);
  expect(await links.row(id)).toMatchObject({ status: 'enriching', title: 'Queues in Postgres' });
  await killAt('/ai/embeddings', 1);
  expect(await links.row(id)).toMatchObject({ status: 'enriching', summary: null, embedded_by: null });
  expect(await links.until(id, 'done', 'failed')).toMatchObject({
    status: 'done',
    processing_error: null,
    summary: 'Leases.',
    embedded_by: 'text-embedding-3-small',
  });
  expect(await runsOf(id)).toEqual([
    { key: 'scrape', status: 'succeeded', runs: ['lost', 'succeeded'] },
    { key: 'enrich', status: 'succeeded', runs: ['lost', 'lost', 'succeeded'] },
  ]);
  for (const table of ['links', 'link_texts', 'link_vectors'])
    expect([table, await countOf(table, id)]).toEqual([table, 1]);
});

test('a link that takes three workers down is failed, says why, and is not read a fourth time', async () => {
  held.set('/poison', 9);
  const id = await links.submit(urlOf('/poison'));
  for (const times of [1, 2, 3]) await killAt('/poison', times);
  expect(await links.until(id, 'done', 'failed')).toMatchObject({
    status: 'failed',
    processing_error: expect.stringMatching(/^LostLease: All 3 attempts are spent, the last by a lost lease/),
  });
  expect(timesAsked('/poison')).toBe(3);
  expect(await runsOf(id)).toEqual([
    { key: 'scrape', status: 'dead_letter', runs: ['lost', 'lost', 'lost'] },
  ]);
  expect(await countOf('link_texts', id)).toBe(0);
});

test('a dead lease that somebody wrote with SQL, of a worker that never was, reaches its end like any other', async () => {
  await worker.interrupt();
  const id = await links.submit(urlOf('/post'));
  const { superuser } = links.api;
  const dead = `update millrace.jobs set status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(), claimed_by_worker = 'nobody',
     claimed_at = now() - interval '9 s', started_at = now() - interval '9 s', lease_expires_at = now() - interval '7 s'
     where subject_id = $1 and status = 'queued' returning id`;
  // Nobody runs its jobs; the duties of the leader are done all the same.
  worker = startProgram('test/e2e/short-lease-worker.fixture.ts', [String(LEASE_SECONDS)], {
    ...env,
    MILLRACE_JOB_TYPES: 'echo',
    MILLRACE_ECHO: '1',
  });
  for (const lost of [1, 2, 3]) {
    await waitFor(async () => (await superuser.query(dead, [id])).rowCount === 1, {
      describe: () => `lease ${lost} to be taken back:\n${worker.stderr().slice(-2_000)}`,
    });
  }
  await waitFor(
    async () =>
      (
        await superuser.query(
          `select from millrace.jobs where subject_id = $1 and status = 'queued' and attempt_count = 3`,
          [id],
        )
      ).rowCount,
    { describe: 'three attempts to be spent' },
  );
  await worker.interrupt();
  worker = startWorker();
  expect(await links.until(id, 'done', 'failed')).toMatchObject({
    status: 'failed',
    processing_error: expect.stringMatching(/^LostLease/),
  });
});
