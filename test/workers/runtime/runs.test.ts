import { expect, test } from 'vitest';
import type { JobDefinition } from '../../../src/core/definition.ts';
import type { ClaimedJob } from '../../../src/core/queue.ts';
import { Run } from '../../../workers/runtime/run.ts';
import { Runs } from '../../../workers/runtime/runs.ts';

function run(jobId: string, runNo = 1): Run {
  const claimed = { lease: { jobId, runNo, token: `${jobId}-${runNo}` } } as ClaimedJob;
  return new Run(claimed, {} as JobDefinition);
}

test('a newer run of a job notifies the older one that its lease is lost; both are known until each is settled', () => {
  const runs = new Runs(2);
  const [older, newer, other] = [run('a', 1), run('a', 2), run('b')];
  for (const added of [older, newer, other]) runs.add(added);
  expect([older.lost, newer.lost, other.lost]).toEqual([true, false, false]);
  expect(runs.openCount).toBe(3);
  expect([...runs.open()]).toEqual(expect.arrayContaining([older, newer, other]));
  expect(['a:1', 'a:2', 'b:1', 'a:3', 'c:1'].map((key) => runs.byKey(key))).toEqual([
    older,
    newer,
    other,
    undefined,
    undefined,
  ]);
  // In either order: the newer one may be over first.
  runs.settled(newer);
  expect([runs.byKey('a:1'), runs.byKey('a:2'), runs.openCount]).toEqual([older, undefined, 2]);
  runs.settled(older);
  runs.settled(older);
  runs.settled(other);
  expect([runs.openCount, ...runs.open()]).toEqual([0]);
});

test('code that waits for a change sees the last of many in one turn, and a signal at once', async () => {
  const runs = new Runs(1);
  const all = Array.from({ length: 100 }, (_, index) => run(String(index)));
  for (const added of all) runs.add(added);
  let looks = 0;
  const empty = runs.until(() => {
    looks++;
    return runs.openCount === 0;
  });
  for (const ended of all) runs.settled(ended);
  await empty;
  expect(looks).toBe(2);
  const stopping = new AbortController();
  const never = runs.until(() => false, stopping.signal);
  stopping.abort();
  await never;
});

test('a slot is taken by the oldest that waits, and free for the next when it is returned', () => {
  const runs = new Runs(1);
  const [first, second] = [run('a'), run('b')];
  runs.add(first);
  runs.add(second);
  expect([runs.freeSlots, runs.waitingCount]).toEqual([-1, 2]);
  expect(runs.next()).toBe(first);
  expect(runs.next()).toBeUndefined();
  runs.freeSlot(first);
  runs.freeSlot(first);
  expect(runs.next()).toBe(second);
  expect([runs.freeSlots, runs.waitingCount]).toEqual([0, 0]);
});
