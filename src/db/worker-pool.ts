import type pg from 'pg';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DedicatedConnections } from './dedicated-connections.ts';
import { classifyError } from './retryable.ts';
import type { ServerGeneration } from './server-generation.ts';
import { orStandby, refuseStandby, transactionColumns } from './session.ts';
import { SessionPool } from './session-pool.ts';
import type { SessionSettings } from './session-settings.ts';
import { run, type Statement, type StatementOptions } from './statement.ts';

const LOCK_TIMEOUT_MS = 2_000;

export interface WorkerPoolOptions {
  readonly pool: pg.PoolConfig;
  /** The worker role's name. */
  readonly role: string;
  /** Behind a pooler in transaction mode, where a setting made in one session may land in another's. */
  readonly isPooled: boolean;
  readonly statements: StatementOptions;
  /** Shared by all pools of a process. */
  readonly server?: ServerGeneration | undefined;
}

/**
 * Connections for single statements of the worker role, each its own transaction. On a direct connection role
 * and settings are taken once, and a statement is one round trip. Behind a pooler each statement brings them
 * along, as BEGIN, settings, statement and COMMIT: sent at once, so still one round trip.
 */
export class WorkerPool extends SessionPool {
  readonly #options: WorkerPoolOptions;
  readonly #opening: string;
  readonly #dedicated: DedicatedConnections;

  constructor(options: WorkerPoolOptions) {
    const { isPooled, server } = options;
    const settings = workerSettings(options.role);
    // Behind a pooler a statement goes out together with what surrounds it.
    const pool = { ...options.pool, ...(isPooled && { pipeline: true }) };
    super({ pool, settings, isPooled, server });
    this.#options = options;
    this.#dedicated = new DedicatedConnections(this);
    this.#opening = `begin isolation level read committed read write; select ${transactionColumns(settings)}`;
  }

  /** Runs a statement on a connection of its own, once. */
  async runOne<Row extends QueryResultRow>(
    stmt: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    const client = this.#takeDedicated(stmt) ?? (await this.connect());
    let broken: Error | undefined;
    try {
      return await this.#run<Row>(client, stmt, values);
    } catch (error) {
      this.noteFailure(client, error);
      if (classifyError(error) === 'reconnect') broken = error as Error;
      throw error;
    } finally {
      if (stmt.dedicatedTo === undefined) client.release(broken);
      else if (broken === undefined) this.#dedicated.leave(stmt.dedicatedTo, client);
      else this.#dedicated.lose(stmt.dedicatedTo, client, broken);
    }
  }

  /** The connection that is kept for the statement, unless it is in use or leads to a server of before. */
  #takeDedicated({ dedicatedTo }: Statement): PoolClient | undefined {
    if (dedicatedTo === undefined) return undefined;
    const client = this.#dedicated.take(dedicatedTo);
    if (client === undefined || !this.isOutdated(client)) return client;
    this.#dedicated.lose(dedicatedTo, client, new Error('the server has changed'));
    return undefined;
  }

  override end(): Promise<void> {
    this.#dedicated.close();
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
    // None is waited for before the next is sent. After an error COMMIT rolls back, and has no error of its
    // own.
    const begun = client.query(this.#opening);
    const answered = statement();
    const ended = client.query('commit');
    const [begin, answer, end] = await Promise.allSettled([begun, answered, ended]);
    if (begin.status === 'rejected') throw orStandby(begin.reason);
    refuseStandby(begin.value);
    if (answer.status === 'rejected') throw answer.reason;
    if (end.status === 'rejected') throw end.reason;
    return answer.value;
  }
}

function workerSettings(role: string): SessionSettings {
  return {
    role,
    'millrace.notify': 'after_commit',
    'millrace.checked': 'by_caller',
    // A row that somebody else's open transaction holds must not hold up what is settled beside it.
    lock_timeout: `${LOCK_TIMEOUT_MS}ms`,
    enable_seqscan: 'off',
    plan_cache_mode: 'force_generic_plan',
  };
}
