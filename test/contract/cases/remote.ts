import { expect } from 'vitest';
import type { RemoteWork } from '../../../src/core/remote-work.ts';
import { succeeded } from '../../support/queue.ts';
import { type ContractCase, enqueueOne } from '../case.ts';
import type { Engine } from '../engine.ts';

function remoteOf({ remote }: Engine): RemoteWork {
  if (remote === undefined) throw new Error('an engine with `remote` has remote work');
  return remote;
}

async function claimFor(engine: Engine, tenantId: string | null, waitMs = 0) {
  const remote = remoteOf(engine);
  const definitions = await remote.findDefinitions(['plain']);
  return remote.claim({ workerId: 'remote:a', tenantId, definitions, limit: 10, waitMs });
}

export const remoteCases: readonly ContractCase[] = [
  {
    name: 'a worker of one tenant gets its jobs and no other’s, and one of the platform gets the rest',
    run: async (engine) => {
      const [mine, theirs] = [await engine.makeTenant(), await engine.makeTenant()];
      const [id, foreign] = [await enqueueOne(engine, mine), await enqueueOne(engine, theirs)];
      expect((await claimFor(engine, mine)).map(({ job }) => job.id)).toEqual([id]);
      expect(await claimFor(engine, mine)).toEqual([]);
      expect((await claimFor(engine, null)).map(({ job }) => job.id)).toEqual([foreign]);
    },
  },
  {
    name: 'a claim that waits gets the job that is enqueued meanwhile',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const claiming = claimFor(engine, tenantId, 120_000);
      const id = await enqueueOne(engine, tenantId);
      expect((await claiming).map(({ job }) => job.id)).toEqual([id]);
    },
  },
  {
    name: 'a run is held by its lease alone, and by no other tenant’s worker',
    run: async (engine) => {
      const remote = remoteOf(engine);
      const [tenantId, stranger] = [await engine.makeTenant(), await engine.makeTenant()];
      const id = await enqueueOne(engine, tenantId);
      const lease = (await claimFor(engine, tenantId))[0]?.lease;
      if (lease === undefined) throw new Error('a job was to be claimed');
      const run = await remote.holding(lease, tenantId);
      expect(run).toMatchObject({ lease, definitionKey: 'plain' });
      await expect(remote.holding(lease, stranger)).rejects.toMatchObject({ code: 'LostLease' });
      expect(await remote.isRunning(tenantId, id, lease.runNo)).toBe(true);
      const stale = { ...lease, runNo: lease.runNo + 1 };
      const said = { percent: 1, stage: null, message: null, etaSeconds: null, previewKey: null };
      const lines = [{ level: 'info', message: 'a line', data: null }] as const;
      for (const refused of [
        () => remote.holding(stale, tenantId),
        () => remote.start(stale),
        () => remote.reportProgress({ lease: stale, ...said }),
        () => remote.appendLines({ ...run, lease: stale }, lines, 10),
      ])
        await expect(refused()).rejects.toMatchObject({ code: 'LostLease' });
      await remote.start(lease);
      await remote.reportProgress({ lease, ...said });
      expect(await remote.appendLines(run, [...lines, ...lines], 1), 'no more than the log holds').toBe(1);
      expect(await remote.finish(run, succeeded())).toBe('settled');
      expect(await remote.isRunning(tenantId, id, lease.runNo)).toBe(false);
      expect(await engine.look(id)).toMatchObject({ status: 'succeeded' });
    },
  },
];
