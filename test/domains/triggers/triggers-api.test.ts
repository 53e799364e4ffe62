import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../src/db/database.ts';
import type { DispatchDeps } from '../../../src/domains/triggers/dispatch/deps.ts';
import { dispatchEvents } from '../../../src/domains/triggers/dispatch/dispatch-events.ts';
import { runSchedules } from '../../../src/domains/triggers/dispatch/run-schedules.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { dispatchDeps } from './dispatchers.ts';
import { scheduleReads } from './schedule-reads.ts';

let api: TestApi;
let tenantId: string;
let admin: string;
let member: string;
const dispatchers: { deps: DispatchDeps; database: Database }[] = [];

beforeAll(async () => {
  api = await startTestApi();
  for (let count = 0; count < 5; count++) {
    const database = new Database({
      connectionString: api.databaseUrl,
      rolePrefix: 'millrace',
      maxConnections: 2,
      applicationName: 'dispatcher',
      preparedStatements: true,
      onError: () => undefined,
    });
    dispatchers.push({ database, deps: dispatchDeps(database) });
  }
});
afterAll(async () => {
  await Promise.all(dispatchers.map(({ database }) => database.close()));
  await api.close();
});
beforeEach(async () => {
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
  member = await api.token(tenantId, 'member');
});

const FAILURE = '... on DomainFailure { code field allowed message }';

