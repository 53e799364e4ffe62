import { expect, test } from 'vitest';
import type { Run } from '../../../workers/runtime/run.ts';
import { RunTimer } from '../../../workers/runtime/run-timer.ts';
import { waitFor } from '../../support/wait.ts';

test('each run is reported at its own time, whichever was set first, and not once it has ended', async () => {
  const seen: string[] = [];
  const open: Run[] = [];
  const names = new Map<Run, string>();
  const timer = new RunTimer(
    () => open,
    'overMs',
    (run) => seen.push(names.get(run) ?? ''),
  );
  const begin = (name: string, afterMs: number): Run => {
    const run = { overMs: Number.POSITIVE_INFINITY } as Run;
    names.set(run, name);
    open.push(run);
    timer.set(run, performance.now() + afterMs);
    return run;
  };
  const beganMs = performance.now();
  begin('slow', 200);
  begin('quick', 50);
  timer.clear(begin('over', 20));
  begin('last', 300);
  await waitFor(() => seen.length === 3, { describe: `three runs to be reported, not ${seen.join()}` });
  expect(seen).toEqual(['quick', 'slow', 'last']);
  expect(performance.now() - beganMs).toBeGreaterThan(290);
  begin('later', 10);
  await waitFor(() => seen.length === 4, { describe: 'a run that began when none was left' });
  begin('never', 10);
  timer.close();
});
