import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { killProcessesIn } from '../../src/postgres/leftovers.ts';
import { isAlive, processIdentity } from '../../src/postgres/process-identity.ts';
import { waitFor } from '../support/wait.ts';

const HOLDER = fileURLToPath(new URL('hold-cluster.fixture.ts', import.meta.url));

/** A directory that every user may enter; the caller removes it. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'millrace-pg-test-')));
  await chmod(directory, 0o755);
  return directory;
}

/** Kills whatever Postgres still runs in its `data/` and deletes the directory. */
export async function removeDirectory(directory: string): Promise<void> {
  await killProcessesIn([join(directory, 'data', 'cluster')]);
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** A directory that every user may enter, for the current test. */
export async function makeDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

export type HolderEvent = {
  readonly event: 'ready' | 'refused' | 'stopped';
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly uid: number;
  readonly dataDir: string;
  readonly notes: readonly string[];
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
};

/** Another process that starts a server, see hold-cluster.fixture.ts. */
export type Holder = {
  readonly child: ChildProcess & { readonly pid: number };
  /** The next thing it says. */
  said(): Promise<HolderEvent>;
  /** Kills it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Waits for its end and gives its exit code. */
  ended(): Promise<number | null>;
};

/** Starts another process with an empty environment (no HOME, no LANG), in a process group of its own. */
export function startHolder(
  dataDir: string,
  { systemDir, uid, gid }: { systemDir?: string; uid?: number; gid?: number } = {},
): Holder {
  const args = [HOLDER, dataDir, ...(systemDir === undefined ? [] : [systemDir])];
  const child = spawn(process.execPath, args, {
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the other process could not be started');
  const end = once(child, 'close').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await end;
  });
  return {
    child: Object.assign(child, { pid }),
    said: async () => {
      const { value } = await lines.next();
      if (typeof value !== 'string')
        throw new Error(`the other process said nothing and ended with ${await end}`);
      return JSON.parse(value) as HolderEvent;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await end;
    },
    ended: () => end,
  };
}

/** Runs one statement in a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until this process is gone; one that is dead but not reaped yet counts as gone. */
export async function untilGone(pid: number): Promise<void> {
  const isGone = async (): Promise<boolean> => !isAlive(pid) || (await processIdentity(pid)) === undefined;
  await waitFor(isGone, { describe: `process ${pid} to be gone` });
}
