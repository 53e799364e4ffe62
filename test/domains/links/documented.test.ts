import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startProgram } from '../../support/program.ts';
import { operations } from '../../support/rest-contract.ts';

/** The examples of a page, by their language, in their order. */
function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block]) => block as string,
  );
}

let api: TestApi;
let tenantId: string;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
  await api.superuser.query(`update millrace.tenants set slug = 'demo' where id = $1`, [tenantId]);
});
afterAll(() => api?.close());

const linksOf = async () =>
  (await api.superuser.query('select url, source_ref, created_by from millrace.links order by id')).rows;

describe('docs/links.md', () => {
  test('has GraphQL that does what it says', async () => {
    const [submit, search] = blocksOf('links.md', 'graphql');
    const submitted = await api.query(token, submit as string);
    expect(submitted).toMatchObject({
      errors: [],
      data: { submitLink: { isNew: true, link: { status: 'PENDING' } } },
    });
    expect((await api.query(token, search as string)).errors).toEqual([]);
    expect(await linksOf()).toMatchObject([{ source_ref: 'bookmark-7' }]);
  });

  test('has commands that do what they say: the same link again, and one of a database webhook', async () => {
    const [rest, webhook] = blocksOf('links.md', 'sh');
    const { stdout } = await promisify(execFile)('sh', [
      '-ec',
      `export API='${api.url}' TOKEN='${token}'\n${rest}\necho; echo ---\n${webhook}`,
    ]);
    const [byRest, byWebhook] = stdout.split('---\n');
    expect(byRest).toContain('"source_ref":"bookmark-7"');
    const answer = JSON.parse(byWebhook as string);
    expect(answer).toMatchObject({ is_new: true, link_id: expect.any(String) });
    expect((await linksOf()).at(-1)).toEqual({
      url: 'https://example.com/',
      source_ref: 'public.bookmarks:7',
      created_by: expect.stringMatching(/^webhook:/),
    });
    const { rows } = await api.superuser.query(
      `select d.key from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id where j.subject_id = $1`,
      [answer.link_id],
    );
    expect(rows).toEqual([{ key: 'scrape' }]);
  });

  test('has SQL that a login of its own can run', async () => {
    const [grants, insert] = blocksOf('links.md', 'sql');
    await api.superuser.query(`create role my_app; ${grants}`);
    const asked = (insert as string).replace('018f0000-0000-7000-8000-000000000001', tenantId);
    await api.superuser.query(asked.replace('begin;', 'begin; set local role my_app;'));
    expect((await linksOf()).at(-1)).toMatchObject({
      source_ref: 'row-7',
      created_by: expect.stringMatching(/^sql:/),
    });
  });

  test('names routes that there are', () => {
    const text = readFileSync(new URL('../../../docs/links.md', import.meta.url), 'utf8');
    const paths = operations.map(({ path }) => path.replace('/api/v1', ''));
    const named = [...text.matchAll(/(\/links[a-z_/{}]*)[` ,;]/g)].map(([, path]) => path as string);
    expect(named.length).toBeGreaterThan(4);
    for (const path of named) expect(paths, path).toContain(path);
  });
});

test('docs/pgmq.md has SQL that does what it says, after the command that it names', async () => {
  const [command] = blocksOf('pgmq.md', 'sh');
  expect(command?.trim()).toBe('millrace migrate --pgmq');
  const url = new URL(api.databaseUrl);
  const program = startProgram('src/main.ts', ['migrate', '--pgmq', '--pgmq-tenant', 'demo'], {
    DATABASE_URL: url.href,
  });
  expect([await program.ended(), program.stdout()]).toEqual([
    0,
    expect.stringContaining('schema pgmq: queues of demo'),
  ]);
  const results: unknown[] = [];
  for (const block of blocksOf('pgmq.md', 'sql'))
    for (const line of block.trim().split('\n')) results.push((await api.superuser.query(line)).rows);
  expect(results).toMatchObject([
    [{ create: '' }],
    [{ send: '1' }],
    [{ msg_id: '1', read_ct: 1, message: { url: 'https://example.com/' } }],
    [{ archive: true }],
    [{ enable_notify_insert: '' }],
    [],
  ]);
});
