import { readFile } from 'node:fs/promises';
import { systemCode } from './errors.ts';
import { runProgram } from './run-program.ts';

let bootId: Promise<string> | undefined;

/**
 * A text that differs between two processes that happened to get the same pid: the start time of the process
 * and, on Linux, the boot it belongs to (start times count from boot, so they repeat after one).
 *
 * @returns undefined when no such process exists; `unknown` when the system does not report its start time
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    bootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
      (id) => id.trim().slice(0, 8),
      () => 'noboot',
    );
    const [stat, boot] = await Promise.all([linuxStat(pid), bootId]);
    // A zombie has released everything; a process that waits for it to be reaped would wait for its parent.
    if (stat?.state === 'Z') return undefined;
    if (stat !== undefined) return `${boot}-${stat.startTicks}`;
  } else if (process.platform !== 'win32') {
    const ps = await runProgram('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
    const startedAt = Date.parse(`${ps.stdout.trim()} UTC`);
    if (Number.isFinite(startedAt)) return String(startedAt);
  }
  // Gone between the two looks, or hidden from us (hidepid).
  return isAlive(pid) ? 'unknown' : undefined;
}

/** Whether a process with this pid exists, ours or another user's. A zombie counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (caught) {
    // EPERM: it exists and belongs to someone else.
    return systemCode(caught) === 'EPERM';
  }
}

async function linuxStat(pid: number): Promise<{ state: string; startTicks: string } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: afterName[0] ?? '', startTicks: afterName[19] ?? '' };
}
