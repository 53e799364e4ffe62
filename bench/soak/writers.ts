import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Truth } from '../subload/followers.ts';

const UPDATE = `update millrace.jobs set priority = priority + 1, version = version + 1, changed_xid = pg_current_xact_id()
 where id = (select id from millrace.jobs where correlation_id = $1 order by random() limit 1)`;
const INSERT = `insert into millrace.jobs (tenant_id, definition_id, correlation_id) values ($1, $2, $3)`;
const TRUTH = `select correlation_id as key, id, version::text from millrace.jobs where correlation_id = any($1)`;
const KILL_LISTENER = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace server listener'`;

/** One write in N adds a job. */
const INSERT_EVERY = 50;

/** Programs that change jobs by plain SQL, through whatever happens to the database. */
export class SoakWriters {
  readonly #pool: pg.Pool;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  /** Changes that were committed. */
  commitCount = 0;
  /** Writes that failed because the database was away. */
  failureCount = 0;

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, max: 6, connectionTimeoutMillis: 60_000 });
    // Connections are killed on purpose.
    this.#pool.on('error', () => undefined);
  }

  /** Begins to write, each writer with pauses of `pauseMs` on average. */
  start(
    count: number,
    pauseMs: number,
    keys: readonly string[],
    tenantId: string,
    definitionId: string,
  ): void {
    const write = async (): Promise<void> => {
      for (let n = 1; !this.#stopping.signal.aborted; n++) {
        const key = keys[Math.floor(Math.random() * keys.length)] as string;
        try {
          if (n % INSERT_EVERY === 0) await this.#pool.query(INSERT, [tenantId, definitionId, key]);
          else await this.#pool.query(UPDATE, [key]);
          this.commitCount++;
        } catch {
          this.failureCount++;
        }
        await delay(2 * pauseMs * Math.random());
      }
    };
    for (let writer = 0; writer < count; writer++) this.#running.push(write());
  }

  /** Ends the connections that LISTEN. */
  async killListener(): Promise<void> {
    await this.#pool.query(KILL_LISTENER);
  }

  /** Stops writing; what every follower must come to know. */
  async finish(keys: readonly string[]): Promise<Truth> {
    this.#stopping.abort();
    await Promise.all(this.#running);
    const { rows } = await this.#pool.query<{ key: string; id: string; version: string }>(TRUTH, [keys]);
    const truth: Record<string, Record<string, string>> = {};
    for (const { key, id, version } of rows) truth[key] = { ...truth[key], [id]: version };
    return truth;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
