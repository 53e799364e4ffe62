import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../../support/wait.ts';
import type { FixtureOptions } from './worker-process.fixture.ts';

export interface WorkerEvent {
  readonly event: 'ready' | 'started' | 'aborted' | 'ended' | 'stopped';
  readonly jobId?: string;
  readonly runNo?: number;
  readonly reason?: string;
  readonly workerIds?: readonly string[];
}

export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly events: readonly WorkerEvent[];
  /** What it has logged. */
  readonly logLines: readonly string[];
  /** Waits for an event, also one that has already been. */
  event(event: WorkerEvent['event'], jobId?: string): Promise<WorkerEvent>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
}

/** Processes and their directory; everything is ended and removed by `close`. */
export class WorkerProcesses {
  readonly directory: string;
  readonly #processes: WorkerProcess[] = [];

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async open(): Promise<WorkerProcesses> {
    const directory = await mkdtemp(join(tmpdir(), 'millrace-test-workers-'));
    await mkdir(join(directory, 'witness'));
    return new WorkerProcesses(directory);
  }

  /** Starts one and waits until it is ready. */
  async start(
    databaseUrl: string,
    options: FixtureOptions['options'] = {},
    { workers = 1, listenUrl }: { readonly workers?: number; readonly listenUrl?: string } = {},
  ): Promise<WorkerProcess> {
    const given: FixtureOptions = {
      env: {
        DATABASE_URL: databaseUrl,
        MILLRACE_DATA_DIR: join(this.directory, 'data'),
        MILLRACE_LOG_FORMAT: 'json',
        ...(listenUrl === undefined ? {} : { MILLRACE_LISTEN_URL: listenUrl }),
      },
      workers,
      witnessDirectory: join(this.directory, 'witness'),
      options,
    };
    const started = startProcess(given);
    this.#processes.push(started);
    await started.event('ready');
    return started;
  }

  /** The runs whose handlers were called, as `<job id>.<run number>`. */
  witnessed(): Promise<readonly string[]> {
    return readdir(join(this.directory, 'witness'));
  }

  async close(): Promise<void> {
    for (const { child } of this.#processes) child.kill('SIGKILL');
    await Promise.all(this.#processes.map((started) => started.exited));
    await rm(this.directory, { recursive: true, force: true });
  }
}

function startProcess(given: FixtureOptions): WorkerProcess {
  const fixture = fileURLToPath(new URL('./worker-process.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, [fixture, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: WorkerEvent[] = [];
  const logLines: string[] = [];
  createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line)));
  createInterface(child.stderr).on('line', (line) => logLines.push(line));
  let ended = false;
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      ended = true;
      resolve(signal ?? code ?? -1);
    });
  });
  return {
    child,
    events,
    logLines,
    exited,
    event: (event, jobId) =>
      waitFor(
        () => {
          const found = events.find(
            (seen) => seen.event === event && (jobId === undefined || seen.jobId === jobId),
          );
          if (found === undefined && ended)
            throw new Error(`the worker process ended: ${logLines.slice(-20).join('\n')}`);
          return found;
        },
        {
          describe: () => `${event} of ${jobId ?? 'the process'}; log: ${logLines.slice(-5).join('\n')}`,
        },
      ),
    kill: (signal) => void child.kill(signal),
  };
}
