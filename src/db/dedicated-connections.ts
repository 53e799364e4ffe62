import type pg from 'pg';

/** Nobody needs a connection by itself for a statement that has not run for so long. */
const KEPT_MS = 10_000;
/**
 * Connections that are left for all other statements: of three, one is for claims and one for settlements.
 */
const LEFT_TO_OTHERS = 1;

interface DedicatedConnection {
  readonly client: pg.PoolClient;
  isTaken: boolean;
  readonly expiry: NodeJS.Timeout;
  readonly end: () => void;
}

/**
 * Keeps a connection for each of the statements that run all the time. A server process maps each page of the
 * shared buffers when it first touches it, at several microseconds a page: when claims and settlements change
 * connections with each other, every one of their processes maps the pages of both.
 */
export class DedicatedConnections {
  readonly #pool: pg.Pool;
  readonly #dedicated = new Map<string, DedicatedConnection>();
  #isClosed = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The connection that ran this statement last, unless it is at it; to be returned by `leave`. */
  take(name: string): pg.PoolClient | undefined {
    const dedicated = this.#dedicated.get(name);
    if (dedicated === undefined || dedicated.isTaken) return undefined;
    dedicated.isTaken = true;
    return dedicated.client;
  }

  /** Hands a connection back: to its statement, to a new one or to the pool. */
  leave(name: string, client: pg.PoolClient): void {
    const dedicated = this.#dedicated.get(name);
    if (dedicated?.client === client) {
      dedicated.isTaken = false;
      dedicated.expiry.refresh();
    } else if (dedicated === undefined && this.#hasRoom()) {
      this.#keep(name, client);
    } else {
      client.release();
    }
  }

  /** Drops a connection that broke, kept or not. */
  lose(name: string, client: pg.PoolClient, error: Error): void {
    const dedicated = this.#dedicated.get(name);
    if (dedicated?.client === client) this.#forget(name, dedicated);
    client.release(error);
  }

  /** Gives all back that nobody is at. Those that are taken go back to the pool when they are left. */
  close(): void {
    this.#isClosed = true;
    for (const [name, dedicated] of this.#dedicated) {
      this.#forget(name, dedicated);
      if (!dedicated.isTaken) dedicated.client.release();
    }
  }

  #hasRoom(): boolean {
    return !this.#isClosed && this.#dedicated.size + LEFT_TO_OTHERS < this.#pool.options.max;
  }

  #keep(name: string, client: pg.PoolClient): void {
    const end = (): void => this.#end(name, client);
    const expiry = setTimeout(end, KEPT_MS);
    expiry.unref();
    this.#dedicated.set(name, { client, isTaken: false, expiry, end });
    // The pool looks after its idle connections only. One that breaks while nobody is at it would fail the
    // next statement.
    client.on('error', end).on('end', end);
  }

  #end(name: string, client: pg.PoolClient): void {
    const dedicated = this.#dedicated.get(name);
    if (dedicated?.client !== client || dedicated.isTaken) return;
    this.#forget(name, dedicated);
    client.release();
  }

  #forget(name: string, { client, expiry, end }: DedicatedConnection): void {
    clearTimeout(expiry);
    client.off('error', end).off('end', end);
    this.#dedicated.delete(name);
  }
}
