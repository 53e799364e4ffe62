import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EnqueueInput } from '../../src/core/queue.ts';
import { insertRows } from '../../src/queue/insert-rows.ts';
import type { NewJob, Outcome } from '../../src/queue/new-jobs.ts';
import { READY_CHANNELS } from '../../src/queue/notifications.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// One job without key and parents has a statement of its own, and so have several that are alike, beside the
// one for all that have neither.

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const statements: string[] = [];

function insert(
  jobs: readonly NewJob[],
  evenDeletedTenants = false,
  notifying: typeof READY_CHANNELS | null = null,
): Promise<readonly Outcome[]> {
  return insertRows(
    (statement, values) => {
      statements.push(statement.name);
      return q.db.asWorker(statement, values);
    },
    jobs,
    { evenDeletedTenants, notifying },
  );
}

/** The job by its own statement, as one of two that are alike, and as one of two that are not. */
async function insertEachWay(job: NewJob, evenDeletedTenants = false): Promise<readonly Outcome[]> {
  const by = async (jobs: readonly NewJob[], name: string): Promise<Outcome> => {
    statements.length = 0;
    const [outcome] = await insert(jobs, evenDeletedTenants);
    expect(statements[0]).toBe(name);
    return outcome as Outcome;
  };
  const other = { ...job, input: { ...job.input, createdBy: 'somebody else' } };
  return [
    await by([job], 'insert_one_job'),
    await by([job, job], 'insert_uniform_batch'),
    await by([job, other], 'insert_plain_jobs'),
  ];
}

test('leaves the same row by each statement, whatever is asked for', async () => {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  // Not so near that it passes between the two.
  const around = fc.oneof(
    fc.integer({ min: -3_600_000, max: -1 }),
    fc.integer({ min: 60_000, max: 3_600_000 }),
  );
  const input = fc.record({
    priority: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
    source: fc.option(fc.constantFrom('manual', 'event', 'schedule', 'system'), { nil: undefined }),
    sourceRef: maybe(fc.string({ minLength: 1, maxLength: 20 })),
    correlationId: maybe(fc.constantFrom('c', 'é"\\{}')),
    subject: maybe(fc.constant({ type: 'video', id: '"1"' })),
    scheduledInMs: maybe(around),
    expiresInMs: maybe(fc.integer({ min: 4_000_000, max: 9_000_000 })),
    timeoutSeconds: maybe(fc.integer({ min: 1, max: 604_800 })),
    maxAttempts: maybe(fc.integer({ min: 1, max: 1000 })),
    createdBy: maybe(fc.constantFrom('me', '{"a"}')),
    replayOf: maybe(fc.uuid()),
    tags: maybe(fc.array(fc.constantFrom('a', 'NULL', 'é"\\{},'), { maxLength: 4 })),
    metadata: maybe(
      fc.dictionary(
        fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__'),
        fc.constantFrom(1, 'é"\\{}', null),
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      input,
      fc.jsonValue(),
      async ({ scheduledInMs, expiresInMs, replayOf, ...rest }, payload) => {
        const nowMs = Date.now();
        const at = (ms: number | null) => (ms === null ? null : new Date(nowMs + ms));
        const job: NewJob = {
          tenantId,
          input: {
            ...rest,
            definitionKey: 'alpha',
            payload,
            scheduledFor: at(scheduledInMs),
            expiresAt: at(expiresInMs),
          } as EnqueueInput,
          payloadJson: JSON.stringify(payload),
          revision: null,
          start: null,
          ...(replayOf !== null && { replayOf }),
        };
        const outcomes = await insertEachWay(job);
        const { rows } = await q.superuser.query<{ row: object; is_now: boolean; is_listed: boolean }>(
          `select to_jsonb(j) - '{id,queued_at,scheduled_for,changed_xid}'::text[] as row,
                  case when j.scheduled_for > j.queued_at then j.scheduled_for end as later,
                  j.queued_at between now() - interval '1 minute' and clock_timestamp() as is_now,
                  exists (select from millrace.tenant_jobs t where t.tenant_id = j.tenant_id and t.job_id = j.id) as is_listed
           from unnest($1::uuid[]) with ordinality as i (id, at) join millrace.jobs j on j.id = i.id order by i.at`,
          [outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : null))],
        );
        expect(rows.length).toBe(3);
        expect(rows[1]).toEqual(rows[0]);
        expect(rows[2]).toEqual(rows[0]);
        expect(rows[0]).toMatchObject({ is_now: true, is_listed: true });
        const tags = [...new Set(rest.tags)];
        const metadata = { ...rest.metadata };
        expect(rows[0]?.row).toMatchObject({
          tags: tags.length === 0 ? null : tags,
          metadata: Object.keys(metadata).length === 0 ? null : metadata,
        });
      },
    ),
    { numRuns: 60 },
  );
});

