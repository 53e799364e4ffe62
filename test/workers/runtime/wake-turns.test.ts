import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { Peer } from '../../../src/core/worker-records.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { turnOf } from '../../../workers/runtime/wake-turns.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const peers = (count: number, busy: readonly number[] = []): readonly Peer[] =>
  Array.from({ length: count }, (_, n) => ({ workerId: `worker-${n}`, isBusy: busy.includes(n) }));

test('a notification gives each worker another turn, and every worker is as often the first', () => {
  const all = peers(10);
  const firsts = new Map<string, number>();
  for (let n = 0; n < 5_000; n++) {
    const turns = all.map(({ workerId: id }) => turnOf(id, all, `${70_000 + n}`));
    expect([...turns].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const first = all[turns.indexOf(0)]?.workerId as string;
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  for (const count of firsts.values()) {
    expect(count).toBeGreaterThan(400);
    expect(count).toBeLessThan(600);
  }
});

test('a worker without a free slot comes after those that have one, and one that nobody knows comes first', () => {
  const all = peers(4, [0, 1, 2]);
  for (let n = 0; n < 50; n++) expect(turnOf('worker-3', all, `${n}`)).toBe(0);
  expect(turnOf('worker-9', all, '1')).toBe(0);
});

test('one new job makes one or two of eight idle workers claim, and many jobs all of them', async () => {
  let claims = 0;
  let ran = 0;
  const queue = new Proxy(q.queue, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        if (name === 'claim') claims++;
        return Reflect.apply(value, target, values);
      };
    },
  });
  const workers: RunningWorker[] = [];
  try {
    for (let n = 0; n < 8; n++)
      workers.push(
        await startTestWorker(
          { ...q, queue },
          {
            pollMs: 600_000,
            concurrency: 4,
            handlers: {
              task: async () => {
                ran++;
                return done();
              },
            },
          },
        ),
      );
    const enqueue = (count: number) =>
      q.queue.enqueue(
        tenantId,
        Array.from({ length: count }, () => ({ definitionKey: 'task', payload: {} })),
      );
    const untilIdle = async (): Promise<void> => {
      let before = -1;
      const isSame = (): boolean => {
        const same = before === claims;
        before = claims;
        return same;
      };
      await waitFor(isSame, { describe: 'claims to end', pollMs: 150 });
    };
    // The first notification makes them look each other up.
    await enqueue(1);
    await waitFor(() => ran === 1, { describe: 'the first job' });
    await untilIdle();
    const before = claims;
    for (let n = 2; n <= 9; n++) {
      await enqueue(1);
      await waitFor(() => ran === n, { describe: `job ${n}` });
    }
    await untilIdle();
    // The one that takes it looks again; the next in turn looks once. All eight would be 72.
    expect(claims - before).toBeLessThan(40);
    const beforeMany = claims;
    await enqueue(200);
    await waitFor(() => ran === 209, { describe: 'all jobs' });
    expect(claims - beforeMany).toBeGreaterThan(8);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
});
