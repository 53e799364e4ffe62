import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backoffMs } from './backoff.ts';
import { sqlState } from './retryable.ts';
import { ServerGeneration } from './server-generation.ts';
import { openSession } from './session.ts';
import type { SessionSettings } from './session-settings.ts';
import { wireTypes } from './wire-types.ts';

/**
 * No connection is used for longer. A server process keeps what it once read of the catalogue, and a
 * connection leads where the host's name led when it was opened.
 */
const LIFETIME_SECONDS = 1_800;
const ROOM_TIMEOUT_MS = 5_000;

export interface SessionPoolOptions {
  readonly pool: pg.PoolConfig;
  /**
   * Beside the base settings, or in place of some. Behind a pooler they go with each transaction, which its
   * user sees to.
   */
  readonly settings: SessionSettings;
  /** Behind a pooler in transaction mode, where the session's settings would reach others' transactions. */
  readonly isPooled: boolean;
  /** Shared by all pools of a process. */
  readonly server?: ServerGeneration | undefined;
}

type Done = (release?: unknown) => void;
type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: Done) => void;

/**
 * Connections that are set up once, when they are opened, and that are not used once their server was found
 * to be read-only.
 */
export class SessionPool extends pg.Pool {
  readonly server: ServerGeneration;
  readonly #generations = new WeakMap<pg.ClientBase, number>();

  constructor({ pool, settings, isPooled, server = new ServerGeneration() }: SessionPoolOptions) {
    const onOpen = (client: pg.ClientBase): void => void this.#generations.set(client, server.current);
    super({
      maxLifetimeSeconds: LIFETIME_SECONDS,
      types: wireTypes,
      ...pool,
      onConnect: async (client) => {
        onOpen(client);
        if (!isPooled) await openSession(client, settings);
      },
    });
    this.server = server;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const client = this.#fresh();
    if (callback === undefined) return client;
    client.then(
      (one) => callback(undefined, one, one.release as Done),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  /** Whether a connection was opened before the server changed. */
  isOutdated(client: pg.ClientBase): boolean {
    return this.#generations.get(client) !== this.server.current;
  }

  /**
   * To be called with what a statement on this connection threw: a read-only server ends all connections that
   * are as old.
   */
  noteFailure(client: pg.ClientBase, error: unknown): void {
    const generation = this.#generations.get(client);
    if (generation !== undefined && isReadOnly(error)) this.server.expire(generation);
  }

  async #fresh(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#whenThereIsRoom();
      if (!this.isOutdated(client)) return client;
      client.release(true);
    }
  }

  /**
   * A server that has no connection left has one again when somebody's idle one closes: waited for as long as
   * for one of the pool.
   */
  async #whenThereIsRoom(): Promise<pg.PoolClient> {
    const untilMs = performance.now() + (this.options.connectionTimeoutMillis ?? ROOM_TIMEOUT_MS);
    for (let failures = 1; ; failures++) {
      try {
        return await super.connect();
      } catch (error) {
        if (sqlState(error) !== '53300' || performance.now() >= untilMs || this.ending) throw error;
      }
      await sleep(backoffMs(failures, 500));
    }
  }
}

function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}
