import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../core/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { backoffMs } from './backoff.ts';
import type { Channel } from './channels.ts';
import { DeliveryGate } from './delivery-gate.ts';
import { ListenRefused, type ListenSession, openListenSession } from './listen-session.ts';
import { createOutageLog } from './outage-log.ts';
import type { ServerGeneration } from './server-generation.ts';

export interface ListenerOptions {
  /**
   * A direct connection: a pooler in transaction mode cannot LISTEN. Null: there is none, and polling must
   * do.
   */
  readonly connectionString: string | null;
  readonly channels: readonly Channel[];
  readonly log: Logger;
  readonly applicationName?: string;
  /** 10,000 by default. */
  readonly pingIntervalMs?: number;
  /** A ping that is not received after this long ends the connection; 3,000 by default. */
  readonly pingTimeoutMs?: number;
  /** How long to stay with polling before a refused LISTEN is tried again; 60,000 by default. */
  readonly refusedRetryMs?: number;
  /** Shared by all that has connections in a process: a change ends the connection, and another is opened. */
  readonly server?: ServerGeneration | undefined;
}

/**
 * The one connection of a process that listens. It never opens a transaction. What it hears is a wake-up and
 * nothing more: anything notified while it was away is lost, so users poll as well, and read their table at
 * each `onConnect`.
 */
export interface Listener {
  /**
   * Starts listening; resolves after the first try, whether it listens by then or polls. A second call
   * changes nothing.
   */
  start(): Promise<void>;
  /** Ends the connection for good; leaves no timer and no socket. May be called any number of times. */
  stop(): Promise<void>;
  /**
   * Calls `handler` at notifications of the channel; of many in a short time, equal ones are one. Payload '':
   * anything may be meant, since there was none or there were too many. Returns the unsubscriber.
   */
  on(channel: Channel, handler: (payload: string) => void): () => void;
  /**
   * Calls `connected` after each connect and reconnect, when LISTEN is in force: read what you may have
   * missed.
   */
  onConnect(connected: () => void): () => void;
  readonly connected: boolean;
  /** `polling` while there is no connection, and for as long as LISTEN is refused. */
  readonly mode: 'listening' | 'polling';
  /** Connections made after the first. */
  readonly reconnectCount: number;
}

/** A connection must have lived this long before the next failure counts as the first again. */
const STEADY_MS = 5_000;

/** Makes the listener of a process; `start()` connects it. */
export function createListener(options: ListenerOptions): Listener {
  return new ReconnectingListener(options);
}

class ReconnectingListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  readonly #handlers = new Map<string, Set<(payload: string) => void>>();
  readonly #onConnect = new Set<() => void>();
  readonly #gates = new Map<string, DeliveryGate>();
  #session: ListenSession | undefined;
  #connectCount = 0;
  #running: Promise<void> | undefined;
  readonly #firstTry = Promise.withResolvers<void>();

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#session !== undefined;
  }

  get mode(): 'listening' | 'polling' {
    return this.connected ? 'listening' : 'polling';
  }

  get reconnectCount(): number {
    return Math.max(0, this.#connectCount - 1);
  }

  start(): Promise<void> {
    const { connectionString, log } = this.#options;
    if (connectionString === null && this.#running === undefined) {
      log.warn('listener: there is no direct connection to listen on (MILLRACE_LISTEN_URL); polling instead');
      this.#firstTry.resolve();
    }
    const isIdle = connectionString === null || this.#stopping.signal.aborted;
    this.#running ??= isIdle ? Promise.resolve() : this.#run(connectionString);
    return this.#firstTry.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const gate of this.#gates.values()) gate.close();
    this.#firstTry.resolve();
    await this.#session?.close();
    await this.#running;
  }

  on(channel: Channel, handler: (payload: string) => void): () => void {
    if (!this.#options.channels.includes(channel))
      throw new TypeError(`This listener does not listen on ${channel}`);
    const all = this.#handlers.get(channel) ?? new Set();
    this.#handlers.set(channel, all.add(handler));
    return () => all.delete(handler);
  }

  onConnect(connected: () => void): () => void {
    this.#onConnect.add(connected);
    return () => this.#onConnect.delete(connected);
  }

  async #run(connectionString: string): Promise<void> {
    const signal = this.#stopping.signal;
    const outages = createOutageLog(this.#options.log, 'listener');
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = Date.now();
      const reason = await this.#listenUntilLost(connectionString, outages.recovered);
      if (signal.aborted) break;
      if (Date.now() - startedMs > STEADY_MS) failures = 0;
      failures++;
      if (reason instanceof ListenRefused) this.#sayRefused(reason);
      else outages.failed(reason);
      this.#firstTry.resolve();
      const refusedMs = this.#options.refusedRetryMs ?? 60_000;
      const waitMs = reason instanceof ListenRefused ? refusedMs : backoffMs(failures);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One connection's life; resolves with what ended it. */
  async #listenUntilLost(connectionString: string, onListening: () => void): Promise<Error> {
    try {
      const session = await openListenSession({
        connectionString,
        applicationName: this.#options.applicationName ?? 'millrace listener',
        channels: this.#options.channels,
        pingIntervalMs: this.#options.pingIntervalMs ?? 10_000,
        pingTimeoutMs: this.#options.pingTimeoutMs ?? 3_000,
        signal: this.#stopping.signal,
        onNotification: (channel, payload) => this.#receive(channel, payload),
      });
      this.#session = session;
      const changed = Promise.withResolvers<Error>();
      const unsubscribe = this.#options.server?.onChange(() =>
        changed.resolve(new Error('the server has changed')),
      );
      try {
        if (this.#stopping.signal.aborted) return new Error('stopped');
        this.#connectCount++;
        onListening();
        for (const connected of [...this.#onConnect]) this.#guarded(connected);
        this.#firstTry.resolve();
        return await Promise.race([session.ended, changed.promise]);
      } finally {
        unsubscribe?.();
        this.#session = undefined;
        await session.close();
      }
    } catch (error) {
      return toError(error);
    }
  }

  #receive(channel: string, payload: string): void {
    let gate = this.#gates.get(channel);
    if (gate === undefined) {
      gate = new DeliveryGate((one) => this.#deliver(channel, one));
      this.#gates.set(channel, gate);
    }
    gate.take(payload);
  }

  #deliver(channel: string, payload: string): void {
    for (const handler of [...(this.#handlers.get(channel) ?? [])]) this.#guarded(() => handler(payload));
  }

  /** One user's error must not keep notifications from the others, nor end the connection. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.log.error({ err: toError(error) }, 'listener: a subscriber threw');
    }
  }

  #sayRefused(reason: ListenRefused): void {
    this.#options.log.warn({ reason: reason.message }, 'listener: polling instead, wake-ups will be later');
  }
}
