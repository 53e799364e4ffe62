import { expect } from 'vitest';
import { type ContractCase, claimSome, enqueueOne } from '../case.ts';

export const fairnessCases: readonly ContractCase[] = [
  {
    name: 'a tenant with few jobs is served at once beside one with many, and the many go on',
    run: async (engine) => {
      const [large, small] = [await engine.makeTenant(), await engine.makeTenant()];
      const inputs = Array.from({ length: 300 }, () => ({ definitionKey: 'plain', payload: {} }));
      await engine.queue.enqueue(large, inputs);
      for (let n = 0; n < 3; n++) await enqueueOne(engine, small);
      const claimed = await claimSome(engine, 10);
      expect(claimed).toHaveLength(10);
      expect(claimed.filter(({ job }) => job.tenantId === small)).toHaveLength(3);
    },
  },
  {
    name: 'a worker that goes on from where it stopped comes to every tenant in turn',
    run: async (engine) => {
      const tenants: string[] = [];
      for (let n = 0; n < 6; n++) {
        const tenantId = await engine.makeTenant();
        tenants.push(tenantId);
        for (let job = 0; job < 5; job++) await enqueueOne(engine, tenantId);
      }
      const served: string[] = [];
      let after: Parameters<typeof engine.queue.claim>[0]['after'] = null;
      for (let n = 0; n < 6; n++) {
        const definitionIds = [engine.definitionId('plain')];
        const { jobs, cursor } = await engine.queue.claim({
          workerId: 'worker-a',
          definitionIds,
          limit: 1,
          after,
        });
        served.push(...jobs.map(({ job }) => job.tenantId));
        after = cursor;
      }
      expect(served.toSorted()).toEqual(tenants.toSorted());
    },
  },
  {
    name: 'tenants that have nothing to run now do not keep a claim from one that has',
    run: async (engine) => {
      const scheduledFor = new Date(Date.now() + 3_600_000);
      for (let n = 0; n < 40; n++) await enqueueOne(engine, await engine.makeTenant(), { scheduledFor });
      const id = await enqueueOne(engine, await engine.makeTenant());
      expect((await claimSome(engine, 1)).map(({ job }) => job.id)).toEqual([id]);
    },
  },
];
