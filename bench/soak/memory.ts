import { readdir, readFile } from 'node:fs/promises';

const LOOK_MS = 250;
const PAGE_BYTES = 4096;

export interface PeakMemory {
  readonly peakWorkerMb: number;
  readonly peakTreeMb: number;
}

/** Follows the resident sets of processes, and of each with all that descends from it, until `stop`. */
export function watchMemory(pids: readonly number[]): { stop(): Promise<PeakMemory> } {
  let [worker, tree, stopped] = [0, 0, false];
  const watching = (async () => {
    while (!stopped) {
      const processes = await readProcesses();
      for (const pid of pids) {
        worker = Math.max(worker, processes.get(pid)?.bytes ?? 0);
        tree = Math.max(tree, sumBelow(pid, processes));
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return { peakWorkerMb: Math.round(worker / 2 ** 20), peakTreeMb: Math.round(tree / 2 ** 20) };
    },
  };
}

interface Process {
  readonly parent: number;
  readonly bytes: number;
}

async function readProcesses(): Promise<ReadonlyMap<number, Process>> {
  const found = new Map<number, Process>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // After the name, which may have brackets: state, parent, …; the 24th field is the resident set in pages.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 22) continue;
    found.set(Number(entry), { parent: Number(fields[1]), bytes: Number(fields[21]) * PAGE_BYTES });
  }
  return found;
}

function sumBelow(root: number, processes: ReadonlyMap<number, Process>): number {
  let bytes = processes.get(root)?.bytes ?? 0;
  for (const [pid, { bytes: own }] of processes) {
    for (let at = processes.get(pid)?.parent; at !== undefined && at > 1; at = processes.get(at)?.parent) {
      if (at !== root) continue;
      bytes += own;
      break;
    }
  }
  return bytes;
}