const plain = (
  values: Partial<Omit<NewJob, 'input'>> & { readonly input?: Partial<EnqueueInput> } = {},
): NewJob => ({
  tenantId,
  payloadJson: '{}',
  revision: null,
  start: null,
  ...values,
  input: { definitionKey: 'alpha', payload: {}, ...values.input },
});

test('each statement says the same of a job that cannot go in, and writes nothing', async () => {
  const deleted = await q.makeTenant();
  await q.superuser.query('update millrace.tenants set deleted_at = now() where id = $1', [deleted]);
  await q.superuser.query(`update millrace.job_definitions set is_active = false where key = 'beta'`);
  const gone = '00000000-0000-4000-8000-000000000000';
  const soon = new Date(Date.now() + 1_000);
  try {
    const seen: unknown[] = [];
    for (const job of [
      plain({ tenantId: gone }),
      plain({ tenantId: deleted }),
      plain({ revision: '1' }),
      plain({ input: { definitionKey: 'nobody' } }),
      plain({ input: { definitionKey: 'beta' } }),
      plain({ input: { expiresAt: new Date(Date.now() - 1) } }),
      plain({ input: { expiresAt: soon, scheduledFor: new Date(soon.getTime() + 1) } }),
    ]) {
      const [one, uniform, plain] = await insertEachWay(job);
      expect(uniform).toEqual(one);
      expect(plain).toEqual(one);
      seen.push(one?.kind === 'refused' ? one.error.code : one?.kind);
    }
    expect(seen).toEqual([
      'UnknownTenant',
      'UnknownTenant',
      'stale',
      'UnknownDefinition',
      'DefinitionInactive',
      'InvalidArgument',
      'InvalidArgument',
    ]);
    expect((await q.superuser.query('select from millrace.jobs')).rowCount).toBe(0);

    // The next stage of a job that ends meanwhile.
    const outcomes = await insertEachWay(plain({ tenantId: deleted }), true);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'created', 'created']);
  } finally {
    await q.superuser.query(`update millrace.job_definitions set is_active = true where key = 'beta'`);
  }
});

test('leaves out of jobs that are alike those whose end has passed, each by its place', async () => {
  const past = new Date(Date.now() - 60_000);
  const later = new Date(Date.now() + 60_000);
  const jobs = [null, past, later, past, null].map((expiresAt, n) =>
    plain({ payloadJson: `{"n":${n}}`, input: { expiresAt } }),
  );
  statements.length = 0;
  const outcomes = await insert(jobs);
  expect(statements).toEqual(['insert_uniform_batch']);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'refused', 'created', 'refused', 'created']);
  const { rows } = await q.superuser.query(
    `select i.at, j.payload from unnest($1::uuid[]) with ordinality as i (id, at) join millrace.jobs j on j.id = i.id order by i.at`,
    [outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.id : null))],
  );
  expect(rows).toEqual([0, 2, 4].map((n) => ({ at: String(n + 1), payload: { n } })));
  expect((await q.superuser.query('select from millrace.jobs')).rowCount).toBe(3);
});

test('notifies with the commit when it is asked to, and only if there is a job', async () => {
  const heard: string[] = [];
  const listener = q.superuser;
  listener.on('notification', ({ channel }) => heard.push(channel));
  for (const channel of READY_CHANNELS) await listener.query(`listen ${channel}`);
  try {
    expect(
      (await insert([plain({ input: { definitionKey: 'nobody' } })], false, READY_CHANNELS))[0]?.kind,
    ).toBe('refused');
    expect((await insert([plain()]))[0]).toMatchObject({ kind: 'created', isNotified: false });
    await listener.query('select 1');
    expect(heard).toEqual([]);
    expect((await insert([plain()], false, READY_CHANNELS))[0]).toMatchObject({
      kind: 'created',
      isNotified: true,
    });
    // An answer brings along what was notified before it.
    await listener.query('select 1');
    expect([...heard].sort()).toEqual([...READY_CHANNELS].sort());
  } finally {
    await listener.query('unlisten *');
    listener.removeAllListeners('notification');
  }
});
