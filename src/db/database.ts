import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { isUuid } from '../core/ids.ts';
import { OwnerSlots } from '../core/owner-slots.ts';
import type { Transaction } from './transaction.ts';

export type { Transaction };

import { classifyError } from './retryable.ts';
import { type RoleKind, type RoleNames, roleNames } from './roles.ts';
import type { ServerGeneration } from './server-generation.ts';
import { orStandby, refuseStandby, transactionColumns } from './session.ts';
import { SessionPool } from './session-pool.ts';
import { settingColumns } from './session-settings.ts';
import { run, type Statement, type StatementOptions } from './statement.ts';
import { WorkerPool } from './worker-pool.ts';

/** As whom a transaction works, and what it may do. */
export interface Scope {
  readonly role: RoleKind;
  /** The tenant that row security applies (role `api`), or that handlers' stores write for. */
  readonly tenantId?: string;
  readonly readOnly?: boolean;
  /** REPEATABLE READ for reads that must agree with each other; READ COMMITTED otherwise. */
  readonly repeatableRead?: boolean;
  /**
   * The server ends it when nothing comes from us for a while. A worker that freezes between two statements
   * (SIGSTOP, a dead machine) would hold its rows for as long: nobody could rescue the job that it was
   * settling. Always so in the role `worker`.
   */
  readonly endsWhenFrozen?: boolean;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly rolePrefix: string;
  /** Connections for transactions. */
  readonly maxConnections: number;
  /** Connections for the worker role's single statements; as many as for transactions by default. */
  readonly maxStatementConnections?: number;
  readonly applicationName: string;
  /** False behind a pooler in transaction mode that knows no prepared statements. */
  readonly preparedStatements: boolean;
  /**
   * What stands before the database: a pooler in `transaction` mode keeps nothing of a session. `none` by
   * default.
   */
  readonly pooler?: 'none' | 'transaction';
  /** An idle client's error: logged, the pool replaces the client by itself. */
  readonly onError: (error: Error) => void;
  /** How long one statement, or a connection, may take before it counts as lost; 30,000 by default. */
  readonly queryTimeoutMs?: number;
  /**
   * Shared by all that has connections in a process: when one finds its server read-only, all open new ones.
   */
  readonly server?: ServerGeneration | undefined;
}

const MAX_TRIES = 5;
const QUERY_TIMEOUT_MS = 30_000;
// A connection is a process more for the server: one that is given less time has none at all on a busy
// machine, try after try [measured].
const MIN_CONNECT_MS = 2_000;
const WORKER_IDLE_TIMEOUT_MS = 10_000;
// `enable_seqscan` is off for every statement of ours: each is prepared once and has an index to rely on, but
// one that was first planned on a nearly empty table keeps reading it whole as it grows, until statistics are
// next taken (a worker's turn rose from 4.7 to 8 ms within 5,000 jobs). And plans are generic from the first:
// what is found by an index is so whatever the values are, and arrays of different lengths made Postgres plan
// an INSERT again each time (0.47 of its 1.1 ms).
const STATEMENT_SETTINGS = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' };

/**
 * The way to Postgres: transactions that begin by taking a role and a tenant, and single statements of the
 * worker role. This is the one place that runs statements, so the one that retries lost races (40001, 40P01)
 * and counts them.
 */
export class Database {
  readonly roles: RoleNames;
  readonly #pool: SessionPool;
  readonly #isPooled: boolean;
  readonly #workerPool: WorkerPool;
  readonly #statementOptions: StatementOptions;
  /** The limit for one tenant's callers: one connection for transactions is left to others. */
  readonly #turns: OwnerSlots;
  #retriedCount = 0;

