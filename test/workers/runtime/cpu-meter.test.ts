import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { CpuMeter } from '../../../workers/runtime/cpu-meter.ts';
import { runProcess } from '../../../workers/tools/process.ts';

const turnOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Uses CPU time of this process, whatever the wall clock says. */
function burn(ms: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system > ms * 1000) return;
  }
}

test('a run that has the process for itself is measured', async () => {
  const reading = new CpuMeter().begin();
  burn(50);
  await turnOver();
  expect(reading.readMs()).toBeGreaterThanOrEqual(50);
});

test('a run is not measured when another was under way at any time, even one that has ended or was given up', async () => {
  const meter = new CpuMeter();
  const [first, second] = [meter.begin(), meter.begin()];
  second.end();
  expect([first.readMs(), second.readMs()]).toEqual([null, null]);
  // The first one's handler goes on, although the run may long be settled.
  const third = meter.begin();
  expect(third.readMs()).toBeNull();
  first.end();
  third.end();
  third.end();
  expect(meter.begin().readMs()).not.toBeNull();
});

test('a run keeps what it was at its end, whichever begins before it is settled', async () => {
  const meter = new CpuMeter();
  const first = meter.begin();
  burn(20);
  await turnOver();
  first.end();
  const second = meter.begin();
  expect(first.readMs()).toBeGreaterThanOrEqual(20);
  expect(second.readMs()).toBeLessThan(20);
  second.end();
});

test.runIf(process.platform === 'linux')(
  'the time of the programs that a run starts is its own',
  async () => {
    const reading = new CpuMeter().begin();
    await turnOver();
    const burnInChild = `const before = process.cpuUsage(); for (;;) if (process.cpuUsage(before).user > 400_000) break;`;
    const result = await runProcess({
      file: process.execPath,
      args: ['-e', burnInChild],
      cwd: tmpdir(),
      timeoutMs: 300_000,
    });
    expect(result.end).toMatchObject({ how: 'exited', exitCode: 0 });
    expect(reading.readMs()).toBeGreaterThanOrEqual(390);
  },
);
