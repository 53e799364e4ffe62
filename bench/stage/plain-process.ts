import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import type { PlainNews, PlainOrder, PlainStart } from './plain.ts';

const SCRIPT = fileURLToPath(new URL('../processes/plain-loop.ts', import.meta.url));
const LISTENER = fileURLToPath(new URL('../processes/plain-listener.ts', import.meta.url));

/** A process with the hand-written loop. */
export interface PlainProcess {
  readonly pid: number;
  /** Works until no job is left; how long each took. */
  run(connections: number): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Starts one; it opens its connections at the first run. */
export async function startPlainProcess(databaseUrl: string): Promise<PlainProcess> {
  const child = startChild<PlainOrder, PlainNews>(SCRIPT, { DATABASE_URL: databaseUrl });
  await child.next((news): news is PlainNews => news.durationsMs === null);
  return {
    pid: child.pid,
    run: async (connections) => {
      const answer = child.next(
        (news): news is { readonly durationsMs: readonly number[] } => news.durationsMs !== null,
      );
      child.send({ connections });
      return (await answer).durationsMs;
    },
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}

/** A process that waits for NOTIFY and takes one job a time. */
export interface PlainListener {
  /** The machine's clock when the next job starts. */
  nextStart(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one and waits until it listens. */
export async function startPlainListener(databaseUrl: string): Promise<PlainListener> {
  const child = startChild<object, PlainStart>(LISTENER, { DATABASE_URL: databaseUrl });
  await child.next((news): news is PlainStart => news.atMs === null);
  return {
    nextStart: async () =>
      (await child.next((news): news is { readonly atMs: number } => news.atMs !== null)).atMs,
    stop: async () => {
      child.disconnect();
      await child.ended();
    },
  };
}
