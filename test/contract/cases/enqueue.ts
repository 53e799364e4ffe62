import { expect } from 'vitest';
import { measured, succeeded } from '../../support/queue.ts';
import { type ContractCase, claimOne, claimSome, enqueueOne } from '../case.ts';

export const enqueueCases: readonly ContractCase[] = [
  {
    name: 'a job is queued as it was given, with nothing spent',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const payload = { text: 'Grüße, 漢字', list: [1, null, { deep: true }] };
      const id = await enqueueOne(engine, tenantId, {
        payload,
        priority: 7,
        correlationId: 'trace-1',
        subject: { type: 'call', id: 'call-1' },
        maxAttempts: 4,
      });
      expect(await engine.look(id)).toMatchObject({ status: 'queued', attemptCount: 0, runNo: 0 });
      const { job, definitionKey } = await claimOne(engine);
      expect(definitionKey).toBe('plain');
      expect(job).toMatchObject({
        id,
        tenantId,
        payload,
        priority: 7,
        correlationId: 'trace-1',
        subject: { type: 'call', id: 'call-1' },
        maxAttempts: 4,
      });
    },
  },
  {
    name: 'many are enqueued at once, with one answer each and in order',
    run: async (engine) => {
      const inputs = Array.from({ length: 30 }, (_, n) => ({ definitionKey: 'plain', payload: { n } }));
      const results = await engine.queue.enqueue(await engine.makeTenant(), inputs);
      expect(results.map(({ kind }) => kind)).toEqual(inputs.map(() => 'created'));
      const claimed = await claimSome(engine, 50);
      const numberOf = new Map(claimed.map(({ job }) => [job.id, (job.payload as { n: number }).n]));
      expect(results.map(({ id }) => numberOf.get(id))).toEqual(inputs.map(({ payload }) => payload.n));
    },
  },
  {
    name: 'a dedupe key has one active job, however many ask at the same time, and a new one when that has ended',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => enqueueOne(engine, tenantId, { dedupeKey: 'same' })),
      );
      expect(new Set(ids).size).toBe(1);
      expect(await enqueueOne(engine, await engine.makeTenant(), { dedupeKey: 'same' })).not.toBe(ids[0]);
      for (const claimed of await claimSome(engine, 10))
        await engine.queue.finish(claimed, succeeded(), measured());
      expect(await enqueueOne(engine, tenantId, { dedupeKey: 'same' })).not.toBe(ids[0]);
    },
  },
  {
    name: 'a definition that nobody has declared is refused by name, and nothing is written',
    run: async (engine) => {
      const tenantId = await engine.makeTenant();
      const both = ['plain', 'no-such-thing'].map((definitionKey) => ({ definitionKey, payload: {} }));
      await expect(engine.queue.enqueue(tenantId, both)).rejects.toMatchObject({ code: 'UnknownDefinition' });
      expect(await claimSome(engine, 10)).toEqual([]);
    },
  },
];
