import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

let q: TestQueue;
let s: SearchScene;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  s = searchScene(q);
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

/** Optimal string alignment, by its textbook recurrence. */
function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number): number => (rows[i] as number[])[j] as number;
  for (let j = 0; j <= b.length; j++) (rows[0] as number[])[j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps.push(at(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = Math.min(...steps);
    }
  return at(a.length, b.length);
}

test('words are near exactly when one letter is wrong, missing, too many, or swapped with its neighbour', async () => {
  // Letters that nothing looks like, and few, so that many pairs are near.
  const word = fc.string({ unit: fc.constantFrom('a', 'c', 'e'), minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(word, word), { minLength: 50, maxLength: 50 }), async (pairs) => {
      const { rows } = await q.superuser.query(
        'select millrace.search_is_near(a, b) as near from unnest($1::text[], $2::text[]) with ordinality as p (a, b, n) order by n',
        [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
      );
      expect(rows.map(({ near }, n) => [...(pairs[n] ?? []), near])).toEqual(
        pairs.map(([a, b]) => [a, b, distance(a, b) <= 1]),
      );
    }),
    { numRuns: 20 },
  );
});

test('a word finds every word that is one letter away, and none that is further', async () => {
  const [asked, letters] = ['tamper', 'tampersx'];
  const words = new Set<string>();
  for (let at = 0; at <= asked.length; at++) {
    words.add(asked.slice(0, at) + asked.slice(at + 1));
    for (const letter of letters) {
      words.add(asked.slice(0, at) + letter + asked.slice(at));
      words.add(asked.slice(0, at) + letter + asked.slice(at + 1));
      // One that moved: a letter less in the one is a letter less in the other.
      for (let to = 0; to < asked.length; to++) {
        const less = asked.slice(0, at) + asked.slice(at + 1);
        words.add(less.slice(0, to) + letter + less.slice(to));
      }
    }
  }
  const near = [...words].filter((word) => distance(word, asked) <= 1);
  const far = [...words].filter((word) => distance(word, asked) > 1);
  expect(far.length).toBeGreaterThan(50);
  const farTenant = await q.makeTenant();
  await s.makeVideo(farTenant, far);
  expect(await s.texts(farTenant, { query: `${asked} `, hitsPerVideo: 100 })).toEqual([]);
  // No more than the 40 most frequent ones are looked at.
  for (let from = 0; from < near.length; from += 30) {
    const some = near.slice(from, from + 30);
    const nearTenant = await q.makeTenant();
    await s.makeVideo(nearTenant, some);
    const found = await s.texts(nearTenant, { query: `${asked} `, hitsPerVideo: 100 });
    expect(found.toSorted()).toEqual(some.toSorted());
  }
});

test('water highlights water, and addlesp finds no paddles', async () => {
  const videoId = await s.makeVideo(tenantId, ['the water after the rain', 'two paddles', 'a wafer']);
  const { videos } = await s.search(tenantId, 'water ');
  expect(videos).toMatchObject([{ videoId, hitCount: 2 }]);
  expect(videos[0]?.hits.map(({ places }) => places)).toEqual([[2], [2]]);
  expect(await s.texts(tenantId, 'addlesp ')).toEqual([]);
  expect(await s.texts(tenantId, 'apddles ')).toEqual(['two paddles']);
});
