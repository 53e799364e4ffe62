import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClaimRequest } from '../../src/core/queue.ts';
import { AT, type ClaimEnd, claimJobs } from '../../src/db/sql/queue/claim-jobs.ts';
import { claimSingleLane, type SingleLaneEnd } from '../../src/db/sql/queue/claim-single-lane.ts';
import type { Statement } from '../../src/db/statement.ts';
import { singleLaneEnd, singleLaneRequest } from '../../src/queue/single-lane.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// The statement for one lane, held against the one for all. When a worker asks it: see single-lane.test.ts.

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

/** A statement's rows, by the worker role, and nothing of it stays. */
async function tried(statement: Statement, values: readonly unknown[]): Promise<readonly unknown[][]> {
  await q.superuser.query('begin');
  try {
    await q.superuser.query(`set local role millrace_worker; set local millrace.notify = 'after_commit'`);
    const { rows } = await q.superuser.query({
      text: statement.text,
      values: [...values],
      rowMode: 'array',
    });
    return rows;
  } finally {
    await q.superuser.query('rollback');
  }
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const job = fc.record({
  priority: fc.constantFrom(1, 100),
  source: fc.constantFrom('manual', 'schedule'),
  source_ref: maybe(fc.constant('nightly')),
  correlation_id: maybe(fc.constant('c')),
  subject: maybe(fc.constant('s')),
  is_late: fc.boolean(),
  is_future: fc.boolean(),
  expires: fc.boolean(),
  timeout_seconds: maybe(fc.integer({ min: 1, max: 100 })),
  attempt_count: fc.constantFrom(0, 2),
  reason: maybe(fc.constant('because')),
  last_error: maybe(fc.constant({ message: 'boom' })),
});

test('gives what the statement for all lanes gives, and leaves it the same rest of its turn', async () => {
  const scenario = fc.record({
    jobs: fc.array(job, { maxLength: 5 }),
    weight: fc.integer({ min: 1, max: 4 }),
    limit: fc.integer({ min: 0, max: 70 }),
    ahead: fc.option(
      fc.record({
        count: fc.integer({ min: 0, max: 70 }),
        keys: fc.subarray(['alpha', 'beta']),
      }),
      { nil: undefined },
    ),
    credit: fc.integer({ min: 0, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ jobs, weight, limit, ahead, credit }) => {
      await q.clear();
      await q.superuser.query('update millrace.tenants set weight = $2 where id = $1', [tenantId, weight]);
      await q.superuser.query(
        `insert into millrace.jobs
           (tenant_id, definition_id, payload, priority, source, source_ref, correlation_id, subject_type, subject_id,
            requested_for, scheduled_for, expires_at, timeout_seconds, attempt_count, reason, last_error)
         select $1, $2, jsonb_build_object('n', x.n), (x.j ->> 'priority')::int, x.j ->> 'source', x.j ->> 'source_ref',
                x.j ->> 'correlation_id', x.j ->> 'subject', x.j ->> 'subject',
                case when (x.j ->> 'is_late')::boolean then now() - interval '1 hour' end,
                case when (x.j ->> 'is_future')::boolean then now() + interval '1 hour' else now() end,
                case when (x.j ->> 'expires')::boolean then now() + interval '2 hours' end, (x.j ->> 'timeout_seconds')::int,
                (x.j ->> 'attempt_count')::int, x.j ->> 'reason', nullif(x.j -> 'last_error', 'null')
         from jsonb_array_elements($3::jsonb) with ordinality as x (j, n)`,
        [tenantId, q.definitionId('alpha'), JSON.stringify(jobs)],
      );
      const lane = { tenantId, definitionId: q.definitionId('alpha'), credit };
      const aheadIds = ahead?.keys.map((key) => q.definitionId(key)) ?? [];
      const request: ClaimRequest = {
        workerId: 'w',
        definitionIds: [...q.definitions.keys()],
        limit,
        after: lane,
        ...(ahead === undefined ? {} : { ahead: { count: ahead.count, definitionIds: aheadIds } }),
      };
      const ofAll = await tried(claimJobs, [
        ...['w', request.definitionIds, limit, ahead?.count ?? 0, aheadIds],
        ...[tenantId, lane.definitionId, credit, 32, [], [], [], [], [], [], true],
      ]);
      const ask = singleLaneRequest(request, 32);
      if (ask === undefined) {
        expect(ofAll.filter((row) => row[AT.id] !== null)).toEqual([]);
        return;
      }
      const ofLane = await tried(claimSingleLane, ['w', tenantId, lane.definitionId, ask.most, ask.isAhead]);
      const split = (rows: readonly unknown[][]) => ({
        jobs: rows.slice(0, -1).sort((a, b) => (String(a[AT.id]) < String(b[AT.id]) ? -1 : 1)),
        end: rows.at(-1)?.[AT.payload],
      });
      const [all, single] = [split(ofAll), split(ofLane)];
      expect(single.jobs).toEqual(all.jobs);
      const end = singleLaneEnd(ask, single.end as SingleLaneEnd, single.jobs.length);
      const { token: _, claimedUs: __, ...said } = end;
      expect(all.end as ClaimEnd).toMatchObject(said);
    }),
    { numRuns: 120 },
  );
});
