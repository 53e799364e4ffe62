import { expect } from 'vitest';
import type { CheckedJob } from '../../../src/core/producer-queue.ts';
import { type ContractCase, claimSome } from '../case.ts';
import type { Engine } from '../engine.ts';

const INPUT = { definitionKey: 'plain', payload: {} };

function within<T>(engine: Engine, tenantId: string, work: (tx: unknown) => Promise<T>): Promise<T> {
  if (engine.inTransaction === undefined)
    throw new Error('an engine with transactionalNext has transactions that a caller holds');
  return engine.inTransaction(tenantId, work);
}

async function checkedJob(engine: Engine, tenantId: string): Promise<CheckedJob> {
  const [definition] = await engine.queue.readDefinitions(['plain']);
  if (definition === undefined) throw new Error('the definition was to be known');
  return { tenantId, input: INPUT, revision: definition.revision };
}

class TakenBack extends Error {}

export const callersTransactionCases: readonly ContractCase[] = [
  {
    name: 'a job that is enqueued in the caller’s transaction is there with its commit, and not before',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const id = await within(engine, tenantId, async (tx) => {
        const [result] = await engine.queue.enqueueIn(tx, tenantId, [INPUT]);
        expect(result?.kind).toBe('created');
        expect(await claimSome(engine, 10)).toEqual([]);
        return result?.id;
      });
      expect((await claimSome(engine, 10)).map(({ job }) => job.id)).toEqual([id]);
    },
  },
  {
    name: 'a caller’s transaction that is taken back leaves no job of those that were enqueued in it',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const checked = await checkedJob(engine, tenantId);
      const taken = within(engine, tenantId, async (tx) => {
        await engine.queue.enqueueIn(tx, tenantId, [INPUT, { ...INPUT, dedupeKey: 'one' }]);
        await engine.queue.enqueueCheckedIn(tx, [checked]);
        throw new TakenBack();
      });
      await expect(taken).rejects.toThrow(TakenBack);
      expect(await claimSome(engine, 10)).toEqual([]);
    },
  },
  {
    name: 'a job checked by another revision of its definition is not written, and those beside it are',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const checked = await checkedJob(engine, tenantId);
      const keyed = { ...checked, input: { ...INPUT, dedupeKey: 'one', dedupeWindowSeconds: 60 } };
      const jobs = [{ ...checked, revision: '1' }, keyed, keyed];
      const results = await within(engine, tenantId, (tx) => engine.queue.enqueueCheckedIn(tx, jobs));
      expect(results.map(({ kind }) => kind)).toEqual([
        'stale',
        'created',
        expect.stringMatching(/^(?:existing|rival)$/),
      ]);
      expect(await claimSome(engine, 10)).toHaveLength(1);
    },
  },
  {
    name: 'a checked job whose payload is larger than the engine takes is refused alone',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const checked = await checkedJob(engine, tenantId);
      const large = { ...checked, input: { ...INPUT, payload: { text: 'x'.repeat(1_100_000) } } };
      const [refused, created] = await within(engine, tenantId, (tx) =>
        engine.queue.enqueueCheckedIn(tx, [large, checked]),
      );
      expect(refused).toMatchObject({ kind: 'refused', error: { code: 'PayloadTooLarge' } });
      expect(created?.kind).toBe('created');
    },
  },
];
