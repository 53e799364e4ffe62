import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inGroups } from '../../../../workers/handlers/videos/in-groups.ts';

test('each item is worked on once, in order, by groups of at most the size, whichever is faster', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(120),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 9 }),
      fc.scheduler(),
      async (count, concurrency, groupSize, scheduler) => {
        const items = Array.from({ length: count }, (_, index) => index);
        const begun: (readonly number[])[] = [];
        let atOnce = 0;
        const work = inGroups(items, { concurrency, groupSize }, async (group) => {
          begun.push(group);
          expect(++atOnce).toBeLessThanOrEqual(concurrency);
          await scheduler.schedule(Promise.resolve());
          atOnce--;
        });
        await scheduler.waitFor(work);
        expect(begun.flat()).toEqual(items);
        expect(Math.max(0, ...begun.map(({ length }) => length))).toBeLessThanOrEqual(groupSize);
        // No core is left without work by more than one group of what is left.
        for (const [index, group] of begun.entries()) {
          const left = count - begun.slice(0, index).flat().length;
          expect(group.length).toBeLessThanOrEqual(Math.ceil(left / concurrency));
        }
      },
    ),
  );
});

test('the first error stops what has not begun, and is thrown when the rest has ended', async () => {
  const ended: number[] = [];
  const slow = Promise.withResolvers<void>();
  const work = inGroups([0, 1, 2, 3, 4, 5], { concurrency: 2, groupSize: 1 }, async ([item = -1]) => {
    if (item === 0) throw new Error('the first');
    await slow.promise;
    ended.push(item);
  });
  slow.resolve();
  await expect(work).rejects.toThrow('the first');
  expect(ended).toEqual([1]);
});
