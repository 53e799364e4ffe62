import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface MaintenanceProcess {
  readonly child: ChildProcess;
  /** What it has logged. */
  readonly lines: readonly string[];
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Processes that do maintenance; `close` ends them all. */
export class MaintenanceProcesses {
  readonly #all: MaintenanceProcess[] = [];

  start(databaseUrl: string): MaintenanceProcess {
    const fixture = fileURLToPath(new URL('./maintenance-process.fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [fixture, databaseUrl], { stdio: ['ignore', 'ignore', 'pipe'] });
    const lines: string[] = [];
    createInterface(child.stderr).on('line', (line) => lines.push(line));
    const started: MaintenanceProcess = {
      child,
      lines,
      exited: new Promise((resolve) => child.once('close', () => resolve())),
      kill: (signal) => void child.kill(signal),
    };
    this.#all.push(started);
    return started;
  }

  async close(): Promise<void> {
    for (const { child } of this.#all) child.kill('SIGKILL');
    await Promise.all(this.#all.map(({ exited }) => exited));
  }
}
