import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export interface WorkersOptions {
  readonly count: number;
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly recordPath: string;
  readonly dataDir: string;
  /** Where what they log goes. */
  readonly logPath: string;
}

/** Worker processes as a user runs them; one that is killed is followed by another, as under a supervisor. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #log: WriteStream;
  readonly #children: ChildProcess[] = [];
  readonly #frozen = new Set<number>();

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logPath, { flags: 'a' });
    for (let index = 0; index < options.count; index++) this.#children.push(this.#start());
  }

  get count(): number {
    return this.#options.count;
  }

  /** SIGKILL, and another takes its place at once. */
  async kill(index: number): Promise<void> {
    const child = this.#at(index);
    this.#frozen.delete(index);
    child.kill('SIGKILL');
    await ended(child);
    this.#children[index] = this.#start();
  }

  /** SIGTERM, as in a deployment; another takes its place when it has ended. */
  async replace(index: number): Promise<void> {
    const child = this.#at(index);
    child.kill('SIGTERM');
    await ended(child);
    this.#children[index] = this.#start();
  }

  isFrozen(index: number): boolean {
    return this.#frozen.has(index);
  }

  freeze(index: number): void {
    this.#frozen.add(index);
    this.#at(index).kill('SIGSTOP');
  }

  thaw(index: number): void {
    if (this.#frozen.delete(index)) this.#at(index).kill('SIGCONT');
  }

  /** Processes that ended without having been asked to; each was replaced by nothing. */
  ended(): readonly string[] {
    return this.#children.flatMap((child) =>
      child.exitCode !== null || child.signalCode !== null
        ? [`pid ${child.pid} ended with ${child.exitCode ?? child.signalCode}`]
        : [],
    );
  }

  /** Ends all of them, whatever their state. */
  async stop(): Promise<void> {
    for (const index of this.#frozen) this.thaw(index);
    for (const child of this.#children) child.kill('SIGTERM');
    const all = Promise.all(this.#children.map(ended));
    const forceStop = setTimeout(() => {
      for (const child of this.#children) child.kill('SIGKILL');
    }, 10_000);
    await all;
    clearTimeout(forceStop);
    await new Promise<void>((resolve) => this.#log.end(resolve));
  }

  #at(index: number): ChildProcess {
    const child = this.#children[index];
    if (child === undefined) throw new Error(`there is no worker ${index}`);
    return child;
  }

  #start(): ChildProcess {
    const { databaseUrl, concurrency, recordPath, dataDir } = this.#options;
    const child = spawn(process.execPath, ['workers/main.ts'], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: databaseUrl,
        MILLRACE_HANDLERS: fileURLToPath(new URL('./jobs.ts', import.meta.url)),
        MILLRACE_CONCURRENCY: String(concurrency),
        MILLRACE_MAX_CONNECTIONS: '4',
        MILLRACE_SHUTDOWN_SECONDS: '0',
        MILLRACE_DATA_DIR: dataDir,
        MILLRACE_LOG_FORMAT: 'json',
        MILLRACE_LOG_LEVEL: 'warn',
        CHAOS_RECORD: recordPath,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.pipe(this.#log, { end: false });
    return child;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
