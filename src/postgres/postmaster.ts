import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataPlace } from './data-place.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { killGroupAtExit } from './exit-hook.ts';
import { runProgram } from './run-program.ts';
import type { Runtime } from './runtime.ts';

/**
 * `fast` ends sessions and writes everything out; `immediate` stops like a crash, to be recovered at the next
 * start.
 */
export type ShutdownMode = 'fast' | 'immediate';

/** A running server process. */
export type Postmaster = {
  readonly pid: number;
  /** Settles when the process is gone, with a word on how it went. Never rejects. */
  readonly exited: Promise<string>;
  /** Stops the server and waits; gets rougher when it does not go. */
  stop(mode: ShutdownMode): Promise<void>;
};

export type PostmasterOptions = {
  readonly place: DataPlace;
  readonly runtime: Runtime;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
};

const READY_POLL_MS = 5;
// Recovery after a crash replays the log first, and that may take minutes.
const READY_TIMEOUT_MS = 300_000;
const REMEMBERED_LINES = 20;
const ESCALATION = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const;

/**
 * Starts the server on an existing cluster and waits until it accepts connections.
 *
 * @throws EmbeddedPostgresError `port_in_use` | `start_failed` with the server's last lines
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { place, runtime, port, log } = options;
  const child = spawn(runtime.postgres, serverArguments(options), {
    cwd: place.clusterDir,
    env: { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A session of its own: the terminal's Ctrl-C reaches us alone, and we stop the server last.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(place.runAs.uid === undefined ? {} : { uid: place.runAs.uid }),
    ...(place.runAs.gid === undefined ? {} : { gid: place.runAs.gid }),
  });
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > REMEMBERED_LINES) lastLines.shift();
    log(line);
  });
  const exited = exitOf(child);
  if (child.pid === undefined) throw startFailure(await exited, place.home, port);
  const forget = killGroupAtExit(child.pid, 'SIGINT');
  void exited.then(forget);

  const postmaster: Postmaster = {
    pid: child.pid,
    exited,
    stop: (mode) => stopChild(child, exited, mode, options),
  };
  const outcome = await Promise.race([exited, untilReady(child, place.clusterDir)]);
  if (outcome === 'ready') return postmaster;
  await postmaster.stop('immediate');
  throw startFailure([outcome, ...lastLines].join('\n'), place.home, port);
}

function serverArguments({ place, port, settings }: PostmasterOptions): string[] {
  const all = {
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket file: nothing in /tmp to collide with, no limit on the length of the directory's path.
    unix_socket_directories: '',
    logging_collector: 'off',
  };
  return [
    '-D',
    place.clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`postgres could not be started: ${error.message}`));
    // 'close' and not 'exit': its last lines have been read by then.
    child.once('close', (code, signal) => resolve(`postgres ended with ${signal ?? `code ${code}`}`));
  });
}

// What pg_ctl does: the last line of postmaster.pid says when connections are accepted. The log does not show
// it, it may be in another language or go elsewhere.
async function untilReady(child: ChildProcess, clusterDir: string): Promise<string> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    // A stale file of an earlier server may still be there.
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return 'ready';
    if (performance.now() > deadline) return `not ready after ${READY_TIMEOUT_MS / 1_000} s`;
    await delay(READY_POLL_MS);
  }
  await once(child, 'close');
  return 'postgres ended';
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<string>,
  mode: ShutdownMode,
  { place, runtime }: PostmasterOptions,
): Promise<void> {
  if (process.platform === 'win32') {
    await runProgram(runtime.pgCtl, ['stop', '-D', place.clusterDir, '-m', mode, '-w']);
    await exited;
    return;
  }
  for (const [signal, waitMs] of mode === 'fast' ? ESCALATION : ESCALATION.slice(1)) {
    child.kill(signal);
    if (await settlesWithin(exited, waitMs)) return;
  }
  throw new EmbeddedPostgresError('stop_failed', `Postgres (pid ${child.pid}) can't be stopped.`, {
    dataDir: place.home,
  });
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(() => true);
  const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([settled, late]);
  timer.abort();
  return result;
}

function startFailure(output: string, dataDir: string, port: number): EmbeddedPostgresError {
  if (/could not bind|Address already in use/.test(output)) {
    return new EmbeddedPostgresError(
      'port_in_use',
      `Port ${port} on 127.0.0.1 is in use by another program.`,
      {
        dataDir,
        port,
        output,
      },
    );
  }
  const message = `Postgres did not start in ${dataDir}: ${output}`;
  return new EmbeddedPostgresError('start_failed', message, { dataDir, port, output });
}
