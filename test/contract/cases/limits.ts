import { expect } from 'vitest';
import type { ClaimedJob } from '../../../src/core/queue.ts';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimSome } from '../case.ts';
import type { Engine } from '../engine.ts';

async function enqueueMany(
  engine: Engine,
  tenantId: string,
  definitionKey: string,
  count: number,
): Promise<void> {
  await engine.queue.enqueue(
    tenantId,
    Array.from({ length: count }, () => ({ definitionKey, payload: {} })),
  );
}

/** Claims by many at once, again and again until nobody gets anything. */
async function claimAll(engine: Engine, key: string): Promise<ClaimedJob[]> {
  const all: ClaimedJob[] = [];
  for (let before = -1; before !== all.length; ) {
    before = all.length;
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) => claimSome(engine, 5, { keys: [key], workerId: `worker-${n}` })),
    );
    all.push(...claims.flat());
  }
  return all;
}

export const limitCases: readonly ContractCase[] = [
  {
    name: 'no more run at a time than the definition allows, however many claim at once',
    run: async (engine) => {
      for (let n = 0; n < 3; n++) await enqueueMany(engine, await engine.makeTenant(), 'three-at-a-time', 10);
      const running = await claimAll(engine, 'three-at-a-time');
      expect(running).toHaveLength(3);
      await engine.queue.finish(running[0] as ClaimedJob, succeeded(), measured());
      expect(await claimAll(engine, 'three-at-a-time')).toHaveLength(1);
    },
  },
  {
    name: 'each tenant has a limit of its own where the definition says so',
    run: async (engine) => {
      for (let n = 0; n < 3; n++) await enqueueMany(engine, await engine.makeTenant(), 'one-per-tenant', 5);
      const running = await claimAll(engine, 'one-per-tenant');
      expect(running).toHaveLength(3);
      expect(new Set(running.map(({ job }) => job.tenantId)).size).toBe(3);
    },
  },
  {
    name: 'a run whose lease has ended counts until it is taken back',
    run: async (engine) => {
      await enqueueMany(engine, await engine.makeTenant(), 'three-at-a-time', 5);
      const [lost] = await claimAll(engine, 'three-at-a-time');
      const jobId = lost?.lease.jobId ?? '';
      await engine.expireLease(jobId);
      expect(await claimAll(engine, 'three-at-a-time')).toEqual([]);
      expect(await engine.queue.rescue(10)).toEqual([jobId]);
      expect(await claimAll(engine, 'three-at-a-time')).toHaveLength(1);
    },
  },
];
