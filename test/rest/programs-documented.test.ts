import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';
import { operations } from '../support/rest-contract.ts';

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const blocksOf = (page: string, kind: string) =>
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
afterAll(() => api?.close());

/** What the blocks print, one a block. */
async function pasted(blocks: readonly string[], env: Readonly<Record<string, string>>) {
  const script = blocks.join('\necho; echo ---\n');
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', API: api.url, ...env },
  });
  return stdout.split('---\n');
}

describe('docs/webhooks.md', () => {
  test('has commands that do what it says when they are pasted as they are, one after the other', async () => {
    const [endpoint, trigger, source, received] = await pasted(blocksOf(pageOf('webhooks'), 'sh'), {
      TOKEN: token,
    });
    const { id, secret } = JSON.parse(endpoint as string);
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.parse(trigger as string)).toMatchObject({
      definition_key: 'deliver-webhook',
      payload_template: { endpoint: id, data: '{{event.$data}}' },
    });
    expect(Object.keys(JSON.parse(source as string))).toEqual(['id', 'secret']);
    const { event_id: eventId, is_new: isNew } = JSON.parse(received as string);
    expect(isNew).toBe(true);
    const event = await restClient(api.url, token).get(`/events/${eventId}`);
    expect(event.body).toMatchObject({ name: 'build.done', data: { ref: 'main' } });
  });
});

describe('docs/remote-workers.md', () => {
  const page = pageOf('remote-workers');

  test('has mutations and commands that do what it says when they are pasted as they are', async () => {
    const [definition, key] = [...page.matchAll(/`(create\w+\(input: .*\))`/g)].map(([, field]) => field);
    const superAdmin = await api.token(SYSTEM_TENANT_ID, 'super_admin');
    const made = await api.query(superAdmin, `mutation { ${definition} { __typename } }`);
    expect(made.data).toEqual({ createJobDefinition: { __typename: 'CreateJobDefinitionPayload' } });
    const { data } = await api.query(
      token,
      `mutation { ${key} { ... on CreateApiKeyPayload { secret } ... on DomainFailure { message } } }`,
    );
    const rest = restClient(api.url, token);
    const { body: job } = await rest.post('/jobs', { definition_key: 'shout', payload: { text: 'Hello' } });
    const byHand = blocksOf(page, 'sh').filter((block) => block.includes('$KEY'));
    expect(byHand).toHaveLength(1);
    const [printed = ''] = await pasted(byHand, { KEY: data.createApiKey.secret });
    const [shown] = blocksOf(page, 'json').map((text) => JSON.parse(text));
    const answer = JSON.parse(printed.slice(printed.indexOf('{"job_id"')));
    expect(answer).toEqual({ ...shown, job_id: job.id });
    expect((await rest.get(`/jobs/${job.id}`)).body.result).toEqual({ text: 'HELLO' });
    const log = await rest.get(`/jobs/${job.id}/log`);
    expect(log.body.data).toMatchObject([{ message: 'half of it' }]);
  });

  test('names routes and mutations that there are', async () => {
    const verbs = [...page.matchAll(/^\| `POST (\S+)` \| `(\w+)` \|/gm)];
    expect(verbs.length).toBeGreaterThan(10);
    const paths = operations.map(({ path }) => path);
    const { data } = await api.query(token, '{ __schema { mutationType { fields { name } } } }');
    const fields = data?.__schema?.mutationType.fields.map(({ name }: { name: string }) => name);
    for (const [, path, field] of verbs) {
      expect(paths).toContain(`/api/v1${path}`);
      if (fields !== undefined) expect(fields).toContain(field);
    }
  });
});
