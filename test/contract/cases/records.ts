import { expect } from 'vitest';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';
import { other, plain } from '../definitions.ts';
import { workerPresence } from '../presence.ts';

const progress = { percent: 50, stage: 'half', message: null, etaSeconds: null, previewKey: null };
const line = { lineNo: 1, level: 'info', message: 'a line', data: '{"n":1}', at: new Date() } as const;

/** What the runtime asks beside claims and ends. */
export const recordCases: readonly ContractCase[] = [
  {
    name: 'workers that serve the same definitions know of each other until they stop or are removed',
    run: async ({ queue }) => {
      expect(await queue.peersOf('peer-a')).toEqual([]);
      await queue.noteWorker(workerPresence('peer-a', ['plain']));
      await queue.noteWorker(workerPresence('peer-b', ['plain'], 2));
      await queue.noteWorker(workerPresence('peer-c', ['other']));
      const peers = await queue.peersOf('peer-a');
      expect(peers.toSorted((one, two) => (one.workerId < two.workerId ? -1 : 1))).toEqual([
        { workerId: 'peer-a', isBusy: false },
        { workerId: 'peer-b', isBusy: true },
      ]);
      await queue.noteWorker({ ...workerPresence('peer-b', ['plain']), isStopping: true });
      expect(await queue.peersOf('peer-a')).toEqual([{ workerId: 'peer-a', isBusy: false }]);
      for (const id of ['peer-a', 'peer-b', 'peer-c']) await queue.removeWorker(id);
      expect(await queue.peersOf('peer-a')).toEqual([]);
    },
  },
  {
    name: 'runs that a heartbeat hands back are queued again unspent; those that are lost are left alone',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const [mine, lost] = [await enqueueOne(engine, tenantId), await enqueueOne(engine, tenantId)];
      const leases = (await claimSome(engine, 2)).map(({ lease }) => lease);
      const token = '00000000-0000-4000-8000-000000000000';
      await engine.queue.handBack(
        leases.map((lease) => (lease.jobId === lost ? { ...lease, token } : lease)),
      );
      expect(await engine.look(mine)).toMatchObject({ status: 'queued', attemptCount: 0 });
      expect(await engine.look(lost)).toMatchObject({ status: 'running' });
    },
  },
  {
    name: 'what was claimed in the name of a worker that does not know of it goes back unspent',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const ids = [await enqueueOne(engine, tenantId), await enqueueOne(engine, tenantId)];
      const [known, unknown] = (await claimSome(engine, 2)).map(({ lease }) => lease);
      if (known === undefined || unknown === undefined) throw new Error('two jobs were to be claimed');
      expect(ids.toSorted()).toEqual([known.jobId, unknown.jobId].toSorted());
      expect(await engine.queue.handBackUnknown('worker-a', [known])).toBe(1);
      expect(await engine.look(known.jobId)).toMatchObject({ status: 'running' });
      expect(await engine.look(unknown.jobId)).toMatchObject({ status: 'queued', attemptCount: 0 });
    },
  },
  {
    name: 'the reason of a cancel reaches the run that holds the lease, and no other',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await enqueueOne(engine, tenantId);
      const { lease } = await claimOne(engine);
      const state = { jobId: id, isCancelRequested: false, cancelReason: null };
      expect(await engine.queue.leaseStates([lease])).toEqual([state]);
      await engine.queue.cancel(tenantId, id, 'user:a', 'not wanted');
      const asked = { jobId: id, isCancelRequested: true, cancelReason: 'not wanted' };
      expect(await engine.queue.leaseStates([lease])).toEqual([asked]);
      expect(await engine.queue.leaseStates([{ ...lease, runNo: lease.runNo + 1 }])).toEqual([]);
    },
  },
  {
    name: 'a run that has lost its lease writes no progress and no log line',
    run: async (engine) => {
      await enqueueOne(engine, await engine.makeTenant());
      const { lease } = await claimOne(engine);
      const stale = { ...lease, token: '00000000-0000-4000-8000-000000000000' };
      await engine.queue.storeProgress([{ lease: stale, ...progress }]);
      await engine.queue.storeProgress([{ lease, ...progress }]);
      expect(
        await engine.queue.storeLogLines([
          { lease: stale, lines: [line] },
          { lease, lines: [line] },
        ]),
      ).toEqual(['lost', 'stored']);
      const record = await engine.queue.jobRecord(lease.jobId, 10);
      expect(record?.lines).toMatchObject([{ runNo: 1, level: 'info', message: 'a line', data: { n: 1 } }]);
    },
  },
  {
    name: 'the record of a job has its runs and its newest lines, and is gone with it',
    run: async (engine) => {
      const id = await enqueueOne(engine, await engine.makeTenant(), { payload: { of: 'it' } });
      const claimed = await claimOne(engine);
      const lines = [1, 2, 3].map((lineNo) => ({ ...line, lineNo, message: `line ${lineNo}` }));
      expect(await engine.queue.storeLogLines([{ lease: claimed.lease, lines }])).toEqual(['stored']);
      await engine.queue.finish(claimed, succeeded(), measured());
      expect(await engine.queue.jobRecord(id, 2)).toMatchObject({
        jobId: id,
        definitionKey: 'plain',
        status: 'succeeded',
        payload: { of: 'it' },
        runs: [{ runNo: 1, status: 'succeeded', worker: 'worker-a', error: null }],
        lines: [{ message: 'line 2' }, { message: 'line 3' }],
      });
      await engine.clear();
      expect(await engine.queue.jobRecord(id, 2)).toBeNull();
    },
  },
  {
    name: 'artifacts of a subject are found by its own tenant alone',
    run: async (engine) => {
      const [tenantId, stranger] = [await engine.makeTenant(), await engine.makeTenant()];
      const subject = { type: 'thing', id: `thing-of-${tenantId}` };
      await enqueueOne(engine, tenantId, { subject });
      const artifact = {
        kind: 'file',
        key: `files/${tenantId}`,
        sizeBytes: 3,
        sha256: 'ab'.repeat(32),
        contentType: 'text/plain',
      };
      const settlement = {
        status: 'succeeded',
        result: null,
        artifacts: [artifact],
        skippedReason: null,
      } as const;
      expect(
        await engine.queue.finish(await claimOne(engine), { kind: 'final', settlement }, measured()),
      ).toBe('settled');
      expect(await engine.queue.findArtifacts(tenantId, subject, null)).toMatchObject([artifact]);
      expect(await engine.queue.findArtifacts(tenantId, subject, 'another')).toEqual([]);
      expect(await engine.queue.findArtifacts(stranger, subject, null)).toEqual([]);
    },
  },
  {
    name: 'a definition has the same id and revision for as long as what is declared is the same',
    run: async ({ queue, definitionId }) => {
      const before = await queue.readDefinitions(['plain', 'none-of-this-name']);
      expect(before).toMatchObject([{ key: 'plain', id: definitionId('plain'), isArchived: false }]);
      await queue.syncDefinitions([plain, other]);
      expect(await queue.readDefinitions(['plain'])).toEqual(before);
      await queue.syncDefinitions([{ ...plain, timeoutSeconds: plain.timeoutSeconds + 1 }]);
      const [after] = await queue.readDefinitions(['plain']);
      expect(after).toMatchObject({ id: before[0]?.id, timeoutSeconds: plain.timeoutSeconds + 1 });
      expect(after?.revision).not.toBe(before[0]?.revision);
      await queue.syncDefinitions([plain]);
    },
  },
];
