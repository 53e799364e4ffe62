import { readFile } from 'node:fs/promises';

/**
 * When this process started, as the number that distinguishes two processes with one id: clock ticks since
 * boot on Linux, milliseconds since 1970 elsewhere.
 */
export async function ownProcessStart(): Promise<number> {
  return (await startTicks(process.pid)) ?? Math.round(performance.timeOrigin);
}

/**
 * Whether the process that had this id and start is still running. Process ids come back: after a container's
 * restart the new worker often has the id of the dead one. Where the system doesn't report start times, any
 * process of that id but ourselves counts.
 */
export async function isSameProcess(pid: number, start: number): Promise<boolean> {
  if (pid === process.pid) return start === (await ownProcessStart());
  if (!isAlive(pid)) return false;
  const ticks = await startTicks(pid);
  return ticks === null || ticks === start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

/**
 * Field 22 of `/proc/<pid>/stat`; null where there is none, and for a zombie, which has nothing left to lose.
 */
async function startTicks(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name in brackets and may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return -1;
  const ticks = Number(fields[19]);
  return Number.isSafeInteger(ticks) ? ticks : null;
}
