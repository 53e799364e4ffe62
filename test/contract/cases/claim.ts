import { expect } from 'vitest';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';

export const claimCases: readonly ContractCase[] = [
  {
    name: 'no job is given to two claimers, however many claim at once',
    run: async (engine) => {
      const tenants = [await engine.makeTenant(), await engine.makeTenant()];
      const ids: string[] = [];
      for (const tenantId of tenants) {
        const inputs = Array.from({ length: 30 }, () => ({ definitionKey: 'plain', payload: {} }));
        ids.push(...(await engine.queue.enqueue(tenantId, inputs)).map(({ id }) => id));
      }
      const given: string[] = [];
      // Until a whole round finds nothing: claimers may leave each other rows that they lock at the same
      // moment.
      for (let found = -1; found !== given.length; ) {
        found = given.length;
        const claims = await Promise.all(
          Array.from({ length: 12 }, (_, n) => claimSome(engine, 3, { workerId: `worker-${n}` })),
        );
        given.push(...claims.flat().map(({ job }) => job.id));
      }
      expect(given.toSorted()).toEqual(ids.toSorted());
    },
  },
  {
    name: 'a claim says who has the job, until when, and under which run number',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const { job, lease, leaseSeconds } = await claimOne(engine, 'worker-x');
      expect(lease).toMatchObject({ jobId: id, runNo: 1 });
      expect(leaseSeconds).toBe(30);
      expect(job).toMatchObject({ status: 'running', claimedByWorker: 'worker-x' });
      expect(await engine.look(id)).toMatchObject({ status: 'running', runNo: 1, attemptCount: 0 });
    },
  },
  {
    name: 'a job is not claimed before its time',
    run: async (engine) => {
      const scheduledFor = new Date(Date.now() + 3_600_000);
      const id = await enqueueOne(engine, await engine.makeTenant(), { scheduledFor });
      expect((await engine.look(id)).waitSeconds).toBeGreaterThan(3_000);
      expect(await claimSome(engine, 10)).toEqual([]);
      await engine.makeDue(id);
      expect((await claimOne(engine)).job.id).toBe(id);
    },
  },
  {
    name: 'within a lane the lower priority number goes first, then the older job',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const [late, urgent, first, second] = [
        await enqueueOne(engine, tenantId, { priority: 200 }),
        await enqueueOne(engine, tenantId, { priority: 1 }),
        await enqueueOne(engine, tenantId),
        await enqueueOne(engine, tenantId),
      ];
      const order: string[] = [];
      for (let n = 0; n < 4; n++) {
        const claimed = await claimOne(engine);
        order.push(claimed.job.id);
        await engine.queue.finish(claimed, succeeded(), measured());
      }
      expect(order).toEqual([urgent, first, second, late]);
    },
  },
  {
    name: 'a worker gets no job of a definition that it has not named',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      await enqueueOne(engine, tenantId, { definitionKey: 'other' });
      expect(await claimSome(engine, 10)).toEqual([]);
      expect(await claimSome(engine, 10, { keys: ['plain', 'other'] })).toHaveLength(1);
    },
  },
  {
    name: 'a claim gives no more than it was asked for',
    run: async (engine) => {
      const inputs = Array.from({ length: 20 }, () => ({ definitionKey: 'plain', payload: {} }));
      await engine.queue.enqueue(await engine.makeTenant(), inputs);
      expect(await claimSome(engine, 7)).toHaveLength(7);
      expect(await claimSome(engine, 0)).toEqual([]);
      expect(await claimSome(engine, 100)).toHaveLength(13);
    },
  },
];