async function create(input: object, token = admin) {
  const answer = await api.query(
    token,
    `mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { __typename ${FAILURE}
       ... on CreateTriggerPayload { trigger { id uuid label kind eventName nextRunAt scheduleInWords timeZone isEnabled definition { key } } } } }`,
    { input },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.createTrigger;
}

async function emit(name: string, data: object = {}, token = member) {
  const answer = await api.query(
    token,
    `mutation ($input: EmitEventInput!) { emitEvent(input: $input) { __typename ${FAILURE} ... on EmitEventPayload { event { id uuid processedAt } } } }`,
    { input: { name, data } },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.emitEvent;
}

async function eventOf(id: string) {
  const answer = await api.query(
    member,
    `query ($id: ID!) { event(id: $id) { processedAt jobCount triggerCount runs(first: 10) { edges { node { outcome reason trigger { label }
       job { payload source sourceRef correlationId createdBy } } } } } }`,
    { id },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.event;
}

async function drain(step: (deps: DispatchDeps) => Promise<number>): Promise<void> {
  await Promise.all(
    dispatchers.map(async ({ deps }) => {
      while ((await step(deps)) > 0);
    }),
  );
}

async function jobsOf(tenant: string): Promise<readonly { payload: unknown; source_ref: string }[]> {
  const { rows } = await api.superuser.query(
    'select payload, source, source_ref from millrace.jobs where tenant_id = $1 order by id',
    [tenant],
  );
  return rows;
}

const byEvent = {
  label: 'On folder',
  definition: 'echo',
  eventName: 'provider.*',
  payloadTemplate: { message: '{{event.path}}', steps: '{{event.steps | default: 1}}' },
};

describe('an event', () => {
  test('makes one job at each trigger that listens to its name, and says of the others why not', async () => {
    await create(byEvent);
    await create({
      ...byEvent,
      label: 'Exact',
      eventName: 'provider.folder.updated',
      condition: { field: 'steps', gt: 5 },
    });
    await create({ ...byEvent, label: 'Off', isEnabled: false });
    await create({ ...byEvent, label: 'Broken', payloadTemplate: { message: '{{event.missing}}' } });
    await create({ ...byEvent, label: 'Refused', payloadTemplate: { message: '{{event.steps}}' } });
    await create({ ...byEvent, label: 'Another', eventName: 'provider.folder.deleted' });
    const { event } = await emit('provider.folder.updated', { path: '/in', steps: 3 });
    expect(event.processedAt).toBeNull();
    await drain(dispatchEvents);
    const seen = await eventOf(event.id);
    expect(seen).toMatchObject({ jobCount: 1, triggerCount: 5 });
    expect(seen.processedAt).not.toBeNull();
    const byLabel = Object.fromEntries(
      seen.runs.edges.map(({ node }: { node: { trigger: { label: string } } }) => [node.trigger.label, node]),
    );
    expect(byLabel['On folder']).toMatchObject({
      outcome: 'ENQUEUED',
      job: {
        payload: { message: '/in', steps: 3 },
        source: 'EVENT',
        sourceRef: event.uuid,
        correlationId: event.uuid,
        createdBy: 'user:alice',
      },
    });
    expect(byLabel['Exact']).toMatchObject({ outcome: 'CONDITION_FALSE', job: null });
    expect(byLabel['Off']).toMatchObject({ outcome: 'DISABLED' });
    expect(byLabel['Broken']).toMatchObject({
      outcome: 'TEMPLATE_ERROR',
      reason: expect.stringContaining('{{event.missing}} is missing'),
    });
    expect(byLabel['Refused']).toMatchObject({
      outcome: 'PAYLOAD_REFUSED',
      reason: expect.stringContaining('payload.message'),
    });
  });

  test('that no trigger listens to says so', async () => {
    const { event } = await emit('nobody.listens');
    await drain(dispatchEvents);
    expect(await eventOf(event.id)).toMatchObject({ jobCount: 0, triggerCount: 0, runs: { edges: [] } });
  });

  test('with the same payload within the window makes no second job; a window of 0 makes one each', async () => {
    await create(byEvent);
    await create({ ...byEvent, label: 'Each', dedupeWindowSeconds: 0 });
    for (let count = 0; count < 3; count++) await emit('provider.a', { path: '/same' });
    await drain(dispatchEvents);
    expect(await jobsOf(tenantId)).toHaveLength(1 + 3);
    const { rows } = await api.superuser.query(
      `select outcome, count(*)::int from millrace.trigger_runs where tenant_id = $1 group by 1 order by 1`,
      [tenantId],
    );
    expect(rows).toEqual([
      { outcome: 'duplicate', count: 2 },
      { outcome: 'enqueued', count: 4 },
    ]);
  });

  test('makes its jobs once however many dispatchers take part, and no tenant’s trigger hears another’s event', async () => {
    await create({ ...byEvent, dedupeWindowSeconds: 0 });
    const other = await api.makeTenant();
    const stranger = await api.token(other, 'tenant_admin');
    await create({ ...byEvent, dedupeWindowSeconds: 0 }, stranger);
    await api.superuser.query(
      `insert into millrace.app_events (tenant_id, name, data) select $1, 'provider.n', jsonb_build_object('path', n::text) from generate_series(1, 2000) n`,
      [tenantId],
    );
    await drain(dispatchEvents);
    const jobs = await jobsOf(tenantId);
    expect(jobs).toHaveLength(2000);
    expect(new Set(jobs.map(({ source_ref }) => source_ref)).size).toBe(2000);
    expect(await jobsOf(other)).toEqual([]);
  });

  test('is refused by field for a bad name, data and role', async () => {
    expect(await emit('Not Good')).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.name' });
    const answer = await api.query(
      member,
      `mutation { emitEvent(input: { name: "a", data: [1] }) { ${FAILURE} } }`,
    );
    expect(answer.data.emitEvent).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'input.data' });
    expect(await create(byEvent, member)).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a schedule', () => {
  const nightly = {
    label: 'Nightly',
    definition: 'echo',
    cron: '30 2 * * *',
    timeZone: 'Europe/Berlin',
    payloadTemplate: { message: '{{schedule.scheduledAt}}' },
  };

  async function makeDue(id: string, secondsAgo: number): Promise<void> {
    await api.superuser.query(
      `update millrace.triggers set next_at = date_trunc('second', now() - make_interval(secs => $2)), due_at = now() - make_interval(secs => $2) where id = $1`,
      [id, secondsAgo],
    );
  }

  test('is saved with its next run and its words', async () => {
    const { trigger } = await create(nightly);
    expect(trigger).toMatchObject({
      kind: 'SCHEDULE',
      scheduleInWords: 'At 02:30, every day',
      timeZone: 'Europe/Berlin',
      definition: { key: 'echo' },
    });
    expect(new Date(trigger.nextRunAt).getTime()).toBeGreaterThan(Date.now());
  });

  scheduleReads(() => ({ api, tenantId, admin, member, create, nightly }));

  test('enqueues each tick once with five schedulers, and carries its own time', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      const { trigger } = await create({
        ...nightly,
        cron: undefined,
        timeZone: undefined,
        everySeconds: 1,
        label: `s${count}`,
      });
      ids.push(trigger.uuid);
    }
    for (const id of ids) await makeDue(id, 30);
    await drain(runSchedules);
    const { rows } = await api.superuser.query(
      `select r.trigger_id, r.scheduled_at, j.payload->>'message' as message from millrace.trigger_runs r join millrace.jobs j on j.id = r.job_id
       where r.tenant_id = $1 and r.outcome = 'enqueued'`,
      [tenantId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(20 * 30);
    expect(new Set(rows.map((row) => `${row.trigger_id} ${row.message}`)).size).toBe(rows.length);
    for (const row of rows) expect(new Date(row.message)).toEqual(row.scheduled_at);
  });

  test('that was missed runs once, and goes on with its next time', async () => {
    const { trigger } = await create(nightly);
    await makeDue(trigger.uuid, 3 * 86_400);
    await drain(runSchedules);
    const { rows } = await api.superuser.query(
      'select outcome, reason from millrace.trigger_runs where trigger_id = $1 order by scheduled_at',
      [trigger.uuid],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['missed', 'enqueued']);
    const again = await api.query(member, 'query ($id: ID!) { trigger(id: $id) { nextRunAt lastRunAt } }', {
      id: trigger.id,
    });
    expect(new Date(again.data.trigger.nextRunAt).getTime()).toBeGreaterThan(Date.now());
  });

  test('does not start while its last job is active, where it is asked to', async () => {
    const { trigger } = await create({
      ...nightly,
      cron: undefined,
      timeZone: undefined,
      everySeconds: 3600,
      isSkippedWhileActive: true,
    });
    await makeDue(trigger.uuid, 5);
    await drain(runSchedules);
    await makeDue(trigger.uuid, 4);
    await drain(runSchedules);
    const { rows } = await api.superuser.query(
      'select outcome from millrace.trigger_runs where trigger_id = $1 order by scheduled_at',
      [trigger.uuid],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['enqueued', 'still_active']);
  });

  test('runs by hand, is paused and goes on from now, and is deleted with its record', async () => {
    const { trigger } = await create(nightly);
    const change = async (fields: object) =>
      await api.query(
        admin,
        `mutation ($input: UpdateTriggerInput!) { updateTrigger(input: $input) { ${FAILURE} ... on UpdateTriggerPayload { trigger { isEnabled nextRunAt } } } }`,
        { input: { id: trigger.id, ...fields } },
      );
    const run = await api.query(
      admin,
      `mutation ($input: RunScheduleNowInput!) { runScheduleNow(input: $input) { ${FAILURE} ... on RunScheduleNowPayload { job { source sourceRef } } } }`,
      { input: { id: trigger.id } },
    );
    expect(run.data.runScheduleNow.job).toEqual({ source: 'SCHEDULE', sourceRef: trigger.uuid });
    expect((await change({ isEnabled: false })).data.updateTrigger.trigger.isEnabled).toBe(false);
    await makeDue(trigger.uuid, 86_400);
    await drain(runSchedules);
    expect(await jobsOf(tenantId)).toHaveLength(1);
    const { data } = await change({ isEnabled: true });
    expect(new Date(data.updateTrigger.trigger.nextRunAt).getTime()).toBeGreaterThan(Date.now());
    expect((await change({ cron: '61 * * * *' })).data.updateTrigger).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'input.cron',
    });
    const gone = await api.query(
      admin,
      `mutation ($input: DeleteTriggerInput!) { deleteTrigger(input: $input) { ... on DeleteTriggerPayload { deletedTriggerId } } }`,
      { input: { id: trigger.id } },
    );
    expect(gone.data.deleteTrigger.deletedTriggerId).toBe(trigger.id);
    const { rows } = await api.superuser.query(
      'select action from millrace.audit_log where tenant_id = $1 order by id',
      [tenantId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'trigger.create',
      'trigger.run',
      'trigger.update',
      'trigger.update',
      'trigger.delete',
    ]);
  });

  test.each([
    [{ ...nightly, everySeconds: 5 }, 'everySeconds'],
    [{ ...nightly, timeZone: 'Mars/Base' }, 'timeZone'],
    [{ ...nightly, eventName: 'a' }, 'cron'],
    [{ ...nightly, cron: undefined }, ''],
    [{ ...nightly, payloadTemplate: { message: 7 } }, 'payloadTemplate.message'],
    [{ ...nightly, cron: undefined, timeZone: undefined, runAt: '2020-01-01T00:00:00Z' }, 'runAt'],
    [{ ...nightly, label: ' ' }, 'label'],
    [{ ...nightly, startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' }, 'endsAt'],
  ])('%j is refused at %s', async (input, field) => {
    expect(await create(input)).toMatchObject({ field: `input${field === '' ? '' : '.'}${field}` });
  });

  test('is previewed with marks where the clock changes, and tried without being saved', async () => {
    const preview = await api.query(
      member,
      `{ schedulePreview(input: { cron: "30 2 * * *", timeZone: "Europe/Berlin" }, count: 2, after: "2026-03-28T12:00:00Z") { scheduleInWords runs { scheduledAt localTime clockChange } } }`,
    );
    expect(preview.data.schedulePreview).toEqual({
      scheduleInWords: 'At 02:30, every day',
      runs: [
        {
          scheduledAt: '2026-03-29T01:00:00.000Z',
          localTime: '2026-03-29T03:00:00+02:00',
          clockChange: 'SHIFTED',
        },
        {
          scheduledAt: '2026-03-30T00:30:00.000Z',
          localTime: '2026-03-30T02:30:00+02:00',
          clockChange: 'NONE',
        },
      ],
    });
    const trial = await api.query(
      admin,
      `query ($input: TestTriggerInput!) { testTrigger(input: $input) { outcome reason payload } }`,
      {
        input: { trigger: byEvent, event: { name: 'provider.x', data: { path: '/p' } } },
      },
    );
    expect(trial.data.testTrigger).toEqual({
      outcome: 'ENQUEUED',
      reason: null,
      payload: { message: '/p', steps: 1, durationMs: 0, failTimes: 0 },
    });
    expect(await jobsOf(tenantId)).toEqual([]);
  });

  test.each([
    [{ ...byEvent, condition: { field: 'steps', gt: 5 } }, 'CONDITION_FALSE', null],
    [
      { ...byEvent, payloadTemplate: { message: '{{event.no}}' } },
      'TEMPLATE_ERROR',
      '{{event.no}} is missing',
    ],
    [{ ...byEvent, payloadTemplate: { message: 7, steps: '{{event.path}}' } }, 'PAYLOAD_REFUSED', 'payload.'],
    [{ ...byEvent, isEnabled: false }, 'DISABLED', null],
    [{ ...byEvent, eventName: 'another' }, null, null],
  ])('%j is tried to the outcome %s', async (trigger, outcome, reason) => {
    const event = { name: 'provider.x', data: { path: '/p', steps: 2 } };
    const { data } = await api.query(
      admin,
      'query ($input: TestTriggerInput!) { testTrigger(input: $input) { outcome reason payload } }',
      { input: { trigger, event } },
    );
    expect(data.testTrigger).toMatchObject({
      outcome,
      ...(reason !== null && { reason: expect.stringContaining(reason) }),
    });
    expect(await jobsOf(tenantId)).toEqual([]);
  });
});