  constructor(options: DatabaseOptions) {
    this.roles = roleNames(options.rolePrefix);
    this.#statementOptions = { prepared: options.preparedStatements };
    const base = {
      connectionString: options.connectionString,
      max: options.maxConnections,
      application_name: options.applicationName,
      connectionTimeoutMillis: Math.min(
        5_000,
        Math.max(MIN_CONNECT_MS, options.queryTimeoutMs ?? QUERY_TIMEOUT_MS),
      ),
      idleTimeoutMillis: 10_000,
      // A connection whose other end vanished without a word would otherwise hang a claim or a heartbeat
      // until the kernel gives up, many minutes later. Nothing that goes through here takes this long.
      keepAlive: true,
      query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    };
    this.#isPooled = options.pooler === 'transaction';
    this.#turns = new OwnerSlots(Math.max(1, options.maxConnections - 1));
    const shared = { pool: base, isPooled: this.#isPooled, server: options.server };
    this.#pool = new SessionPool({ ...shared, settings: STATEMENT_SETTINGS });
    this.#workerPool = new WorkerPool({
      ...shared,
      pool: { ...base, max: options.maxStatementConnections ?? options.maxConnections },
      server: this.#pool.server,
      role: this.roles.worker,
      statements: this.#statementOptions,
    });
    for (const pool of [this.#pool, this.#workerPool]) {
      pool.on('error', options.onError);
      // A client that is checked out but has no query under way reports a lost connection only here; without
      // a listener that would end the process. The next query on it fails, and so finds its way to the
      // caller.
      pool.on('connect', (client) => client.on('error', options.onError));
    }
  }

  /** Transactions and statements that lost a race and were run again, since the start. */
  get retriedCount(): number {
    return this.#retriedCount;
  }

  /**
   * Runs `work` in one transaction and commits. A lost race (deadlock, serialization) runs it again, so
   * `work` must have no effect outside the transaction. Throws what `work` throws, after a rollback.
   */
  async transaction<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const run = (): Promise<T> => this.#transact(scope, work);
    return scope.role === 'api' && scope.tenantId !== undefined
      ? this.#turns.run(scope.tenantId, run)
      : run();
  }

  #transact<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#retrying(async () => {
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      try {
        refuseStandby(await client.query(this.#opening(scope)).catch(rethrowStandby));
        const tx = this.#transactionOn(client);
        const result = await work(tx);
        await client.query('commit');
        return result;
      } catch (error) {
        this.#pool.noteFailure(client, error);
        if (classifyError(error) === 'reconnect') broken = error as Error;
        else await client.query('rollback').catch((failed: Error) => (broken = failed));
        throw error;
      } finally {
        client.release(broken);
      }
    });
  }

  /**
   * One statement of the worker role, its own transaction. For the hot path: it sends no notification, the
   * caller does.
   */
  async asWorker<Row extends QueryResultRow>(
    stmt: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    return this.#retrying(() => this.#workerPool.runOne<Row>(stmt, values));
  }

  /**
   * One statement as the login itself, in no role of ours: for what is asked about the server and the roles.
   */
  async asLogin<Row extends QueryResultRow>(
    { text }: Statement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    if (!this.#isPooled) return this.#pool.query<Row>(text, [...values]);
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(`begin isolation level read committed; select ${transactionColumns({})}`);
      const result = await client.query<Row>(text, [...values]);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failed: Error) => (broken = failed));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** One cheap round trip, for readiness. Throws when the database does not answer. */
  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  /** Closes every connection once it is idle. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#workerPool.end()]);
  }

  /**
   * BEGIN, role, tenant and the notification mode in one round trip (the simple protocol takes several
   * statements). The values are constants and a checked UUID: nothing here comes from a caller as text.
   */
  #opening(scope: Scope): string {
    if (scope.tenantId !== undefined && !isUuid(scope.tenantId))
      throw new TypeError(`Not a tenant id: ${scope.tenantId}`);
    const isolation = scope.repeatableRead === true ? 'repeatable read' : 'read committed';
    // On a connection of our own the default is as we have set it.
    const access = scope.readOnly === true ? ' read only' : this.#isPooled ? ' read write' : '';
    const isFreezable = scope.role === 'worker' || scope.endsWhenFrozen === true;
    const settings = {
      role: this.roles[scope.role],
      'millrace.tenant_id': scope.tenantId ?? '',
      'millrace.notify': 'after_commit',
      'millrace.checked': 'by_caller',
      ...(isFreezable && { idle_in_transaction_session_timeout: `${WORKER_IDLE_TIMEOUT_MS}ms` }),
    };
    const columns = this.#isPooled
      ? transactionColumns({ ...STATEMENT_SETTINGS, ...settings })
      : settingColumns(settings, true);
    return `begin isolation level ${isolation}${access}; select ${columns}`;
  }

  #transactionOn(client: PoolClient): Transaction {
    return { client, query: (stmt, values) => run(client, stmt, values, this.#statementOptions) };
  }

  async #retrying<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (classifyError(error) !== 'retryNow' || tries >= MAX_TRIES) throw error;
        this.#retriedCount++;
      }
    }
  }
}

function rethrowStandby(error: unknown): never {
  throw orStandby(error);
}
