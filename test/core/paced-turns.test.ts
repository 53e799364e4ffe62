import { expect, test } from 'vitest';
import { FairQueue } from '../../src/core/fair-queue.ts';
import { PacedTurns } from '../../src/core/paced-turns.ts';

function holdLoop(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('owners take turns, however much one of them has waiting', async () => {
  const turns = new PacedTurns();
  const order: string[] = [];
  const work = (name: string) => turns.run(name[0] as string, () => void order.push(name));
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(work));
  // The first began before there was anybody else.
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(turns.waitingCount).toBe(0);
});

test('between two pieces the loop is everybody else’s for twice as long as the piece took', async () => {
  const turns = new PacedTurns();
  const endedMs: number[] = [];
  const beganMs: number[] = [];
  let othersTurns = 0;
  let isOver = false;
  const others = (): void => {
    othersTurns++;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, () =>
      turns.run('a', () => {
        beganMs.push(performance.now());
        seen.push(othersTurns);
        holdLoop(20);
        endedMs.push(performance.now());
      }),
    ),
  );
  isOver = true;
  for (const [index, began] of beganMs.entries()) {
    if (index === 0) continue;
    expect(began - (endedMs[index - 1] as number)).toBeGreaterThanOrEqual(38);
    expect(seen[index]).toBeGreaterThan(seen[index - 1] as number);
  }
});

test('a piece that throws fails its own promise, and the next one has its turn', async () => {
  const turns = new PacedTurns();
  const failed = turns.run('a', () => {
    throw new Error('broken');
  });
  const next = turns.run('a', () => 'fine');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('fine');
});

test('a queue passes over owners that are not free, keeps their place, and gives all at the end', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'b1']) queue.add(item[0] as string, item);
  expect(queue.take((owner) => owner !== 'a')).toBe('b1');
  expect(queue.take((owner) => owner !== 'a')).toBeUndefined();
  expect(queue.take()).toBe('a1');
  queue.add('c', 'c1');
  expect(queue.size).toBe(2);
  expect(queue.takeAll()).toEqual(['a2', 'c1']);
  expect(queue.take()).toBeUndefined();
});
