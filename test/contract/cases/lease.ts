import { expect } from 'vitest';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';

export const leaseCases: readonly ContractCase[] = [
  {
    name: 'a job whose lease has ended is given to another worker, and the lost run is on record',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      await claimOne(engine, 'worker-a');
      await engine.expireLease(id);
      expect(await engine.queue.rescue(10), 'the rescue finds it').toEqual([id]);
      expect(await engine.look(id)).toMatchObject({ status: 'queued', attemptCount: 1, lostLeaseCount: 1 });
      expect(await engine.attempts(id)).toEqual([{ runNo: 1, status: 'lost' }]);
      await engine.makeDue(id);
      expect((await claimOne(engine, 'worker-b')).lease).toMatchObject({ jobId: id, runNo: 2 });
    },
  },
  {
    name: 'a job whose lease runs is left alone by the rescue and by other claims',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const { lease } = await claimOne(engine);
      expect(await engine.queue.rescue(10)).toEqual([]);
      expect(await claimSome(engine, 10, { workerId: 'worker-b' })).toEqual([]);
      expect(await engine.queue.holds(lease)).toBe(true);
      expect(await engine.look(id)).toMatchObject({ status: 'running', lostLeaseCount: 0 });
    },
  },
  {
    name: 'a heartbeat renews a lease, also one that has ended while nobody claimed the job',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const claimed = await claimOne(engine);
      await engine.expireLease(id);
      const answer = await engine.queue.heartbeat([claimed.lease], [30]);
      expect(answer).toEqual({ lost: [], busy: [], cancelRequested: [] });
      expect(await engine.queue.rescue(10)).toEqual([]);
      expect(await engine.queue.finish(claimed, succeeded(), measured())).toBe('settled');
    },
  },
  {
    name: 'a lease that has ended still settles its job while nobody else has it',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant());
      const claimed = await claimOne(engine);
      await engine.expireLease(id);
      expect(await engine.queue.finish(claimed, succeeded(), measured())).toBe('settled');
      expect(await engine.look(id)).toMatchObject({
        status: 'succeeded',
        attemptCount: 0,
        lostLeaseCount: 0,
      });
      expect(await engine.queue.rescue(10)).toEqual([]);
    },
  },
];
