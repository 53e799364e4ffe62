import { expect } from 'vitest';
import { jobError, measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';

const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;

export const operatorCases: readonly ContractCase[] = [
  {
    name: 'a queued job is canceled at once',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await enqueueOne(engine, tenantId);
      expect(await engine.queue.cancel(tenantId, id, 'user:a', 'not wanted')).toEqual({ kind: 'canceled' });
      expect(await engine.look(id)).toMatchObject({ status: 'canceled', reason: 'not wanted' });
      expect(await claimSome(engine, 10)).toEqual([]);
    },
  },
  {
    name: 'a running job is asked to stop: it does not go back to the queue, and what it finishes counts',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const [first, second] = [await enqueueOne(engine, tenantId), await enqueueOne(engine, tenantId)];
      const jobs = await claimSome(engine, 2);
      for (const id of [first, second]) {
        expect(await engine.queue.cancel(tenantId, id, 'user:a', null)).toEqual({ kind: 'requested' });
        expect(await engine.look(id)).toMatchObject({ status: 'running' });
      }
      const leases = jobs.map(({ lease }) => lease);
      const { cancelRequested } = await engine.queue.heartbeat(leases, [30, 30]);
      expect(cancelRequested.toSorted()).toEqual([first, second].toSorted());
      const [one, two] = jobs;
      if (one === undefined || two === undefined) throw new Error('two jobs were to be claimed');
      for (const finish of [
        { kind: 'retry', delaySeconds: 0, error: jobError() },
        { kind: 'snooze', delaySeconds: 0, reason: 'later' },
        { kind: 'handBack' },
      ] as const)
        expect(await engine.queue.finish(one, finish, measured())).toBe('cancelRequested');
      const canceled = { kind: 'final', settlement: { status: 'canceled', reason: 'stopped' } } as const;
      expect(await engine.queue.finish(one, canceled, measured())).toBe('settled');
      expect(await engine.queue.finish(two, succeeded(), measured())).toBe('settled');
      expect(await engine.look(one.job.id)).toMatchObject({ status: 'canceled' });
      expect(await engine.look(two.job.id)).toMatchObject({ status: 'succeeded' });
    },
  },
  {
    name: 'a retry gives a job that has failed a fresh budget and keeps its run numbers',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await enqueueOne(engine, tenantId);
      await engine.queue.finish(await claimOne(engine), failed, measured());
      expect(await engine.look(id)).toMatchObject({ status: 'failed', attemptCount: 1, runNo: 1 });
      expect(await engine.queue.retry(tenantId, id)).toEqual({ kind: 'queued' });
      expect(await engine.look(id)).toMatchObject({ status: 'queued', attemptCount: 0, runNo: 1 });
      expect((await claimOne(engine)).lease.runNo).toBe(2);
    },
  },
  {
    name: 'a job that runs is not retried, and one that has succeeded never changes again',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await enqueueOne(engine, tenantId);
      const claimed = await claimOne(engine);
      expect(await engine.queue.retry(tenantId, id)).toEqual({ kind: 'stillRunning' });
      await engine.queue.finish(claimed, succeeded(), measured());
      const refused = { kind: 'wrongState', status: 'succeeded' };
      expect(await engine.queue.retry(tenantId, id)).toEqual(refused);
      expect(await engine.queue.cancel(tenantId, id, 'user:a', null)).toEqual(refused);
      expect(await engine.look(id)).toMatchObject({ status: 'succeeded', runNo: 1 });
    },
  },
  {
    name: 'a retry of a job whose dedupe key is active again names the active one',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await enqueueOne(engine, tenantId, { dedupeKey: 'same' });
      await engine.queue.finish(await claimOne(engine), failed, measured());
      const jobId = await enqueueOne(engine, tenantId, { dedupeKey: 'same' });
      expect(await engine.queue.retry(tenantId, id)).toEqual({ kind: 'activeDuplicate', jobId });
      expect(await engine.look(id)).toMatchObject({ status: 'failed' });
    },
  },
  {
    name: 'another tenant’s job is not there, whatever is asked of it',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const stranger = await engine.makeTenant();
      expect(await engine.queue.cancel(stranger, id, 'user:b', null)).toEqual({ kind: 'notFound' });
      expect(await engine.queue.retry(stranger, id)).toEqual({ kind: 'notFound' });
      expect(await engine.look(id)).toMatchObject({ status: 'queued' });
    },
  },
];
