import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The variable by which the processes that we have started are known, with all that they start: it is
 * inherited, also by a process that has left our group and session. One that empties its environment and
 * detaches itself twice escapes.
 */
const VARIABLE = 'MILLRACE_PROCESS';
/** A process that forks while it is looked for is found by the next look. */
const MAX_LOOKS = 10;

/** This process's, and the beginning of the mark of every program that it starts. */
export const OWN_MARK: string = randomBytes(8).toString('hex');

let markCount = 0;

/** A mark for one program, and the environment that carries it. */
export function newMark(): { readonly mark: string; readonly env: Readonly<Record<string, string>> } {
  markCount++;
  const mark = `${OWN_MARK}.${markCount}.`;
  return { mark, env: { [VARIABLE]: mark } };
}

/**
 * Kills the processes that carry a mark, until there is none. Linux only; elsewhere it finds none.
 * @param since ids above this one only: where nobody has been at odds with us, what a program left behind is
 *   younger than itself
 */
export function killMarked(mark: string, since = 0): void {
  if (process.platform !== 'linux') return;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const found = processIds().filter((pid) => pid > since && carries(pid, mark));
    for (const pid of found) kill(pid);
    if (found.length === 0) return;
  }
}

/**
 * Sends a signal to the processes that carry a mark. @returns how many there are. Linux only; elsewhere it
 * finds none.
 */
export function signalMarked(mark: string, signal: NodeJS.Signals | 0): number {
  if (process.platform !== 'linux') return 0;
  const found = processIds().filter((pid) => carries(pid, mark));
  for (const pid of found) kill(pid, signal);
  return found.length;
}

function processIds(): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
}

/** Not of a zombie, whose environment is empty. */
function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${VARIABLE}=${mark}`);
  } catch {
    return false; // gone since, or another user's
  }
}

function kill(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone since
  }
}
