import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob, LaneCursor } from '../../src/core/queue.ts';
import { classifyError } from '../../src/db/retryable.ts';
import { alpha, beta, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

// What others do to our rows while we work: open transactions, better rows that commit late, rows made by
// hand.

let q: TestQueue;
let other: pg.Client;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue([alpha, { ...beta, leaseSeconds: 3600 }]);
  other = new pg.Client({ connectionString: q.url });
  await other.connect();
});
beforeEach(async () => {
  await q.superuser.query('truncate millrace.jobs cascade');
  tenantId = await q.makeTenant();
});
afterAll(async () => {
  await other.end();
  await q.close();
});

async function running(count: number, definitionKey = 'alpha'): Promise<readonly ClaimedJob[]> {
  await q.queue.enqueue(
    tenantId,
    Array.from({ length: count }, () => ({ definitionKey, payload: {} })),
  );
  return q.claim(count);
}

/** Holds a row as an open transaction of somebody else does, while `work` goes on. */
async function whileLocked(id: string, work: () => Promise<void>): Promise<void> {
  await other.query('begin');
  await other.query('select 1 from millrace.jobs where id = $1 for update', [id]);
  try {
    await work();
  } finally {
    await other.query('rollback');
  }
}

const expire = (id: string) =>
  q.superuser.query(`update millrace.jobs set lease_expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);

describe('a row that somebody else holds', () => {
  test('does not keep the other leases of a worker from being renewed', async () => {
    const [held, free] = (await running(2)) as [ClaimedJob, ClaimedJob];
    await expire(free.job.id);
    await whileLocked(held.job.id, async () => {
      expect(await q.queue.heartbeat([held.lease, free.lease], [30, 30])).toEqual({
        lost: [],
        busy: [held.job.id],
        cancelRequested: [],
      });
      expect(await q.queue.rescue(10)).toEqual([]);
    });
    expect(await q.queue.heartbeat([held.lease], [30])).toEqual({ lost: [], busy: [], cancelRequested: [] });
  });

  test('does not keep what is settled beside it waiting, and settles once it is free', async () => {
    const jobs = await running(20);
    const held = jobs[7] as ClaimedJob;
    await whileLocked(held.job.id, async () => {
      const results = jobs.map((item) => q.queue.finish(item, succeeded(), measured()));
      const settled = await Promise.all(results.filter((_, i) => i !== 7));
      expect(new Set(settled)).toEqual(new Set(['settled']));
      await expect(results[7]).rejects.toMatchObject({ code: '55P03' });
      // What comes next does not wait for it either.
      const [next] = await running(1);
      expect(await q.queue.finish(next as ClaimedJob, succeeded(), measured())).toBe('settled');
    });
    expect(await q.queue.finish(held, succeeded(), measured())).toBe('settled');
  });
});

describe('rescue', () => {
  test('leaves leases alone that are longer than the database has been back, and no others', async () => {
    const [short] = (await running(1)) as [ClaimedJob];
    const [long] = (await running(1, 'beta')) as [ClaimedJob];
    await expire(short.job.id);
    await expire(long.job.id);
    expect(await q.queue.rescue(10, 10)).toEqual([]);
    expect(await q.queue.rescue(10, 60)).toEqual([short.job.id]);
    expect(await q.queue.rescue(10)).toEqual([long.job.id]);
  });

  test('is not stopped by a running row that was made by hand', async () => {
    const [lost] = (await running(1)) as [ClaimedJob];
    await expire(lost.job.id);
    await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, lease_token, lease_expires_at)
       values ($1, $2, 'running', gen_random_uuid(), now() - interval '1 hour')`,
      [tenantId, q.definitionId('alpha')],
    );
    expect(await q.queue.rescue(10)).toHaveLength(2);
  });
});

describe('claim', () => {
  test('never takes more than it was asked for, however many better rows commit while it looks', async () => {
    const tenants = [await q.makeTenant(), await q.makeTenant(), await q.makeTenant()];
    await q.superuser.query('update millrace.tenants set weight = 60 where id = $1', [tenants[0]]);
    let isDone = false;
    // Ever more urgent rows, into all lanes, as fast as one connection can.
    const rival = (async () => {
      for (let priority = 1_000_000; !isDone && priority > 0; priority -= 100) {
        await other.query(
          `insert into millrace.jobs (tenant_id, definition_id, priority)
           select t, $2, $3 from unnest($1::uuid[]) t, generate_series(1, 20)`,
          [tenants, q.definitionId('alpha'), priority],
        );
      }
    })();
    let after: LaneCursor | null = null;
    const sizes: number[] = [];
    const claimedSome = () => sizes.filter((size) => size > 0).length;
    const deadlineMs = performance.now() + 120_000;
    // Whichever of the two is given more of the machine.
    while (claimedSome() < 100 && performance.now() < deadlineMs) {
      const result: Awaited<ReturnType<typeof q.queue.claim>> = await q.queue.claim({
        workerId: 'w',
        definitionIds: [...q.definitions.keys()],
        limit: 64,
        after,
      });
      after = result.cursor;
      sizes.push(result.jobs.length);
    }
    isDone = true;
    await rival;
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
    expect(claimedSome()).toBe(100);
  });
});

describe('the verdict on an error', () => {
  test.each([
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, 'reconnect'],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'reconnect'],
    [{ code: 'ESOMETHINGNEW', syscall: 'connect' }, 'reconnect'],
    [{ code: 'ECONNRESET' }, 'reconnect'],
    [{ code: '57P01' }, 'reconnect'],
    [{ code: '25006' }, 'reconnect'],
    // As Prisma says what Postgres said: its own code in front, the other within.
    [{ code: 'P2039', meta: { driverAdapterError: { cause: { originalCode: '57P01' } } } }, 'reconnect'],
    [{ code: 'P1001' }, 'reconnect'],
    [{ code: '40P01' }, 'retryNow'],
    [{ code: '23505' }, 'fatal'],
    [{}, 'fatal'],
  ])('on %j is %s', (facts, verdict) => {
    expect(classifyError(Object.assign(new Error('it broke'), facts))).toBe(verdict);
  });

  test('on a silent connection is to make a new one', () => {
    expect(classifyError(new Error('Query read timeout'))).toBe('reconnect');
    expect(classifyError(new Error('Connection terminated unexpectedly'))).toBe('reconnect');
  });
});
