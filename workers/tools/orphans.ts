import { readdir, readlink } from 'node:fs/promises';
import { sep } from 'node:path';

/**
 * Kills the processes whose working directory is `directory` or below it: the tools of a dead worker, where
 * `child-guard` and the guardian could not see to it. Linux only; elsewhere it finds none.
 */
export async function killProcessesIn(directory: string): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => null);
    if (cwd !== directory && cwd?.startsWith(directory + sep) !== true) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone since, or not ours
    }
  }
}
