import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EnqueueInput, Finish } from '../../src/core/queue.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

// What travels in columns, of which some stand for every row and some are omitted: each job must get all of
// its own.

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const tomorrow = new Date(Date.now() + 86_400_000);
const text = fc.constantFrom('plain', 'with "quotes"', 'back\\slash', '{a,b}', 'NULL', 'Ünï☃', 'a,b');

const input: fc.Arbitrary<EnqueueInput> = fc
  .record({
    definitionKey: fc.constantFrom('alpha', 'beta'),
    payload: fc.constantFrom<unknown>({}, { text: 'a "b" \\ c' }, [1, 2], null),
    createdBy: optional(text),
    priority: optional(fc.constantFrom(0, 7, 100)),
    source: optional(fc.constantFrom('event' as const, 'manual' as const)),
    sourceRef: optional(text),
    correlationId: optional(text),
    subject: optional(fc.constant({ type: 'thing', id: 'a "thing"' })),
    scheduledFor: optional(fc.constantFrom(new Date(0), tomorrow)),
    expiresAt: optional(fc.constant(new Date(tomorrow.getTime() + 1000))),
    timeoutSeconds: optional(fc.constantFrom(1, 9)),
    maxAttempts: optional(fc.constantFrom(1, 7)),
  })
  .map((made) => made as EnqueueInput);

/** The rows in the order of the ids, without what differs by itself. */
async function rowsOf(ids: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await q.superuser.query(
    `select j.*, d.key as definition from unnest($1::uuid[]) with ordinality as t (id, n) join millrace.jobs j using (id)
     join millrace.job_definitions d on d.id = j.definition_id order by t.n`,
    [ids],
  );
  return rows.map(({ id, changed_xid, queued_at, dedupe_key, scheduled_for, ...row }) => ({
    ...row,
    isDue: scheduled_for <= new Date(),
  }));
}

describe('jobs in bulk', () => {
  test('are the same with a dedupe key each, which go another way, as without', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(input, { minLength: 2, maxLength: 12 }), async (inputs) => {
        const keyed = inputs.map((one, n) => ({ ...one, dedupeKey: `key ${n} "\\` }));
        const plain = await q.queue.enqueue(tenantId, inputs);
        const others = await q.queue.enqueue(tenantId, keyed);
        const rows = await rowsOf(plain.map(({ id }) => id));
        expect(rows).toEqual(await rowsOf(others.map(({ id }) => id)));
        expect(rows.map(({ definition }) => definition)).toEqual(
          inputs.map(({ definitionKey }) => definitionKey),
        );
        await q.clear();
      }),
      { numRuns: 40 },
    );
  });

  test('have ids that no two share, in the order given', async () => {
    const bulks = await Promise.all(
      Array.from({ length: 8 }, () =>
        q.queue.enqueue(
          tenantId,
          Array.from({ length: 2_000 }, () => ({ definitionKey: 'alpha', payload: {} })),
        ),
      ),
    );
    for (const bulk of bulks) expect(bulk.map(({ id }) => id)).toEqual(bulk.map(({ id }) => id).toSorted());
    expect(new Set(bulks.flat().map(({ id }) => id)).size).toBe(16_000);
    const { rows } = await q.superuser.query(
      `select bool_and(uuid_extract_version(id) = 7) as are_v7,
              bool_and(uuid_extract_timestamp(id) between now() - interval '1 minute' and now() + interval '1 s') as are_of_now
       from millrace.jobs`,
    );
    expect(rows[0]).toEqual({ are_v7: true, are_of_now: true });
  });

  test('are refused one by one: the others of the statement are written', async () => {
    const results = await q.queue.enqueueMany(tenantId, [
      { definitionKey: 'alpha', payload: 1 },
      { definitionKey: 'nobody', payload: 2 },
      { definitionKey: 'beta', payload: 3, expiresAt: new Date(0) },
      { definitionKey: 'beta', payload: 4 },
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['created', 'invalid', 'invalid', 'created']);
    const { rows } = await q.superuser.query('select payload from millrace.jobs order by id');
    expect(rows.map(({ payload }) => payload)).toEqual([1, 4]);
  });
});

