import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { HALF_MADE_PREFIX } from './init-cluster.ts';
import { isAlive } from './process-identity.ts';
import { runProgram } from './run-program.ts';

const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 20_000;
const KILL_MS = 5_000;
const ESCALATION = [
  ['SIGQUIT', 5_000],
  ['SIGKILL', KILL_MS],
] as const;

/**
 * Stops what a killed start left running in this data directory: a whole server, server processes without
 * their postmaster, an initdb at work. Also removes a `postmaster.pid` that would stop Postgres from starting
 * because its pid now belongs to somebody else. The caller owns the data directory, so nobody else is meant
 * to be running there.
 *
 * @throws EmbeddedPostgresError `stop_failed` when something there survives even SIGKILL
 */
export async function stopLeftovers(home: string, log: (line: string) => void): Promise<void> {
  const clusterDir = join(home, 'cluster');
  await killProcessesIn(await halfMadeDirs(home));

  const postmasterPid = await recordedPostmaster(clusterDir);
  if (postmasterPid !== undefined && (await serverProcesses(clusterDir)).includes(postmasterPid)) {
    log(`stopping the Postgres (pid ${postmasterPid}) that an earlier start left running in ${clusterDir}`);
    signal(postmasterPid, 'SIGINT');
    await untilNoneLeft(clusterDir, FAST_SHUTDOWN_MS);
  }
  // What is still there is stuck, or has lost its postmaster and serves nobody.
  for (const [name, waitMs] of ESCALATION) {
    const left = await serverProcesses(clusterDir);
    for (const pid of left) signal(pid, name);
    if (left.length > 0) await untilNoneLeft(clusterDir, waitMs);
  }
  const survivors = await serverProcesses(clusterDir);
  if (survivors.length > 0) {
    const message = `Postgres processes ${survivors.join(', ')} in ${clusterDir} can't be stopped.`;
    throw new EmbeddedPostgresError('stop_failed', message, { dataDir: home });
  }
  await dropMisleadingPidFile(clusterDir);
}

/**
 * Kills every server process of these directories at once, as a power failure would, and waits until they are
 * gone.
 */
export async function killProcessesIn(directories: readonly string[]): Promise<void> {
  const deadline = performance.now() + KILL_MS;
  for (;;) {
    const pids = await processesIn(directories);
    if (pids.length === 0 || performance.now() > deadline) return;
    for (const pid of pids) signal(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/**
 * Postgres processes whose working directory is one of these: the server and all its children live in the
 * data directory. Compared by inode, so that neither links, other mounts nor odd characters matter. Linux
 * only; elsewhere the answer is empty and Postgres' own checks have to do.
 */
async function processesIn(directories: readonly string[]): Promise<number[]> {
  if (process.platform !== 'linux' || directories.length === 0) return [];
  const wanted = new Set(await Promise.all(directories.map(inode)));
  wanted.delete(undefined);
  if (wanted.size === 0) return [];
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(
    names.map(async (name) => {
      const program = await readlink(`/proc/${name}/exe`).catch(() => '');
      // "postgres (deleted)" after an upgrade of the package.
      if (!/^(postgres|initdb)\b/.test(basename(program))) return false;
      return wanted.has(await inode(`/proc/${name}/cwd`));
    }),
  );
  return names.filter((_, index) => matches[index]).map(Number);
}

async function inode(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info && `${info.dev}:${info.ino}`;
}

async function halfMadeDirs(home: string): Promise<string[]> {
  const names = (await readdir(home)).filter((name) => name.startsWith(HALF_MADE_PREFIX));
  return names.flatMap((name) => [join(home, name), join(home, name, 'cluster')]);
}

async function recordedPostmaster(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  // A single-user server writes its pid negated.
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

async function serverProcesses(clusterDir: string): Promise<number[]> {
  if (process.platform === 'linux') return await processesIn([clusterDir]);
  const pid = await recordedPostmaster(clusterDir);
  // On Windows Postgres' own lock has to do.
  if (pid === undefined || process.platform === 'win32' || !isAlive(pid)) return [];
  const ps = await runProgram('/bin/ps', ['-o', 'command=', '-p', String(pid)]);
  return ps.stdout.includes('postgres') && ps.stdout.includes(clusterDir) ? [pid] : [];
}

async function untilNoneLeft(clusterDir: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && (await serverProcesses(clusterDir)).length > 0) await delay(POLL_MS);
}

// Postgres replaces the file of a dead process by itself, but not one that a crash left empty, nor one whose
// pid was given to another process of the same user meanwhile.
async function dropMisleadingPidFile(clusterDir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const path = join(clusterDir, 'postmaster.pid');
  const pid = await recordedPostmaster(clusterDir);
  if (pid === undefined || isAlive(pid)) await rm(path, { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}
