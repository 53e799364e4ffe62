import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JOB_STATUSES } from '../../src/core/job.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// What a row of jobs may say together, whatever writes it, and what a write is stamped with.

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const FINAL = ['succeeded', 'failed', 'canceled', 'dead_letter'];

test('a status goes with its lease and its end, and with no others', async () => {
  const flags = [false, true];
  let taken = 0;
  for (const status of [...JOB_STATUSES, 'lost', ''])
    for (const hasToken of flags)
      for (const hasLeaseEnd of flags)
        for (const isFinished of flags) {
          const isRunning = status === 'running';
          const fits =
            (JOB_STATUSES as readonly string[]).includes(status) &&
            isRunning === hasToken &&
            isRunning === hasLeaseEnd &&
            FINAL.includes(status) === isFinished;
          const insert = q.superuser.query(
            `insert into millrace.jobs (tenant_id, definition_id, status, lease_token, lease_expires_at, finished_at)
             values ($1, $2, $3, case when $4 then gen_random_uuid() end, case when $5 then now() end, case when $6 then now() end)`,
            [tenantId, q.definitionId('alpha'), status, hasToken, hasLeaseEnd, isFinished],
          );
          if (fits) await insert;
          else await expect(insert).rejects.toMatchObject({ code: '23514', constraint: 'jobs_status_check' });
          if (fits) taken++;
        }
  expect(taken).toBe(JOB_STATUSES.length);
});

async function put(): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {} }]);
  return job?.id ?? '';
}

describe('a move that every day brings', () => {
  const claim = `status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 minute'`;
  const refused = { constraint: 'jobs_legal_move' };

  test.each([
    ['to another tenant', `tenant_id = (select id from millrace.tenants where id <> tenant_id limit 1)`],
    ['to another id', 'id = gen_random_uuid()'],
    ['without a new run', 'run_no = run_no'],
    ['two runs on', 'run_no = run_no + 2'],
  ])('is refused when it takes the job %s on the way', async (_what, set) => {
    await q.makeTenant();
    const id = await put();
    const base = set.startsWith('run_no') ? claim.replace('run_no = run_no + 1', set) : `${claim}, ${set}`;
    await expect(
      q.superuser.query(`update millrace.jobs set ${base} where id = $1`, [id]),
    ).rejects.toMatchObject(refused);
    await q.superuser.query(`update millrace.jobs set ${claim} where id = $1`, [id]);
    // And on its way out.
    const end = `status = 'failed', finished_at = now(), lease_token = null, lease_expires_at = null`;
    if (!set.startsWith('run_no'))
      await expect(
        q.superuser.query(`update millrace.jobs set ${end}, ${set} where id = $1`, [id]),
      ).rejects.toMatchObject(refused);
    await expect(
      q.superuser.query(`update millrace.jobs set ${end}, run_no = run_no + 1 where id = $1`, [id]),
    ).rejects.toMatchObject(refused);
    await q.superuser.query(`update millrace.jobs set ${end} where id = $1`, [id]);
    // From its end a claim is none of them.
    await expect(
      q.superuser.query(`update millrace.jobs set ${claim}, finished_at = null where id = $1`, [id]),
    ).rejects.toMatchObject(refused);
  });

  test('does not pass with a status that it has no right to', async () => {
    const id = await put();
    const leased = claim.replace(`'running'`, `'succeeded'`);
    await expect(
      q.superuser.query(`update millrace.jobs set ${leased} where id = $1`, [id]),
    ).rejects.toMatchObject({ code: '23514' });
  });
});

test('a change by any writer is a new version of its transaction; only a lease that our heartbeat renews is none', async () => {
  const id = await put();
  await q.claim();
  const stamp = async (): Promise<readonly unknown[]> => {
    const { version, changed_xid } = await q.job(id);
    return [version, changed_xid];
  };
  const renew = `update millrace.jobs set lease_expires_at = lease_expires_at + interval '1 minute' where id = $1`;
  const claimed = await stamp();
  await q.superuser.query(`set role millrace_worker; set millrace.checked = 'by_caller'`);
  await q.superuser.query(renew, [id]);
  expect(await stamp()).toEqual(claimed);
  // Not when it changes something else beside.
  await q.superuser.query(renew.replace('set ', `set priority = 7, version = version + 1, `), [id]);
  const [version, xid] = await stamp();
  expect(BigInt(version as string)).toBe(BigInt(claimed[0] as string) + 1n);
  expect(xid).not.toBe(claimed[1]);
  await q.superuser.query('reset role');
  // Said by anybody else, it is not believed.

  await q.superuser.query(renew, [id]);
  const renewed = await stamp();
  await q.superuser.query('reset millrace.checked');
  expect(BigInt(renewed[0] as string)).toBe(BigInt(version as string) + 1n);
  await q.superuser.query(`update millrace.jobs set version = 1, changed_xid = '1' where id = $1`, [id]);
  const stamped = await stamp();
  expect(BigInt(stamped[0] as string)).toBe(BigInt(renewed[0] as string) + 1n);
  expect(stamped[1]).not.toBe('1');
});
