import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../src/core/audit.ts';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { enumName } from '../../src/graphql/enum-name.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const documents = [...page.matchAll(/^```graphql\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);
const nameOf = (document: string) => /^(?:query|mutation) (\w+)/.exec(document)?.[1] ?? 'unnamed';

let api: TestApi;
let token: string;
let jobId: string;
let endedId: string;
beforeAll(async () => {
  api = await startTestApi();
  const tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'super_admin');
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
     select $1, id, now() + interval '1 day' from millrace.job_definitions where key = 'echo' returning id`,
    [tenantId],
  );
  jobId = rows[0].id;
  const ended = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, payload)
     select $1, id, 'succeeded', now(), '{"message":"as it was"}' from millrace.job_definitions where key = 'echo' returning id`,
    [tenantId],
  );
  endedId = ended.rows[0].id;
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, correlation_id)
     select $1, id, 'sync-42' from millrace.job_definitions where key = 'echo'`,
    [tenantId],
  );
});
afterAll(() => api.close());

/** What each document must come to. One that is not here fails the first test. */
const OUTCOMES: Record<string, object> = {
  StopNight: { startBulkAction: { bulkAction: { status: 'RUNNING' } } },
  StopSync: {
    cancelJobs: { matchedCount: 1, canceledCount: 1, requestedCount: 0, skipped: [], hasMore: false },
  },
  RetryNight: { retryJobs: { matchedCount: 0, retriedCount: 0 } },
  Replay: { replayJob: { job: { status: 'QUEUED', payload: { message: 'corrected' } } } },
  RunSooner: {
    updateJob: { job: { status: 'QUEUED', priority: 10, requestedFor: '2026-01-01T00:00:00.000Z' } },
  },
  Label: { updateJob: { job: { tags: ['reviewed'], metadata: { ticket: 4711 } } } },
  PauseEcho: { pauseJobDefinition: { definition: { key: 'echo', isPaused: true } } },
  ResumeEcho: { resumeJobDefinition: { definition: { key: 'echo', isPaused: false } } },
  Maintenance: {
    pauseTenant: { tenant: { isPaused: true } },
    resumeTenant: { tenant: { isPaused: false } },
  },
  LimitEcho: {
    updateJobDefinition: {
      definition: {
        maxRunning: 50,
        rateLimit: { count: 1000, periodSeconds: 60 },
        retentionSeconds: 604_800,
      },
    },
  },
  LimitTenant: {
    updateTenant: { tenant: { weight: 2, maxRunning: 20 } },
    setLaneLimit: { tenant: { laneLimits: [{ definition: { key: 'echo' }, maxRunning: 2 }] } },
  },
  Limits: { tenant: { weight: 2, isPaused: false } },
  NewTenant: { createTenant: { tenant: { slug: 'globex' } } },
  AllTenants: { tenants: { pageInfo: { hasNextPage: false } }, workers: [] },
  WhoCanceled: { auditLog: { nodes: [{ actor: 'user:alice', action: 'JOBS_CANCEL', targetType: 'JOBS' }] } },
};

describe('docs/operations.md', () => {
  it('has documents to try, each with an outcome here', () => {
    expect(documents.map(nameOf)).toEqual(Object.keys(OUTCOMES));
  });

  it.each(documents.map((document) => [nameOf(document), document]))(
    'does what it says when %s is pasted as it is',
    async (name, document) => {
      const variables = document.includes('$id') ? { id: name === 'Replay' ? endedId : jobId } : {};
      const answer = await api.query(token, document, variables);
      expect(answer.errors).toEqual([]);
      expect(answer.data).toMatchObject(OUTCOMES[name as string] as object);
    },
  );

  it('names every action that is kept, and no other', () => {
    const table = page.slice(page.indexOf('| target | actions |')).split('\n\n', 1)[0] ?? '';
    const named = [...table.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]);
    expect(named.toSorted()).toEqual(AUDIT_ACTIONS.map(enumName).toSorted());
  });

  it('says where the log of definitions stands', async () => {
    const document = '{ auditLog { nodes { action targetKey } } }';
    const headers = { 'x-millrace-tenant': SYSTEM_TENANT_ID };
    const answer = await api.query(token, document, {}, headers);
    expect(answer.data.auditLog.nodes).toEqual([
      { action: 'DEFINITION_UPDATE', targetKey: 'echo' },
      { action: 'DEFINITION_RESUME', targetKey: 'echo' },
      { action: 'DEFINITION_PAUSE', targetKey: 'echo' },
    ]);
  });
});
