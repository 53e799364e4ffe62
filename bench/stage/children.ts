import { readFile } from 'node:fs/promises';

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

/**
 * Names of all programs below a process. By the kernel's lists of children: to look through all processes
 * takes a core.
 */
async function descendantsOf(pid: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const child of await childrenOf(pid)) {
    // `pid (name) state …`: a name may have spaces and brackets.
    const stat = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '');
    const fields = /^\d+ \((.*)\) (\S)/s.exec(stat);
    if (fields !== null && fields[2] !== 'Z') names.push(fields[1] as string);
    names.push(...(await descendantsOf(child)));
  }
  return names;
}

/** Of the main thread, which is the one that starts programs. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}
