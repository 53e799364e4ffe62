import { expect } from 'vitest';
import { jobError, measured, succeeded } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { type ContractCase, claimSome, enqueueOne } from '../case.ts';

export const feedCases: readonly ContractCase[] = [
  {
    name: 'every verb’s change is sent, newest last, to those who watch the tenant and to nobody else',
    run: async (engine) => {
      if (engine.watch === undefined) throw new Error('an engine with a feed is watched');
      const [tenantId, stranger] = [await engine.makeTenant(), await engine.makeTenant()];
      const watch = await engine.watch(tenantId);
      const elsewhere = await engine.watch(stranger);
      try {
        const ids = await Promise.all(Array.from({ length: 12 }, () => enqueueOne(engine, tenantId)));
        const seen = async (status: string, what: readonly string[]): Promise<void> => {
          await waitFor(() => what.every((id) => watch.statuses(id).at(-1) === status), {
            describe: `${what.length} jobs to be reported as ${status}`,
          });
        };
        await seen('queued', ids);
        const claimed = await claimSome(engine, 20);
        await seen('running', ids);
        const retry = { kind: 'retry', delaySeconds: 60, error: jobError() } as const;
        await Promise.all(
          claimed.map((one, n) => engine.queue.finish(one, n < 6 ? succeeded() : retry, measured())),
        );
        await seen(
          'succeeded',
          claimed.slice(0, 6).map(({ job }) => job.id),
        );
        await seen(
          'queued',
          claimed.slice(6).map(({ job }) => job.id),
        );
        for (const id of ids) expect(watch.version(id)).toBe((await engine.look(id)).version);
        expect(watch.reversed()).toEqual([]);
        expect(ids.flatMap((id) => elsewhere.statuses(id))).toEqual([]);
      } finally {
        await watch.stop();
        await elsewhere.stop();
      }
    },
  },
];
