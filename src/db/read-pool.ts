import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { refuseStandby } from './session.ts';
import { SessionPool } from './session-pool.ts';

/**
 * Connections for Prisma's transactions. Prisma says a bare BEGIN and then one statement a setting; here its
 * BEGIN goes out as one round trip that also takes the role, the tenant and the limits (the simple protocol
 * takes several statements).
 */
export class ReadPool extends SessionPool {
  readonly #opening = new AsyncLocalStorage<string>();
  readonly #openings = new WeakMap<pg.PoolClient, string>();

  /** Runs `begin`, with every transaction that it begins opened by `opening` in place of BEGIN. */
  withOpening<T>(opening: string, begin: () => T): T {
    return this.#opening.run(opening, begin);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void;
  override connect(callback?: unknown): Promise<pg.PoolClient> | undefined {
    // A statement outside a transaction would run as the login role, which row security may not bind.
    if (callback !== undefined) throw new Error('Reads go through a transaction that takes a role first');
    const opening = this.#opening.getStore();
    if (opening === undefined) throw new Error('A read transaction was begun without a scope');
    return this.#checkOut(opening);
  }

  async #checkOut(opening: string): Promise<pg.PoolClient> {
    const client = await super.connect();
    const known = this.#openings.has(client);
    this.#openings.set(client, opening);
    if (!known) this.#replaceBegin(client);
    return client;
  }

  #replaceBegin(client: pg.PoolClient): void {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>;
    const begin = async (): Promise<pg.QueryResult> => {
      const answer = await query(this.#openings.get(client));
      refuseStandby(answer);
      return answer;
    };
    const replaced = (config: unknown, ...rest: unknown[]): unknown =>
      isBegin(config) ? begin() : query(config, ...rest);
    client.query = replaced as typeof client.query;
  }
}

function isBegin(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'text' in config && config.text === 'BEGIN';
}
