import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { openStream } from '../support/sse.ts';

let api: TestApi;
let tenantId: string;
const jobs: { id: string; status: string; createdBy: string; isAsked: boolean }[] = [];

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  for (const createdBy of ['user:alice', 'user:bob'])
    for (const status of ['queued', 'asked', 'succeeded', 'failed', 'dead_letter', 'canceled']) {
      const stored = status === 'asked' ? 'queued' : status;
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, created_by, status, finished_at, cancel_requested_at)
         select $1, id, $2, $3, case when $3 = 'queued' then null else now() end, case when $4 then now() end
         from millrace.job_definitions where key = 'echo' returning id`,
        [tenantId, createdBy, stored, status === 'asked'],
      );
      jobs.push({ id: rows[0].id, status: stored, createdBy, isAsked: status === 'asked' });
    }
});
afterAll(() => api.close());

const FIELDS = 'uuid viewerCanCancel viewerCanRetry';

async function keyWith(scopes: readonly string[]): Promise<string> {
  const key = newApiKey();
  await api.superuser.query(
    `insert into millrace.api_keys (tenant_id, name, role, key_hash, scopes) values ($1, 'k', 'tenant_admin', $2, $3)`,
    [tenantId, hashApiKey(key), scopes],
  );
  return key;
}

it('viewerCanCancel and viewerCanRetry follow state, ownership, role and scopes', async () => {
  const callers = [
    { token: await api.token(tenantId, 'member', { subject: 'alice' }), owns: ['user:alice'] },
    { token: await api.token(tenantId, 'tenant_admin'), owns: ['user:alice', 'user:bob'] },
    { token: await keyWith(['jobs:read', 'jobs:write']), owns: ['user:alice', 'user:bob'] },
    { token: await keyWith(['jobs:read']), owns: [] },
  ];
  for (const { token, owns } of callers) {
    const answer = await api.query(token, `{ jobs(first: 50) { nodes { ${FIELDS} } } }`);
    expect(answer.errors).toEqual([]);
    const expected = jobs.map(({ id, status, createdBy, isAsked }) => ({
      uuid: id,
      viewerCanCancel: owns.includes(createdBy) && status === 'queued' && !isAsked,
      viewerCanRetry: owns.includes(createdBy) && ['failed', 'dead_letter', 'canceled'].includes(status),
    }));
    expect(answer.data.jobs.nodes).toHaveLength(jobs.length);
    expect(answer.data.jobs.nodes).toEqual(expect.arrayContaining(expected));
  }
});

it('two members who ask the same of one stream are each sent what they may do themselves', async () => {
  const job = jobs.find(
    ({ status, createdBy, isAsked }) => status === 'queued' && createdBy === 'user:alice' && !isAsked,
  );
  const streams: Awaited<ReturnType<typeof openStream>>[] = [];
  const document = `subscription { jobChanged(id: "${job?.id}") { ${FIELDS} } }`;
  for (const [sub, isOwner] of [
    ['alice', true],
    ['bob', false],
  ] as const) {
    const stream = await openStream(
      api.server.graphqlUrl,
      await api.token(tenantId, 'member', { subject: sub }),
      document,
    );
    const first = await stream.next(() => true, 'the first event');
    expect(JSON.stringify(first)).toContain(`"viewerCanCancel":${isOwner}`);
    // Kept open while the next one subscribes: streams of one document are shared where they may be.
    streams.push(stream);
  }
  for (const stream of streams) stream.stop();
});