describe('a claimed job', () => {
  test('is the row that it was claimed from, whatever it has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(input, { minLength: 1, maxLength: 8 }), async (inputs) => {
        const due = inputs.map((one) => ({ ...one, scheduledFor: null }));
        const keyed = due.map((one, n) => (n % 3 === 0 ? { ...one, dedupeKey: `key ${n}` } : one));
        const ids = (await q.queue.enqueue(tenantId, keyed)).map(({ id }) => id);
        await q.superuser.query(
          `update millrace.jobs set attempt_count = 1, snooze_count = 2, lost_lease_count = 1, last_error = '{"type": "E", "code": null}',
             reason = 'before' where id = $1`,
          [ids[0]],
        );
        for (const { job, lease, timeoutSeconds } of await q.claim(20)) {
          const row = await q.job(job.id);
          expect(job).toMatchObject({
            tenantId: row['tenant_id'],
            definitionId: row['definition_id'],
            source: row['source'],
            sourceRef: row['source_ref'],
            status: row['status'],
            priority: row['priority'],
            payload: row['payload'],
            dedupeKey: row['dedupe_key'],
            correlationId: row['correlation_id'],
            subject: row['subject_id'] === null ? null : { type: row['subject_type'], id: row['subject_id'] },
            attemptCount: row['attempt_count'],
            maxAttempts: row['max_attempts'],
            runNo: row['run_no'],
            lostLeaseCount: row['lost_lease_count'],
            snoozeCount: row['snooze_count'],
            timeoutSeconds: row['timeout_seconds'],
            claimedByWorker: row['claimed_by_worker'],
            lastError: row['last_error'],
            reason: row['reason'],
            createdBy: row['created_by'],
            version: BigInt(row['version'] as string),
          });
          // The driver's dates end with the millisecond.
          for (const [ours, column] of [
            [job.scheduledFor, 'scheduled_for'],
            [job.queuedAt, 'queued_at'],
            [job.expiresAt, 'expires_at'],
            [job.claimedAt, 'claimed_at'],
            [job.startedAt, 'started_at'],
          ] as const)
            expect(ours?.getTime() ?? null).toBe((row[column] as Date | null)?.getTime() ?? null);
          expect(lease).toEqual({ jobId: job.id, runNo: 1, token: row['lease_token'] });
          expect(timeoutSeconds).toBe(row['timeout_seconds'] ?? 3600);
        }
        await q.clear();
      }),
      { numRuns: 25 },
    );
  });

  test.each(['one lane', 'two lanes'])('comes in the order of priority and time, from %s', async (lanes) => {
    const other = lanes === 'one lane' ? 'alpha' : 'beta';
    const priorities = [5, 1, 5, 3, 1];
    await q.queue.enqueue(
      tenantId,
      priorities.map((priority, n) => ({ definitionKey: n % 2 ? other : 'alpha', payload: n, priority })),
    );
    expect((await q.claim(10)).map(({ job }) => job.payload)).toEqual([1, 4, 3, 0, 2]);
  });
});

describe('runs that end together', () => {
  const ends: readonly (readonly [Finish, Record<string, unknown>])[] = [
    [succeeded({ n: 1 }), { status: 'succeeded', result: { n: 1 }, last_error: null }],
    [succeeded(null), { status: 'succeeded', result: null }],
    [
      { kind: 'retry', delaySeconds: 60, error: jobError('boom') },
      { status: 'queued', attempt_count: 1, last_error: expect.objectContaining({ message: 'boom' }) },
    ],
    [
      { kind: 'snooze', delaySeconds: 9, reason: 'not, "yet"' },
      { status: 'queued', reason: 'not, "yet"' },
    ],
    [
      { kind: 'final', settlement: { status: 'canceled', reason: 'no' } },
      { status: 'canceled', reason: 'no' },
    ],
  ];

  test('get each its own end, alike or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(ends.length - 1), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (picks, isUniformBatch) => {
          const which = isUniformBatch ? picks.map(() => picks[0] as number) : picks;
          await q.queue.enqueue(
            tenantId,
            which.map((n) => ({ definitionKey: 'alpha', payload: n })),
          );
          const claimed = await q.claim(20);
          const settled = claimed.map((one) => {
            const [finish] = ends[one.job.payload as number] as (typeof ends)[number];
            return q.queue.finish(one, finish, measured());
          });
          expect(new Set(await Promise.all(settled))).toEqual(new Set(['settled']));
          for (const { job } of claimed)
            expect(await q.job(job.id)).toMatchObject(ends[job.payload as number]?.[1] ?? {});
          await q.clear();
        },
      ),
      { numRuns: 30 },
    );
  });
});
