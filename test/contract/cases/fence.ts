import { expect } from 'vitest';
import { jobError, measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimedTwice, claimOne, enqueueOne } from '../case.ts';

export const fenceCases: readonly ContractCase[] = [
  {
    name: 'a run whose job another worker has claimed since settles nothing',
    run: async (engine) => {
      const { jobId, stale, current } = await claimedTwice(engine);
      const failed = { status: 'failed', error: jobError() } as const;
      for (const finish of [
        succeeded('stale'),
        { kind: 'final', settlement: failed },
        { kind: 'retry', delaySeconds: 0, error: jobError() },
        { kind: 'snooze', delaySeconds: 0, reason: 'later' },
        { kind: 'handBack' },
      ] as const) {
        expect(await engine.queue.finish(stale, finish, measured())).toBe('notOwner');
        expect(await engine.look(jobId)).toMatchObject({ status: 'running', runNo: current.lease.runNo });
      }
      expect(await engine.queue.finish(current, succeeded(), measured())).toBe('settled');
    },
  },
  {
    name: 'a run that has lost its job learns it from every verb that asks',
    run: async (engine) => {
      const { jobId, stale, current } = await claimedTwice(engine);
      expect(await engine.queue.holds(stale.lease)).toBe(false);
      expect(await engine.queue.holds(current.lease)).toBe(true);
      expect(await engine.queue.start(stale.lease)).toBe(false);
      expect(await engine.queue.start(current.lease)).toBe(true);
      expect((await engine.queue.heartbeat([stale.lease], [30])).lost).toEqual([jobId]);
      expect((await engine.queue.heartbeat([current.lease], [30])).lost).toEqual([]);
    },
  },
  {
    name: 'a run settles once: the second settlement changes nothing',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const claimed = await claimOne(engine);
      const results = await Promise.all([
        engine.queue.finish(claimed, succeeded(1), measured()),
        engine.queue.finish(claimed, { kind: 'retry', delaySeconds: 0, error: jobError() }, measured()),
      ]);
      expect(results.toSorted()).toEqual(['notOwner', 'settled']);
      expect(await engine.queue.finish(claimed, succeeded(2), measured())).toBe('notOwner');
      expect(await engine.attempts(id)).toHaveLength(1);
    },
  },
  {
    name: 'a lease with another token or run number is nobody’s',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const claimed = await claimOne(engine);
      const forged = [
        { ...claimed.lease, token: '00000000-0000-4000-8000-000000000000' },
        { ...claimed.lease, runNo: claimed.lease.runNo + 1 },
      ];
      for (const lease of forged) {
        expect(await engine.queue.holds(lease)).toBe(false);
        expect(await engine.queue.finish({ ...claimed, lease }, succeeded(), measured())).toBe('notOwner');
      }
      expect(await engine.look(id)).toMatchObject({ status: 'running' });
    },
  },
];
