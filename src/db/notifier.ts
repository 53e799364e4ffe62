import { toError } from '../core/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Channel } from './channels.ts';
import type { Database } from './database.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { sqlState } from './retryable.ts';
import type { ServerGeneration } from './server-generation.ts';
import { SessionPool } from './session-pool.ts';
import { sendNotifications } from './sql/feed/send-notifications.ts';

export interface NotifierOptions {
  /** Where the database is; a pooler will do. */
  readonly connectionString: string;
  readonly log: Logger;
  readonly applicationName?: string;
  /** False behind a pooler in transaction mode that knows no prepared statements. True by default. */
  readonly preparedStatements?: boolean;
  /** One statement in this time on average; more notifications than that are merged. 10 by default. */
  readonly mergeMs?: number;
  /** This many may go out at once after a pause; 10 by default. */
  readonly burst?: number;
  /** What stands before the database, as for `Database`; `none` by default. */
  readonly pooler?: 'none' | 'transaction';
  /** Shared by all that has connections in a process. */
  readonly server?: ServerGeneration | undefined;
  /** Sends among the worker role's statements, in place of a connection of its own. */
  readonly through?: Pick<Database, 'asWorker'>;
}

/** Wakes listeners after a commit. A wake-up only: whatever it announces can be read from a table. */
export interface Notifier {
  /**
   * Notifies a channel: at once while there have been no more than 100 notifications a second lately (an idle
   * platform's latency is made of this), else with all others at the end of 10 ms.
   * Call it after the commit. Never throws and never waits; a notification that cannot be sent is counted and
   * forgotten.
   */
  notify(channel: Channel, payload?: string): void;
  /**
   * Whether a writer may notify within its own transaction: nothing was sent for twice the merge window, so
   * that nobody is likely to wait for NOTIFY's lock. Counts as a statement sent, whatever becomes of it.
   */
  takeTurn(): boolean;
  /**
   * Sends what is pending and closes the connection; later notifications are lost. May be called any number
   * of times.
   */
  close(): Promise<void>;
  /** Statements sent. */
  readonly sentCount: number;
  /**
   * Notifications that reached nobody: the database was away, its queue of notifications half full, or the
   * notifier closed.
   */
  readonly lostCount: number;
}

/** Postgres takes 7,999 bytes. A longer payload is omitted: the notification itself still wakes. */
const MAX_PAYLOAD_BYTES = 7_999;

/**
 * One connection of its own, opened at the first notification: NOTIFY's lock must never be waited for by a
 * writer's commit.
 */
export function createNotifier(options: NotifierOptions): Notifier {
  return new MergingNotifier(options);
}

class MergingNotifier implements Notifier {
  readonly #mergeMs: number;
  readonly #burst: number;
  readonly #pool: SessionPool;
  readonly #isPrepared: boolean;
  readonly #through: Pick<Database, 'asWorker'> | undefined;
  readonly #outages: OutageLog;
  readonly #fullQueue: OutageLog;
  /** Key: channel and payload, so that equal notifications are one. */
  #pending = new Map<string, readonly [channel: Channel, payload: string]>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /**
   * When the statements sent so far would be over if each took `mergeMs`: how far it lies ahead says how many
   * came lately.
   */
  #busyUntilMs = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;
  #sentCount = 0;
  #lostCount = 0;

  constructor(options: NotifierOptions) {
    this.#mergeMs = options.mergeMs ?? 10;
    this.#burst = options.burst ?? 10;
    this.#through = options.through;
    this.#isPrepared = options.preparedStatements ?? true;
    this.#outages = createOutageLog(options.log, 'notifier');
    this.#fullQueue = createOutageLog(options.log, 'notifier', {
      begun:
        'nobody is woken; a session that listens has kept a transaction open for long (pg_stat_activity)',
      ended: 'wakes others again',
    });
    this.#pool = new SessionPool({
      pool: {
        connectionString: options.connectionString,
        application_name: options.applicationName ?? 'millrace notifier',
        max: 1,
        connectionTimeoutMillis: 3_000,
        query_timeout: 3_000,
        idleTimeoutMillis: 10_000,
      },
      settings: {},
      isPooled: options.pooler === 'transaction',
      server: options.server,
    });
    // An idle connection that broke: the pool makes a new one at the next notification.
    this.#pool.on('error', (error) => this.#outages.failed(error));
  }

  get sentCount(): number {
    return this.#sentCount;
  }

  get lostCount(): number {
    return this.#lostCount;
  }

  notify(channel: Channel, payload = ''): void {
    if (this.#closing !== undefined) {
      this.#lostCount++;
      return;
    }
    const sent = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES || payload.includes('\0') ? '' : payload;
    this.#pending.set(`${channel} ${sent}`, [channel, sent]);
    // While a statement is under way, what comes meanwhile is sent after it: it may already have taken its
    // place in the queue of notifications, ahead of the commit that this notification is about.
    if (this.#sending === undefined && this.#timer === undefined) this.#arm();
  }

  takeTurn(): boolean {
    const nowMs = performance.now();
    const isBusy = this.#pending.size > 0 || this.#sending !== undefined || this.#closing !== undefined;
    if (isBusy || nowMs < this.#busyUntilMs + this.#mergeMs) return false;
    this.#busyUntilMs = nowMs + this.#mergeMs;
    return true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    if (this.#pending.size > 0) await this.#send();
    await this.#pool.end();
  }

  #arm(): void {
    const waitMs = this.#busyUntilMs - (this.#burst - 1) * this.#mergeMs - performance.now();
    if (waitMs <= 0) this.#begin();
    else this.#timer = setTimeout(() => this.#begin(), waitMs);
  }

  #begin(): void {
    this.#timer = undefined;
    // Not before this turn is over: what is sent together (work and watch, after one commit) goes out
    // together. Sent apart, the second would wait out the merge window: 18 instead of 8 ms from a commit to
    // its watchers.
    this.#sending = Promise.resolve()
      .then(() => this.#send())
      .then(() => {
        this.#sending = undefined;
        if (this.#pending.size > 0 && this.#closing === undefined) this.#arm();
      });
  }

  async #send(): Promise<void> {
    this.#busyUntilMs = Math.max(this.#busyUntilMs, performance.now()) + this.#mergeMs;
    const pending = [...this.#pending.values()];
    const generation = this.#pool.server.current;
    this.#pending = new Map();
    try {
      const values = [pending.map(([channel]) => channel), pending.map(([, payload]) => payload)];
      // A hundred times a second in a busy process: parsed and planned each time, it was a twentieth of the
      // server's CPU.
      const { rowCount } = await (this.#through === undefined
        ? this.#pool.query({
            text: sendNotifications.text,
            values,
            ...(this.#isPrepared && { name: sendNotifications.name }),
          })
        : this.#through.asWorker(sendNotifications, values));
      this.#outages.recovered();
      if (rowCount === 0) {
        this.#lostCount += pending.length;
        this.#fullQueue.failed(new Error('the queue of notifications is half full or more'));
      } else {
        this.#sentCount++;
        this.#fullQueue.recovered();
      }
    } catch (error) {
      this.#lostCount += pending.length;
      if (sqlState(error) === '25006') this.#pool.server.expire(generation);
      this.#outages.failed(toError(error));
    }
  }
}
