import pg, { type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { verdictOf } from './retryable.ts';
import { Seats } from './seats.ts';
import { run, type Statement, type StatementOptions } from './statement.ts';
import { wireTypes } from './wire-types.ts';

const LOCK_TIMEOUT_MS = 2_000;

export interface WorkerPoolOptions {
  readonly pool: pg.PoolConfig;
  /** The worker role's name. */
  readonly role: string;
  /** Behind a pooler in transaction mode, where what a session is told may be told to somebody else's. */
  readonly isPooled: boolean;
  readonly statements: StatementOptions;
}

/**
 * Connections for single statements of the worker role, each its own transaction. On a direct connection role and settings are
 * taken once, and a statement is one round trip. Behind a pooler each statement brings them along, as BEGIN, settings, statement
 * and COMMIT: sent at once, so still one round trip.
 */
export class WorkerPool extends pg.Pool {
  readonly #options: WorkerPoolOptions;
  readonly #opening: string;
  readonly #seats: Seats;

  constructor(options: WorkerPoolOptions) {
    const session = settings(options.role, false);
    const pool = { ...options.pool, types: wireTypes };
    super(
      options.isPooled
        ? { ...pool, pipeline: true }
        : { ...pool, onConnect: async (client) => void (await client.query(session)) },
    );
    this.#options = options;
    this.#seats = new Seats(this);
    this.#opening = `begin; ${settings(options.role, true)}`;
  }

  /** Runs a statement on a connection of its own, once. */
  async runOne<Row extends QueryResultRow>(
    stmt: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    const client = (stmt.seat !== undefined && this.#seats.take(stmt.seat)) || (await this.connect());
    let broken: Error | undefined;
    try {
      return await this.#run<Row>(client, stmt, values);
    } catch (error) {
      if (verdictOf(error) === 'reconnect') broken = error as Error;
      throw error;
    } finally {
      if (stmt.seat === undefined) client.release(broken);
      else if (broken === undefined) this.#seats.leave(stmt.seat, client);
      else this.#seats.lose(stmt.seat, client, broken);
    }
  }

  override end(): Promise<void> {
    this.#seats.close();
    return super.end();
  }

  #run<Row extends QueryResultRow>(
    client: PoolClient,
    stmt: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    const { isPooled, statements } = this.#options;
    const statement = (): Promise<QueryResult<Row>> => run<Row>(client, stmt, values, statements);
    return isPooled ? this.#inTransaction(client, statement) : statement();
  }

  async #inTransaction<Row extends QueryResultRow>(
    client: PoolClient,
    statement: () => Promise<QueryResult<Row>>,
  ): Promise<QueryResult<Row>> {
    // None is waited for before the next is sent. After an error COMMIT rolls back, and has no error of its own.
    const begun = client.query(this.#opening);
    const answered = statement();
    const ended = client.query('commit');
    const [begin, answer, end] = await Promise.allSettled([begun, answered, ended]);
    if (begin.status === 'rejected') throw begin.reason;
    if (answer.status === 'rejected') throw answer.reason;
    if (end.status === 'rejected') throw end.reason;
    return answer.value;
  }
}

/** @param isLocal for the transaction alone */
function settings(role: string, isLocal: boolean): string {
  return (
    `select set_config('role', '${role}', ${isLocal}), set_config('millrace.bell', 'after_commit', ${isLocal}), ` +
    // A row that somebody else's open transaction holds must not hold up what is settled beside it.
    `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}ms', ${isLocal}), set_config('enable_seqscan', 'off', ${isLocal}), ` +
    `set_config('plan_cache_mode', 'force_generic_plan', ${isLocal})`
  );
}
