import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ATTEMPT_STATUSES, JOB_STATUSES } from '../../src/core/job.ts';
import { modelRun } from '../support/model-run.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { brokenQueues } from './broken-queues.ts';
import { definitions } from './definitions.ts';
import { checkQueueAgainstModel } from './property.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue(definitions);
});
afterAll(() => q.close());

describe('the queue and the model of its states', () => {
  const given = modelRun();

  test(
    'agree after every step of random sequences by producers, workers, the rescuer, operators and the clock',
    async () => {
      const { sequences, reached } = await checkQueueAgainstModel(q, given);
      expect(sequences).toBeGreaterThan(2);
      // A busy machine gets through fewer, which may miss something.
      if (sequences < 150) return;
      const ends = [...JOB_STATUSES, ...ATTEMPT_STATUSES, 'snoozed', 'unrun'];
      expect(ends.filter((what) => !reached.has(what))).toEqual([]);
    },
    given.limitMs + 60_000,
  );

  test.each(Object.entries(brokenQueues))(
    'distinguish a queue that %s from the real one',
    async (what, breakIt) => {
      // With these it takes few sequences to come to each.
      const seed = what.startsWith('settles') ? 2 : 1;
      const run = { sequences: 300, steps: 60, limitMs: 60_000, seed };
      await expect(checkQueueAgainstModel(q, run, { queue: breakIt(q), shrink: false })).rejects.toThrow(
        /Property failed/,
      );
    },
    180_000,
  );
});
