import { expect } from 'vitest';
import { jobError, measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';

export const budgetCases: readonly ContractCase[] = [
  {
    name: 'a retry spends an attempt, waits its time, and keeps the error',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const finish = { kind: 'retry', delaySeconds: 600, error: jobError() } as const;
      expect(await engine.queue.finish(await claimOne(engine), finish, measured())).toBe('settled');
      const seen = await engine.look(id);
      expect(seen).toMatchObject({ status: 'queued', attemptCount: 1, snoozeCount: 0, errorType: 'Error' });
      expect(seen.waitSeconds).toBeGreaterThan(500);
      expect(seen.waitSeconds).toBeLessThanOrEqual(600);
      expect(await claimSome(engine, 10)).toEqual([]);
      expect(await engine.attempts(id)).toEqual([{ runNo: 1, status: 'failed' }]);
    },
  },
  {
    name: 'a snooze and a hand-back spend none; only the snooze is counted, and only the hand-back is on record',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const snooze = { kind: 'snooze', delaySeconds: 0, reason: 'not ready' } as const;
      await engine.queue.finish(await claimOne(engine), snooze, measured());
      expect(await engine.look(id)).toMatchObject({ status: 'queued', attemptCount: 0, snoozeCount: 1 });
      await engine.makeDue(id);
      await engine.queue.finish(await claimOne(engine), { kind: 'handBack' }, measured());
      expect(await engine.look(id)).toMatchObject({ status: 'queued', attemptCount: 0, snoozeCount: 1 });
      expect(await engine.attempts(id)).toEqual([{ runNo: 2, status: 'interrupted' }]);
    },
  },
  {
    name: 'the run number grows at every claim and never falls',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const endings = [
        { kind: 'handBack' },
        { kind: 'snooze', delaySeconds: 0, reason: 'later' },
        { kind: 'retry', delaySeconds: 0, error: jobError() },
        succeeded(),
      ] as const;
      for (const [index, finish] of endings.entries()) {
        const claimed = await claimOne(engine);
        expect(claimed.lease.runNo).toBe(index + 1);
        await engine.queue.finish(claimed, finish, measured());
        if (index < endings.length - 1) await engine.makeDue(id);
      }
      expect(await engine.look(id)).toMatchObject({ runNo: 4, status: 'succeeded' });
    },
  },
  {
    name: 'a settled run sets the count of lost leases back, a hand-back does not',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant(), { maxAttempts: 10 });
      await claimOne(engine);
      await engine.expireLease(id);
      await engine.queue.rescue(10);
      await engine.makeDue(id);
      await engine.queue.finish(await claimOne(engine), { kind: 'handBack' }, measured());
      expect(await engine.look(id)).toMatchObject({ lostLeaseCount: 1, attemptCount: 1 });
      await engine.makeDue(id);
      const retry = { kind: 'retry', delaySeconds: 0, error: jobError() } as const;
      await engine.queue.finish(await claimOne(engine), retry, measured());
      expect(await engine.look(id)).toMatchObject({ lostLeaseCount: 0, attemptCount: 2 });
    },
  },
  {
    name: 'every end of a run is the job’s status, and a final one is not claimed again',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const settlements = [
        { status: 'succeeded', skippedReason: null, result: { n: 1 }, artifacts: [] },
        { status: 'succeeded', skippedReason: 'nothing to do', result: null, artifacts: [] },
        { status: 'failed', error: jobError() },
        { status: 'dead_letter', error: jobError() },
        { status: 'canceled', reason: 'not wanted' },
      ] as const;
      for (const settlement of settlements) {
        const id = await enqueueOne(engine, tenantId);
        const claimed = await claimOne(engine);
        expect(await engine.queue.finish(claimed, { kind: 'final', settlement }, measured())).toBe('settled');
        expect(await engine.look(id)).toMatchObject({ status: settlement.status });
      }
      expect(await claimSome(engine, 10)).toEqual([]);
      expect(await engine.queue.rescue(10)).toEqual([]);
    },
  },
];
