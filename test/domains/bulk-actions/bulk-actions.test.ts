import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneBulkActionsDuty } from '../../../src/domains/bulk-actions/duties/prune-bulk-actions.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openDatabase } from '../../support/queue.ts';
import { checkedClient } from '../../support/rest-contract.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket } from '../../support/ws.ts';

let api: TestApi;
let tenantId: string;
let token: string;
beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
  });
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

/** Jobs of tomorrow. */
async function enqueue(count: number, tag: string): Promise<void> {
  await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, tags, scheduled_for)
     select $1, id, '{"message": "x"}', array[$3], now() + interval '1 day'
     from millrace.job_definitions, generate_series(1, $2) where key = 'echo'`,
    [tenantId, count, tag],
  );
}

const START = `mutation ($input: StartBulkActionInput!) { startBulkAction(input: $input) { __typename
  ... on StartBulkActionPayload { bulkAction { id uuid status verb } } ... on DomainFailure { code field } } }`;

async function start(input: object) {
  return (await api.query(token, START, { input })).data.startBulkAction;
}

async function countOf(status: string, tag: string): Promise<number> {
  const { rows } = await api.superuser.query(
    'select count(*)::integer as count from millrace.jobs where tenant_id = $1 and status = $2 and $3 = any(tags)',
    [tenantId, status, tag],
  );
  return rows[0].count;
}

describe('a bulk action', () => {
  it('cancels all that match, and its stream shows how far it is until its end', async () => {
    await enqueue(1_200, 'night');
    await enqueue(3, 'day');
    const { bulkAction } = await start({
      verb: 'CANCEL',
      filter: { tags: ['night'] },
      reason: 'Not tonight',
    });
    expect(bulkAction.status).toBe('RUNNING');
    const socket = openSocket(api.server.graphqlUrl, { token });
    const watching = socket.subscribe(
      `subscription { bulkActionChanged(id: "${bulkAction.id}") { status doneCount matchedCount hasMore failedCount isStopRequested failure finishedAt } }`,
    );
    const { data } = await watching.next(
      (each) => each.data?.bulkActionChanged.status !== 'RUNNING',
      'the end',
    );
    expect(data.bulkActionChanged).toMatchObject({
      status: 'SUCCEEDED',
      doneCount: 1_200,
      matchedCount: 1_200,
      hasMore: false,
      failedCount: 0,
      failure: null,
    });
    expect(data.bulkActionChanged.finishedAt).not.toBeNull();
    watching.stop();
    await socket.close();
    expect([await countOf('canceled', 'night'), await countOf('queued', 'day')]).toEqual([1_200, 3]);
    const { rows } = await api.superuser.query(
      `select action, sum(coalesce((details ->> 'changedCount')::integer, 0))::integer as count
       from millrace.audit_log where tenant_id = $1 group by action order by action`,
      [tenantId],
    );
    expect(rows).toEqual([
      { action: 'bulk_action.start', count: 0 },
      { action: 'jobs.cancel', count: 1_200 },
    ]);
  });

  it('retries what was canceled, over REST, where it can be read, listed and stopped', async () => {
    const client = checkedClient(api.url, token);
    await enqueue(5, 'rest');
    const canceled = await client.post('/jobs/bulk/cancel', { filter: { tags: ['rest'] } });
    expect(canceled.status).toBe(202);
    const path = `/jobs/bulk/${canceled.body.id}`;
    expect(canceled.headers.get('location')).toBe(`/api/v1${path}`);
    await waitFor(async () => (await client.get(path)).body.status === 'succeeded', { describe: 'its end' });
    const retried = await client.post('/jobs/bulk/retry', { filter: { tags: ['rest'] }, spread_seconds: 60 });
    await waitFor(async () => (await countOf('queued', 'rest')) === 5, { describe: 'five queued jobs' });
    const listed = await client.get('/jobs/bulk?limit=2');
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([retried.body.id, canceled.body.id]);
    await waitFor(
      async () => (await client.get(`/jobs/bulk/${retried.body.id}`)).body.status === 'succeeded',
      {
        describe: 'its end',
      },
    );
    // It has ended: nothing is left to stop.
    expect((await client.post(`/jobs/bulk/${retried.body.id}/stop`)).body).toMatchObject({
      status: 'succeeded',
      done_count: 5,
      is_stop_requested: false,
    });
  });

  it('is stopped after the batch under way, and leaves the rest', async () => {
    await enqueue(3_000, 'stopped');
    // Held by another transaction: its batch waits, so that there is time to stop it.
    await api.superuser.query('begin');
    await api.superuser.query(
      `select from millrace.jobs where id = (select id from millrace.jobs where 'stopped' = any(tags) order by id limit 1) for update`,
    );
    const { bulkAction } = await start({ verb: 'CANCEL', filter: { tags: ['stopped'] } });
    const STOP = `mutation { stopBulkAction(input: { id: "${bulkAction.id}" }) { ... on StopBulkActionPayload { bulkAction { isStopRequested } } } }`;
    const stopped = await api.query(token, STOP);
    await api.superuser.query('rollback');
    expect(stopped.data.stopBulkAction.bulkAction.isStopRequested).toBe(true);
    const READ = `{ bulkAction(id: "${bulkAction.id}") { status doneCount matchedCount } bulkActions(first: 1) { nodes { uuid } } }`;
    await waitFor(async () => (await api.query(token, READ)).data.bulkAction.status === 'STOPPED', {
      describe: 'it to stop',
    });
    const { data } = await api.query(token, READ);
    expect(data.bulkAction.doneCount).toBeLessThanOrEqual(500);
    expect(await countOf('canceled', 'stopped')).toBe(data.bulkAction.doneCount);
    expect(data.bulkActions.nodes).toEqual([{ uuid: bulkAction.uuid }]);
  });

  it('is forgotten thirty days after its end, and never before it has ended', async () => {
    await enqueue(2, 'old');
    const made: string[] = [];
    for (const _ of ['ended long ago', 'ended lately']) {
      const { bulkAction } = await start({ verb: 'CANCEL', filter: { tags: ['old'] } });
      made.push(bulkAction.uuid);
    }
    const READ = '{ bulkActions(first: 50) { nodes { uuid status } } }';
    const listed = async (): Promise<{ uuid: string; status: string }[]> =>
      (await api.query(token, READ)).data.bulkActions.nodes;
    await waitFor(async () => (await listed()).every(({ status }) => status !== 'RUNNING'), {
      describe: 'their ends',
    });
    const age = (uuid: string | undefined, days: number) =>
      api.superuser.query(
        'update millrace.bulk_actions set finished_at = clock_timestamp() - make_interval(days => $2) where id = $1',
        [uuid, days],
      );
    await age(made[0], 31);
    await age(made[1], 29);
    const before = await listed();
    const database = openDatabase(api.databaseUrl, 1);
    try {
      const turn = { goOn: () => true, upSeconds: 0, pause: async () => undefined };
      expect(await pruneBulkActionsDuty({ database }).run(turn)).toEqual({ rows: 1 });
      expect(await listed()).toEqual(before.filter(({ uuid }) => uuid !== made[0]));
      // What it did stays on record.
      const { rows } = await api.superuser.query(
        `select 1 from millrace.audit_log where action = 'bulk_action.start' and target_id = $1`,
        [made[0]],
      );
      expect(rows).toHaveLength(1);
      await api.superuser.query(
        `update millrace.bulk_actions set status = 'running', finished_at = null, held_until = 'infinity', holder = gen_random_uuid(),
           created_at = now() - interval '1 year' where id = $1`,
        [made[1]],
      );
      expect(await pruneBulkActionsDuty({ database }).run(turn)).toEqual({ rows: 0 });
    } finally {
      await database.close();
    }
  });

  it('is refused with the field at fault before anything begins', async () => {
    expect(await start({ verb: 'CANCEL', filter: {} })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.filter',
    });
    expect(await start({ verb: 'RETRY', filter: { definitions: ['ecko'] } })).toMatchObject({
      code: 'UNKNOWN_DEFINITION',
      field: 'input.filter.definitions[0]',
    });
    expect(await start({ verb: 'RETRY', filter: { tags: ['x'] }, spreadSeconds: -1 })).toMatchObject({
      field: 'input.spreadSeconds',
    });
  });
});
