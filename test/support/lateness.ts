import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { waitFor } from './wait.ts';

const PAUSE_MS = 10;
/** What a statement without work takes on a machine with nothing else to do. */
const STATEMENT_MS = 2;
/**
 * A promise is kept by several processes, one after the other, each of which the machine keeps waiting, to
 * and fro.
 */
const HOPS = 8;

export interface Lateness {
  /**
   * Ends the watch and says how many milliseconds a promised duration may take longer, given what the machine
   * did meanwhile.
   */
  allowanceMs(): Promise<number>;
}

/**
 * Watches how late this machine does things: a pause and a statement on the database, again and again. A
 * bound on a duration is the program's promise; what a busy machine takes for others comes on top, and is
 * measured instead of guessed. Ends with the test.
 */
export async function watchLateness(databaseUrl: string): Promise<Lateness> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let isOver = false;
  const watching = (async () => {
    let lateMs = 0;
    while (!isOver) {
      const startedMs = performance.now();
      await delay(PAUSE_MS);
      await client.query('select 1');
      lateMs += Math.max(0, performance.now() - startedMs - PAUSE_MS - STATEMENT_MS);
    }
    await client.end();
    return lateMs;
  })();
  const end = (): Promise<number> => {
    isOver = true;
    return watching;
  };
  onTestFinished(async () => void (await end()));
  return { allowanceMs: async () => HOPS * (await end()) };
}

export interface Promised {
  /** What is promised, milliseconds from the call on. */
  readonly withinMs: number;
  readonly databaseUrl: string;
  /** As the end of "waited … ms for". */
  readonly describe: string;
}

/**
 * Waits for what is promised within a time: it must come within that time and what the machine was late
 * meanwhile. A machine that is busy with other things breaks no promise, and a promise that is broken shows
 * at the first try.
 */
export async function waitPromised<T>(
  condition: () => T | Promise<T>,
  { withinMs, databaseUrl, describe }: Promised,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  const startedMs = performance.now();
  const lateness = await watchLateness(databaseUrl);
  const seen = await waitFor(condition, { describe, timeoutMs: withinMs + 200_000 });
  const tookMs = performance.now() - startedMs;
  expect(tookMs, `the time until ${describe}`).toBeLessThan(withinMs + (await lateness.allowanceMs()));
  return seen;
}
