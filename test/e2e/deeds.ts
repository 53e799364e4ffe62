import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { defineJob } from '../../src/core/definition.ts';
import { type Program, startProgram } from '../support/program.ts';

// Worker processes as users start them, with a job of their own that does to its worker what its payload
// says.

/**
 * What a job does. `kill`: SIGKILL to its worker. `stray`: leaves a rejection behind that nobody awaits, and
 * is done. `strayWait`: the same, and waits.
 */
export interface Deed {
  readonly do: 'quick' | 'wait' | 'kill' | 'stray' | 'strayWait' | 'throwLater';
  readonly ms?: number;
  /** Later runs end at once. */
  readonly onlyFirstRun?: boolean;
}

export function deedOf(leaseSeconds: number) {
  return defineJob({
    key: 'deed',
    payload: Type.Any(),
    leaseSeconds,
    timeoutSeconds: 600,
    retryPolicy: { baseSeconds: 0.05, factor: 1, jitter: 0 },
  });
}

const module = (leaseSeconds: number, witness: string): string => `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineJob, done, job, Type } from 'millrace';
const deed = defineJob({
  key: 'deed', payload: Type.Any(), leaseSeconds: ${leaseSeconds}, timeoutSeconds: 600,
  retryPolicy: { baseSeconds: 0.05, factor: 1, jitter: 0 },
});
export default job(deed, async ({ payload, jobId, runNo, signal }) => {
  const say = (event) => appendFileSync(${JSON.stringify(witness)}, JSON.stringify({ event, jobId, runNo, pid: process.pid, does: payload.do }) + '\\n');
  say('began');
  if (payload.onlyFirstRun && runNo > 1) return done();
  if (payload.do === 'stray' || payload.do === 'strayWait')
    setTimeout(() => Promise.reject(new Error('left behind')), payload.ms);
  if (payload.do === 'throwLater') setTimeout(() => { throw new Error('thrown by a timer'); }, payload.ms);
  if (payload.do === 'wait') await sleep(payload.ms, undefined, { signal });
  if (payload.do === 'strayWait') await sleep(600_000, undefined, { signal });
  if (payload.do === 'kill') {
    await sleep(payload.ms ?? 0);
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000);
  }
  say('ended');
  return done();
});
`;

export interface Witnessed {
  readonly event: 'began' | 'ended';
  readonly jobId: string;
  readonly runNo: number;
  readonly pid: number;
  readonly does: Deed['do'];
}

/** Starts workers on a database, and keeps as many alive as it is asked to, as a supervisor does. */
export class Fleet {
  readonly #directory: string;
  readonly #databaseUrl: string;
  readonly #programs: Program[] = [];
  #isClosed = false;

  private constructor(directory: string, databaseUrl: string) {
    this.#directory = directory;
    this.#databaseUrl = databaseUrl;
  }

  static async open(directory: string, databaseUrl: string, leaseSeconds: number): Promise<Fleet> {
    const fleet = new Fleet(directory, databaseUrl);
    await mkdir(join(directory, 'jobs'));
    await writeFile(fleet.#witness, '');
    await writeFile(join(directory, 'jobs', 'deed.mjs'), module(leaseSeconds, fleet.#witness));
    return fleet;
  }

  get #witness(): string {
    return join(this.#directory, 'witness');
  }

  /** A worker process, `workers/main.ts`. */
  start(env: Readonly<Record<string, string>> = {}): Program {
    const program = startProgram('workers/main.ts', [], {
      DATABASE_URL: this.#databaseUrl,
      MILLRACE_HANDLERS: join(this.#directory, 'jobs'),
      MILLRACE_DATA_DIR: join(this.#directory, 'data'),
      ...env,
    });
    this.#programs.push(program);
    return program;
  }

  /** Starts one, and another whenever it ends. */
  keepOne(env: Readonly<Record<string, string>> = {}): void {
    const { child } = this.start(env);
    child.once('exit', () => {
      if (!this.#isClosed) this.keepOne(env);
    });
  }

  /** What the jobs of all workers have said, in the order in which they said it. */
  async witnessed(): Promise<readonly Witnessed[]> {
    const text = await readFile(this.#witness, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Witnessed);
  }

  log(): string {
    return this.#programs.map((program) => program.stderr()).join('\n');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#programs.map((program) => program.kill()));
  }
}
