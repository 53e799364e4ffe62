import { expect } from 'vitest';
import type { DueJobs } from '../../../src/core/maintenance-queue.ts';
import type { Finish } from '../../../src/core/queue.ts';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, enqueueOne } from '../case.ts';
import type { Engine } from '../engine.ts';
import { workerPresence } from '../presence.ts';

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;
const ERROR = { type: 'Broken', message: 'It is.', timestamp: new Date(0).toISOString(), retryCount: 0 };
const DEAD: Finish = { kind: 'final', settlement: { status: 'dead_letter', error: ERROR } };

/** Deletes what is due, of everything that is kept a day. */
async function deleteAllDue({ queue }: Engine): Promise<number> {
  let deleted = 0;
  for (const due of await queue.dueForDeletion(DAY_SECONDS)) {
    let rest: DueJobs = due;
    for (let isDone = false; !isDone; ) {
      const deletion = await queue.deleteDue(rest, 10);
      deleted += deletion.deletedCount;
      ({ rest, isDone } = deletion);
    }
    await queue.rememberLooked(rest);
  }
  return deleted;
}

/** What the leader of the workers asks of an engine. */
export const maintenanceCases: readonly ContractCase[] = [
  {
    name: 'a delayed job is made ready once its time has come, and once',
    run: async (engine) => {
      const later = { scheduledFor: new Date(Date.now() + HOUR_MS) };
      const id = await enqueueOne(engine, await engine.makeTenant(), later);
      expect(await engine.queue.promoteDue(10, 'all')).toBe(0);
      await engine.letComeDue(id);
      expect(await engine.queue.promoteDue(10, 'all')).toBe(1);
      expect(await engine.queue.promoteDue(10, 'all')).toBe(0);
      expect((await claimOne(engine)).lease.jobId).toBe(id);
    },
  },
  {
    name: 'in a backlog of due jobs each lane has its share',
    run: async (engine) => {
      const tenants = [await engine.makeTenant(), await engine.makeTenant()];
      const later = { scheduledFor: new Date(Date.now() + HOUR_MS) };
      for (const tenantId of tenants)
        for (let nth = 0; nth < 2; nth++) await engine.letComeDue(await enqueueOne(engine, tenantId, later));
      expect(await engine.queue.promoteDue(1, 'eachLane')).toBe(2);
      expect(await engine.queue.promoteDue(10, 'eachLane')).toBe(2);
    },
  },
  {
    name: 'running jobs are counted, and those among them whose lease has ended too long ago',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      await enqueueOne(engine, tenantId);
      const lost = await enqueueOne(engine, tenantId);
      await claimOne(engine);
      await claimOne(engine);
      expect(await engine.queue.countLeases(0)).toEqual({ runningCount: 2, overdueCount: 0 });
      await engine.expireLease(lost);
      expect(await engine.queue.countLeases(0)).toEqual({ runningCount: 2, overdueCount: 1 });
      expect(await engine.queue.countLeases(60)).toEqual({ runningCount: 2, overdueCount: 0 });
    },
  },
  {
    name: 'a finished job is deleted when it has been kept long enough, a newer one and a dead letter are not',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const ended: string[] = [];
      for (const finish of [succeeded(), succeeded(), DEAD]) {
        ended.push(await enqueueOne(engine, tenantId));
        await engine.queue.finish(await claimOne(engine), finish, measured());
      }
      const [old = '', recent = '', dead = ''] = ended;
      await engine.letEndedAgo(old, 2 * DAY_SECONDS);
      await engine.letEndedAgo(dead, 2 * DAY_SECONDS);
      expect(await engine.queue.findGone(ended)).toEqual([]);
      expect(await deleteAllDue(engine)).toBe(1);
      expect(await engine.queue.findGone(ended)).toEqual([old]);
      expect(await engine.queue.deleteDeadLetters(3 * DAY_SECONDS, 10)).toBe(0);
      expect(await engine.queue.deleteDeadLetters(DAY_SECONDS, 10)).toBe(1);
      expect((await engine.queue.findGone(ended)).toSorted()).toEqual([old, dead].toSorted());
      expect(await engine.look(recent)).toMatchObject({ status: 'succeeded' });
    },
  },
  {
    name: 'the log lines of a deleted job go, a few at a time',
    run: async (engine) => {
      await enqueueOne(engine, await engine.makeTenant());
      const { lease } = await claimOne(engine);
      const lines = [1, 2, 3].map((lineNo) => ({
        ...{ lineNo, level: 'info', message: `line ${lineNo}`, data: null, at: new Date() },
      })) as Parameters<Engine['queue']['storeLogLines']>[0][number]['lines'];
      await engine.queue.storeLogLines([{ lease, lines }]);
      // Of jobs that other cases have deleted.
      while ((await engine.queue.pruneJobLogs(100)).hasMore) {}
      expect(await engine.queue.pruneJobLogs(100)).toEqual({ lineCount: 0, hasMore: false });
      await engine.clear();
      expect(await engine.queue.pruneJobLogs(2)).toEqual({ lineCount: 2, hasMore: true });
      expect(await engine.queue.pruneJobLogs(2)).toEqual({ lineCount: 1, hasMore: false });
    },
  },
  {
    name: 'what waits and who works is counted, and a worker that is not seen any more is removed',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      await enqueueOne(engine, tenantId);
      await enqueueOne(engine, tenantId);
      await engine.queue.noteWorker(workerPresence('gone', ['plain']));
      expect(await engine.queue.measure(1, 60)).toMatchObject({ waitingCount: 1, pendingCancelCount: 0 });
      const before = await engine.queue.measure(100, 60);
      expect(before.waitingCount).toBe(2);
      expect(await engine.queue.pruneWorkers(60)).toEqual([]);
      expect(await engine.queue.pruneWorkers(0)).toContain('gone');
      expect((await engine.queue.measure(100, 60)).workerCount).toBeLessThan(before.workerCount);
    },
  },
];
