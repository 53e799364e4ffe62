import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';
import { checkedClient, operations } from '../support/rest-contract.ts';

const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8');
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text as string,
  );

let api: TestApi;
let tenantId: string;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

describe('docs/rest.md', () => {
  test('has commands that do what it says when they are pasted as they are, one after the other', async () => {
    const script = blocks('sh').join('\necho; echo ---\n');
    const { stdout } = await promisify(execFile)('sh', [
      '-ec',
      `export API='${api.url}' TOKEN='${token}'\n${script}`,
    ]);
    const [made, operated = '', log, refused, twice = '', changes] = stdout.split('---\n');
    const job = JSON.parse(made as string);
    const [answer, problem] = blocks('json').map((text) => JSON.parse(text));
    expect(Object.keys(job)).toEqual(Object.keys(answer));
    const [, canceled, retried] = operated
      .trim()
      .replaceAll('}{', '}\n{')
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([canceled.status, canceled.reason, retried.status]).toEqual(['canceled', 'not needed', 'queued']);
    expect(log?.trim()).toBe('');
    expect(JSON.parse(refused as string)).toEqual(problem);
    const events = twice.trim().split('\n');
    expect([events[0], events.length]).toEqual([events[1], 2]);
    expect(changes).toBe('200\n412\n');
  });

  test('names routes that there are', () => {
    const paths = operations.map(({ path }) => path.replace('/api/v1', ''));
    for (const [, path] of page.matchAll(/`(?:GET|POST|PATCH)? ?(\/[a-z][a-z_/{}]*)`/g))
      if (!['/retry', '/replay', '/api/v1', '/api/v1/docs', '/api/v1/openapi'].includes(path as string))
        expect(paths, path).toContain(path);
  });
});

describe('an answer', () => {
  test('says the id of its request', async () => {
    const answer = await restClient(api.url, token).get('/jobs', { 'x-request-id': 'mine-1' });
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
  });
});

describe('the log of a job', () => {
  test('is text, JSON lines and a stream of events that goes on behind the last line', async () => {
    const { body: job } = await restClient(api.url, token).post('/jobs', {
      definition_key: 'echo',
      payload: { message: 'x' },
    });
    const write = (line: number) =>
      api.superuser.query(
        `insert into millrace.job_log_lines (tenant_id, job_id, run_no, line_no, level, message, logged_at)
         values ($1, $2, 1, $3::int, 'info', 'line ' || $3::int, now())`,
        [tenantId, job.id, line],
      );
    await write(1);
    await write(2);
    const rest = restClient(api.url, token);
    expect((await rest.get(`/jobs/${job.id}/log`, { accept: 'text/plain' })).body).toMatch(
      /^\S+ info line 1\n\S+ info line 2\n$/,
    );
    const lines = (await rest.get(`/jobs/${job.id}/log`, { accept: 'application/x-ndjson' })).headers.get(
      'content-type',
    );
    expect(lines).toMatch(/^application\/x-ndjson/);
    const { body: paged } = await checkedClient(api.url, token).get(`/jobs/${job.id}/log?limit=1`);
    expect(paged).toMatchObject({ data: [{ line_no: 1 }], has_more: true });
    await api.superuser.query(
      `update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`,
      [job.id],
    );
    const follow = async (after?: string) => {
      const response = await fetch(`${api.url}/api/v1/jobs/${job.id}/log?follow=1`, {
        headers: {
          authorization: `Bearer ${token}`,
          connection: 'close',
          ...(after !== undefined && { 'last-event-id': after }),
        },
      });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      return await response.text();
    };
    const all = await follow();
    expect(all.match(/^event: \w+/gm)).toEqual(['event: line', 'event: line', 'event: end']);
    expect(all).toContain('"line_no":2');
    expect((await follow(paged.next_cursor)).match(/"line_no":\d/g)).toEqual(['"line_no":2']);
  });

  test('is all of it in one answer, between cursors where they are given', async () => {
    const rest = restClient(api.url, token);
    const { body: job } = await rest.post('/jobs', { definition_key: 'echo', payload: { message: 'x' } });
    await api.superuser.query(
      `insert into millrace.job_log_lines (tenant_id, job_id, run_no, line_no, level, message, logged_at)
       select $1, $2, 1, n, 'info', 'line ' || n, now() from generate_series(1, 2500) n`,
      [tenantId, job.id],
    );
    const text = (await rest.get(`/jobs/${job.id}/log?all=1`)).body.split('\n');
    expect(text).toHaveLength(2_501);
    expect(text[2_499]).toMatch(/^\S+ info line 2500$/);
    const cursorOf = async (page: string) =>
      (await rest.get(`/jobs/${job.id}/log?limit=1${page}`)).body.next_cursor;
    const first = await cursorOf('');
    const third = await cursorOf(`&after=${await cursorOf(`&after=${first}`)}`);
    const between = await rest.get(`/jobs/${job.id}/log?all=1&after=${first}&before=${third}`, {
      accept: 'application/x-ndjson',
    });
    expect(JSON.parse(between.body)).toMatchObject({
      run_no: 1,
      line_no: 2,
      level: 'info',
      message: 'line 2',
    });
    expect(await rest.get(`/jobs/${job.id}/log?all=1&before=nonsense`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT', field: 'before' },
    });
  });
});
