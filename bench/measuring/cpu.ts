import { readdir, readFile } from 'node:fs/promises';

/** Kernel ticks a second, as `/proc` counts them on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The numbers of one process that count here. */
export interface ProcessTimes {
  readonly parentPid: number;
  /** User and system time of its own, in ticks. */
  readonly ownTicks: number;
  /** The same of the children it has waited for. */
  readonly endedChildrenTicks: number;
}

/**
 * Reads a line of `/proc/<pid>/stat`. The program's name may hold blanks and brackets: fields begin after the
 * last one.
 */
export function parseStat(line: string): ProcessTimes {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const at = (index: number): number => Number(fields[index]);
  return { parentPid: at(1), ownTicks: at(11) + at(12), endedChildrenTicks: at(13) + at(14) };
}

/**
 * CPU seconds that a process and all its descendants have used, those that have ended included.
 * Null where there is no `/proc`.
 */
export async function cpuSecondsOf(rootPid: number): Promise<number | null> {
  const all = new Map<number, ProcessTimes>();
  const names = await readdir('/proc').catch(() => []);
  for (const name of names.filter((entry) => /^\d+$/.test(entry))) {
    // It may be gone by now.
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (line !== null) all.set(Number(name), parseStat(line));
  }
  if (!all.has(rootPid)) return null;
  let ticks = 0;
  const open = [rootPid];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const times = all.get(pid);
    if (times !== undefined) ticks += times.ownTicks + times.endedChildrenTicks;
    for (const [child, { parentPid }] of all) if (parentPid === pid) open.push(child);
  }
  return ticks / TICKS_PER_SECOND;
}

/** CPU seconds of this process's children that have ended. 0 where there is no `/proc`. */
export async function cpuSecondsOfEndedChildren(): Promise<number> {
  const line = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  return line === null ? 0 : parseStat(line).endedChildrenTicks / TICKS_PER_SECOND;
}

/** Resident memory of one process in megabytes (10⁶ bytes). Null where there is no `/proc`. */
export async function residentMegabytesOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / 1e6;
}

/** Counts the CPU seconds of named processes between two moments; of the benchmark itself as well. */
export class CpuMeter {
  readonly #before = new Map<string, { readonly pid: number; readonly seconds: number | null }>();
  readonly #own = process.cpuUsage();

  /** Counts this process from now on. */
  async watch(name: string, pid: number): Promise<void> {
    this.#before.set(name, { pid, seconds: await cpuSecondsOf(pid) });
  }

  /** What each has used since, as a line; call it while they still run. */
  async describe(): Promise<string> {
    const parts: string[] = [];
    for (const [name, { pid, seconds }] of this.#before) {
      const now = await cpuSecondsOf(pid);
      parts.push(`${name} ${now === null || seconds === null ? '?' : (now - seconds).toFixed(1)}`);
    }
    const { user, system } = process.cpuUsage(this.#own);
    return [...parts, `bench ${((user + system) / 1e6).toFixed(1)}`].join(', ');
  }
}
