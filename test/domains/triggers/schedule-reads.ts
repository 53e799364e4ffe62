import { expect, test } from 'vitest';
import type { TestApi } from '../../support/api.ts';

interface Tools {
  readonly api: TestApi;
  readonly tenantId: string;
  readonly admin: string;
  readonly member: string;
  readonly nightly: object;
  create(input: object): Promise<{ readonly trigger: { readonly id: string; readonly uuid: string } }>;
}

/** What is read of schedules that are saved. */
export function scheduleReads(tools: () => Tools): void {
  test('says its next runs with what clock changes do to them, and none while it is disabled', async () => {
    const { trigger } = await tools().create({
      ...tools().nightly,
      cron: '30 2 29-30 3 *',
      startsAt: '2099-01-01T00:00:00Z',
    });
    const runs = async (count?: number) =>
      await tools().api.query(
        tools().member,
        `query ($id: ID!, $count: Int) { trigger(id: $id) { nextRunAt nextRuns(count: $count) { scheduledAt localTime clockChange } } }`,
        { id: trigger.id, count },
      );
    const { nextRunAt, nextRuns } = (await runs(2)).data.trigger;
    expect(nextRuns).toEqual([
      {
        scheduledAt: '2099-03-29T01:00:00.000Z',
        localTime: '2099-03-29T03:00:00+02:00',
        clockChange: 'SHIFTED',
      },
      {
        scheduledAt: '2099-03-30T00:30:00.000Z',
        localTime: '2099-03-30T02:30:00+02:00',
        clockChange: 'NONE',
      },
    ]);
    expect(nextRunAt).toBe(nextRuns[0].scheduledAt);
    expect((await runs()).data.trigger.nextRuns).toHaveLength(3);
    expect((await runs(21)).errors[0]?.extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'count',
    });
    await tools().api.query(
      tools().admin,
      'mutation ($input: UpdateTriggerInput!) { updateTrigger(input: $input) { __typename } }',
      { input: { id: trigger.id, isEnabled: false } },
    );
    expect((await runs(2)).data.trigger.nextRuns).toEqual([]);
  });

  test('is found by whether its last run failed, by its job or without one', async () => {
    const made: Record<string, string> = {};
    for (const label of ['failed', 'refused', 'duplicate', 'well', 'recovered', 'never'])
      made[label] = (await tools().create({ ...tools().nightly, label })).trigger.uuid;
    const job = async (message: string): Promise<string> => {
      const { data } = await tools().api.query(
        tools().member,
        'mutation ($payload: JSON!) { enqueueJob(input: { definition: "echo", payload: $payload }) { ... on EnqueueJobPayload { job { uuid } } } }',
        { payload: { message } },
      );
      return data.enqueueJob.job.uuid;
    };
    const [failed, well] = [await job('bad'), await job('good')];
    // Not by a worker, which alone may move a job so.
    await tools().api.superuser.query(
      `set session_replication_role = replica; update millrace.jobs set status = 'dead_letter', finished_at = now() where id = '${failed}';
       reset session_replication_role`,
    );
    for (const [label, outcome, jobId] of [
      ['failed', 'enqueued', failed],
      ['refused', 'payload_refused', null],
      ['duplicate', 'duplicate', null],
      ['well', 'enqueued', well],
      ['recovered', 'template_error', null],
      ['recovered', 'enqueued', well],
    ] as const)
      await tools().api.superuser.query(
        'insert into millrace.trigger_runs (tenant_id, trigger_id, outcome, job_id) values ($1, $2, $3, $4)',
        [tools().tenantId, made[label], outcome, jobId],
      );
    const labels = async (lastRunFailed: boolean): Promise<string[]> => {
      const { data } = await tools().api.query(
        tools().member,
        'query ($filter: TriggerFilter) { triggers(filter: $filter) { nodes { label } } }',
        { filter: { kind: 'SCHEDULE', lastRunFailed } },
      );
      return data.triggers.nodes.map((node: { label: string }) => node.label).sort();
    };
    expect(await labels(true)).toEqual(['failed', 'refused']);
    expect(await labels(false)).toEqual(['duplicate', 'never', 'recovered', 'well']);
    const rest = await fetch(`${tools().api.url}/api/v1/jobs/triggers?last_run_failed=true`, {
      headers: { authorization: `Bearer ${tools().member}`, connection: 'close' },
    });
    expect(((await rest.json()) as { data: unknown[] }).data).toHaveLength(2);
  });
}
