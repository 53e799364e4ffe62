import { readdir, readFile } from 'node:fs/promises';

/** How long a process had media programs at work, by their names. */
export interface Occupation {
  /** Seconds in which at least one ran. */
  readonly busySeconds: number;
  readonly totalSeconds: number;
  /** Seconds in which at least one of that name ran. */
  readonly byName: ReadonlyMap<string, number>;
}

const LOOK_MS = 20;

/**
 * Looks every 20 ms at the programs that descend from a process, until `stop` is called.
 * @param names those that count
 */
export function watchChildren(pid: number, names: readonly string[]): { stop(): Promise<Occupation> } {
  const byName = new Map<string, number>();
  let busyMs = 0;
  let stopped = false;
  const beganMs = performance.now();
  const watching = (async () => {
    let lastMs = beganMs;
    while (!stopped) {
      const running = (await descendantsOf(pid)).filter((name) => names.includes(name));
      const nowMs = performance.now();
      const passedMs = nowMs - lastMs;
      lastMs = nowMs;
      if (running.length > 0) busyMs += passedMs;
      for (const name of new Set(running)) byName.set(name, (byName.get(name) ?? 0) + passedMs / 1000);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return { busySeconds: busyMs / 1000, totalSeconds: (performance.now() - beganMs) / 1000, byName };
    },
  };
}

/** Names of all programs below a process. */
async function descendantsOf(pid: number): Promise<readonly string[]> {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null);
    // `pid (name) state parent …`: a name may have spaces and brackets.
    const fields = stat === null ? null : /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat);
    if (fields === null || fields[2] === 'Z') continue;
    parents.set(Number(entry), { parent: Number(fields[3]), name: fields[1] as string });
  }
  const isBelow = (id: number): boolean => {
    for (let at = parents.get(id)?.parent; at !== undefined && at > 1; at = parents.get(at)?.parent)
      if (at === pid) return true;
    return false;
  };
  return [...parents].filter(([id]) => isBelow(id)).map(([, { name }]) => name);
}
