import { expect } from 'vitest';
import type { ClaimedJob } from '../../../src/core/queue.ts';
import { jobError, measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimSome, enqueueOne } from '../case.ts';
import type { Engine, SubjectCase } from '../engine.ts';

async function claimedSubject(
  engine: Engine,
): Promise<{ id: string; made: SubjectCase; claim: () => Promise<ClaimedJob> }> {
  if (engine.makeSubject === undefined) throw new Error('an engine with transactionalNext makes subjects');
  const tenantId = await engine.makeTenant();
  const made = await engine.makeSubject(tenantId);
  const { definitionKey, payload, subject } = made;
  const id = await enqueueOne(engine, tenantId, { definitionKey, payload, subject });
  const claim = async (): Promise<ClaimedJob> => {
    const [claimed] = await claimSome(engine, 1, { keys: [definitionKey] });
    if (claimed === undefined) throw new Error('the subject’s job was to be claimed');
    return claimed;
  };
  return { id, made, claim };
}

export const transactionalNextCases: readonly ContractCase[] = [
  {
    name: 'the subject’s record has changed as soon as its job is settled',
    run: async (engine) => {
      const { made, claim } = await claimedSubject(engine);
      expect(await engine.queue.finish(await claim(), succeeded(made.goodResult), measured())).toBe(
        'settled',
      );
      expect(await made.state()).toBe(made.doneState);
    },
  },
  {
    name: 'what the subject’s record refuses leaves the job as it was, under the same lease',
    run: async (engine) => {
      const { id, made, claim } = await claimedSubject(engine);
      const before = await made.state();
      const claimed = await claim();
      await expect(engine.queue.finish(claimed, succeeded(made.refusedResult), measured())).rejects.toThrow();
      expect(await engine.look(id)).toMatchObject({ status: 'running' });
      expect(await engine.queue.holds(claimed.lease)).toBe(true);
      expect(await made.state()).toBe(before);
      const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
      expect(await engine.queue.finish(claimed, failed, measured())).toBe('settled');
      expect(await made.state()).toBe(made.failedState);
    },
  },
  {
    name: 'a run that has lost its job changes nothing of the subject either',
    run: async (engine) => {
      const { id, made, claim } = await claimedSubject(engine);
      const before = await made.state();
      const stale = await claim();
      await engine.expireLease(id);
      await engine.queue.rescue(10);
      await engine.makeDue(id);
      const current = await claim();
      expect(await engine.queue.finish(stale, succeeded(made.goodResult), measured())).toBe('notOwner');
      expect(await made.state()).toBe(before);
      expect(await engine.queue.finish(current, succeeded(made.goodResult), measured())).toBe('settled');
      expect(await made.state()).toBe(made.doneState);
    },
  },
];
