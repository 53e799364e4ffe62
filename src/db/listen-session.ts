import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { toError } from '../core/errors.ts';
import { classifyError } from './retryable.ts';
import { openSession } from './session.ts';
import { listen } from './sql/feed/listen.ts';
import { type BackendPidRow, readBackendPid } from './sql/feed/read-backend-pid.ts';
import { sendNotifications } from './sql/feed/send-notifications.ts';

/** The server, or something before it, does not let this connection listen; trying again soon is no use. */
export class ListenRefused extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`LISTEN refused: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'ListenRefused';
  }
}

export interface ListenSessionOptions {
  readonly connectionString: string;
  readonly applicationName: string;
  readonly channels: readonly string[];
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  /** Ends the attempt to connect at once. */
  readonly signal: AbortSignal;
  readonly onNotification: (channel: string, payload: string) => void;
}

/** One connection that listens, from its LISTEN to its end. */
export interface ListenSession {
  /** Resolves once, with the reason, when the connection has ended by itself or did not answer a ping. */
  readonly ended: Promise<Error>;
  /** Ends the connection; resolves when its socket is closed. May be called any number of times. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Connects, listens, and has heard its own notification once when it resolves.
 * The ping is a notification to itself: it proves the way there, the LISTEN and the way back. A pooler that
 * answers queries but has given our server connection to somebody else would pass any other ping and stay
 * silent forever.
 * @throws ListenRefused, or the error of the connection
 */
export async function openListenSession(options: ListenSessionOptions): Promise<ListenSession> {
  const session = new Session(options);
  const abort = (): void => void session.close();
  options.signal.addEventListener('abort', abort);
  try {
    options.signal.throwIfAborted();
    await session.open();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', abort);
  }
}

class Session implements ListenSession {
  readonly ended: Promise<Error>;
  readonly #options: ListenSessionOptions;
  /** Ours rather than the client's: a connection that no longer answers can only be destroyed, not ended. */
  readonly #socket = new Socket();
  readonly #client: pg.Client;
  readonly #closed: Promise<void>;
  readonly #probeChannel = `millrace_probe_${randomBytes(8).toString('hex')}`;
  #end: (reason: Error) => void = () => undefined;
  #pingTimer: NodeJS.Timeout | undefined;
  #heardProbe: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ListenSessionOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#closed = new Promise((resolve) => this.#socket.once('close', () => resolve()));
    this.#client = new pg.Client({
      connectionString: options.connectionString,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      stream: () => this.#socket,
    });
    this.#client.on('error', (error) => this.#end(error));
    this.#client.on('end', () => this.#end(new Error('the connection was closed')));
    this.#client.on('notification', ({ channel, payload }) => {
      if (channel === this.#probeChannel) this.#heardProbe();
      else options.onNotification(channel, payload ?? '');
    });
  }

  async open(): Promise<void> {
    // Ended on its way, the client never settles its connect: code that waits for it would wait forever.
    const closed = this.#closed.then(() => Promise.reject(new Error('the connection was closed')));
    await Promise.race([this.#client.connect(), closed]);
    await openSession(this.#client);
    try {
      await this.#client.query(listen([...this.#options.channels, this.#probeChannel]).text);
    } catch (error) {
      // A hot standby answers 25006; a connection that broke just now is not a refusal.
      if (classifyError(error) === 'fatal') throw new ListenRefused(toError(error).message, error);
      throw error;
    }
    if (await this.#isBehindPooler()) await this.#hearFromElsewhere();
    else await this.#ping();
    this.#schedulePing();
  }

  /** A pooler reports to its clients a backend of its own making, which no server has. */
  async #isBehindPooler(): Promise<boolean> {
    const { rows } = await this.#client.query<BackendPidRow>(readBackendPid.text);
    const { processID: reportedPid } = this.#client as unknown as { readonly processID: number | null };
    return rows[0]?.pid !== reportedPid;
  }

  /**
   * Behind a pooler in transaction mode our own notification goes out, and is heard, on whatever server
   * connection is lent to us just then: it proves nothing. Another client's reaches us only if that
   * connection is ours for good.
   */
  async #hearFromElsewhere(): Promise<void> {
    const other = new pg.Client({
      connectionString: this.#options.connectionString,
      application_name: this.#options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    other.on('error', () => undefined);
    try {
      await other.connect();
      await openSession(other);
      await this.#ping(other);
    } finally {
      await other.end().catch(() => undefined);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#pingTimer);
    if (this.#socket.readyState === 'open') {
      const timer = setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT_MS);
      await Promise.race([this.#client.end().catch(() => undefined), this.#closed]);
      clearTimeout(timer);
    }
    this.#socket.destroy();
  }

  #schedulePing(): void {
    if (this.#closing !== undefined) return;
    this.#pingTimer = setTimeout(() => {
      this.#ping().then(
        () => this.#schedulePing(),
        (error) => this.#end(toError(error)),
      );
    }, this.#options.pingIntervalMs);
  }

  async #ping(from = this.#client): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let answered = false;
    const heard = new Promise<void>((resolve) => {
      this.#heardProbe = resolve;
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const limit = `within ${this.#options.pingTimeoutMs} ms`;
        reject(
          answered
            ? new ListenRefused(
                `the connection answers but did not hear its own notification ${limit}: a pooler?`,
              )
            : new Error(`the connection did not answer ${limit}`),
        );
      }, this.#options.pingTimeoutMs);
    });
    const sent = from.query(sendNotifications.text, [[this.#probeChannel], ['']]).then(({ rowCount }) => {
      answered = true;
      // The queue of notifications is half full: the way there and back is proven, and LISTEN is as good as
      // it was.
      if (rowCount === 0) this.#heardProbe();
    });
    try {
      await Promise.race([Promise.all([sent, heard]), late]);
    } finally {
      clearTimeout(timer);
      // The race may be over before the query is: its late rejection has been reported already.
      sent.catch(() => undefined);
    }
  }
}
