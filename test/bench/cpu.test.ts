import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CpuMeter, cpuSecondsOf, parseStat, residentMegabytesOf } from '../../bench/measuring/cpu.ts';

// Of CPU time, whatever the wall clock says.
const BURN =
  'const before = process.cpuUsage(); while (process.cpuUsage(before).user < 300_000); console.log("burnt")';
const BURN_IN_CHILD = `
require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(BURN)}]);
console.log('burnt'); process.stdin.resume(); process.stdin.on('end', () => process.exit());`;

describe.skipIf(process.platform !== 'linux')('CPU seconds', () => {
  it('are read from behind the last bracket of the name', () => {
    const line = '12 (a) b (c)) S 7 0 0 0 0 0 0 0 0 0 11 22 33 44 20 0';
    expect(parseStat(line)).toEqual({ parentPid: 7, ownTicks: 33, endedChildrenTicks: 77 });
  });

  it('of a process hold those of a child that has ended', async () => {
    const child = spawn(process.execPath, ['-e', BURN_IN_CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const meter = new CpuMeter();
      await meter.watch('child', child.pid ?? 0);
      await once(child.stdout, 'data');
      expect(await cpuSecondsOf(child.pid ?? 0)).toBeGreaterThan(0.15);
      expect(await meter.describe()).toMatch(/^child \d+\.\d, bench \d+\.\d$/);
      expect(await residentMegabytesOf(child.pid ?? 0)).toBeGreaterThan(20);
    } finally {
      child.stdin.end();
      await once(child, 'exit');
    }
  });

  it('of a process that is not there are unknown', async () => {
    expect(await cpuSecondsOf(2 ** 30)).toBeNull();
    expect(await residentMegabytesOf(2 ** 30)).toBeNull();
  });
});
