import { expect, test } from 'vitest';
import { OwnerSlots } from '../../src/core/owner-slots.ts';

test('an owner has a limited number of pieces under way, the others wait in their order, and nobody waits for another owner', async () => {
  const slots = new OwnerSlots(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) =>
    slots.run(name[0] as string, () => {
      begun.push(name);
      return new Promise<void>((resolve) => void ends.set(name, resolve));
    });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map(work);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await Promise.all([all[0], all[2], all[4]]);
  ends.get('a4')?.();
  await all[3];
  expect(begun.at(-1)).toBe('a4');
});

test('a piece that throws leaves its slot to the next', async () => {
  const slots = new OwnerSlots(1);
  const failed = slots.run('a', async () => {
    throw new Error('broken');
  });
  const next = slots.run('a', async () => 'fine');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('fine');
});
