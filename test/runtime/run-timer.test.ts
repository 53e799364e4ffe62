import { expect, test } from 'vitest';
import { Deadlines } from '../../workers/runtime/deadlines.ts';
import type { Run } from '../../workers/runtime/run.ts';
import { waitFor } from '../support/wait.ts';

/** What a deadline needs of a run, and who was told, in order. */
function runs(told: string[]): (name: string, timeoutSeconds: number) => Run {
  return (name, timeoutSeconds) =>
    ({
      claimed: { timeoutSeconds },
      abort: ({ kind }: { kind: string }) => told.push(`${name} ${kind}`),
    }) as unknown as Run;
}

test('each run is told at its own time, whichever began first, and not once it has ended', async () => {
  const told: string[] = [];
  const run = runs(told);
  const deadlines = new Deadlines();
  const over = run('over', 0.02);
  for (const begun of [run('slow', 0.2), run('quick', 0.05), over, run('last', 0.3)]) deadlines.begin(begun);
  deadlines.end(over);
  const beganMs = performance.now();
  await waitFor(() => told.length === 3, { describe: `three runs to be told, not ${told.join()}` });
  expect(told).toEqual(['quick timedOut', 'slow timedOut', 'last timedOut']);
  expect(performance.now() - beganMs).toBeGreaterThan(290);
  deadlines.begin(run('later', 0.01));
  await waitFor(() => told.length === 4, { describe: 'a run that began when none was left' });
  deadlines.begin(run('never', 0.01));
  deadlines.close();
});
