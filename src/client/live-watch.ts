import { MillraceError } from './error.ts';
import type { OpenWatch, OpenWatches } from './open-watches.ts';
import type { ClientSettings } from './options.ts';
import { Retries } from './retries.ts';
import { fromServerErrors } from './server-errors.ts';
import { IDLE, type WatchOptions, type WatchStatus } from './status.ts';
import type { StreamSpec, Taken } from './stream-spec.ts';
import type { SubscriptionResult, Transport } from './transport.ts';
import type { Watch } from './watch.ts';

/** What all watches of a client share. */
export interface WatchContext {
  readonly transport: Transport;
  readonly settings: ClientSettings;
  readonly hasFixedToken: boolean;
  readonly open: OpenWatches;
}

/**
 * A connection that broke, and a stream that a server ended which was about to stop: over SSE that is all
 * there is to see.
 */
const SERVER_WAS_GONE: ReadonlySet<string> = new Set(['NETWORK', 'INTERRUPTED']);

type Waiter<Value> = PromiseWithResolvers<IteratorResult<Value, undefined>>;

/**
 * A stream that outlives its connections. It begins with the first `next()`; leaving a `for await` loop
 * unsubscribes at once.
 * Not a generator: a generator's `return()` would wait for the value that its `next()` waits for.
 */
export class LiveWatch<Value> implements Watch<Value>, OpenWatch {
  readonly #context: WatchContext;
  // biome-ignore lint/suspicious/noExplicitAny: the course alone knows its own results and variables
  readonly #spec: StreamSpec<any, any, Value>;
  readonly #options: WatchOptions;
  readonly #retries: Retries;
  #status: WatchStatus = IDLE;
  #waiting: Value[] = [];
  #readers: Waiter<Value>[] = [];
  /** Thrown to the next reader, once. */
  #failure: { readonly error: unknown } | null = null;
  #leave: (() => void) | null = null;
  #isOver = false;

  // biome-ignore lint/suspicious/noExplicitAny: see above
  constructor(context: WatchContext, spec: StreamSpec<any, any, Value>, options: WatchOptions = {}) {
    this.#context = context;
    this.#spec = spec;
    this.#options = options;
    this.#retries = new Retries(context.settings.backoff, context.hasFixedToken);
  }

  get status(): WatchStatus {
    return this.#status;
  }

  get cursor(): string | null {
    return this.#spec.cursor ?? null;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    if (this.#status.state === 'idle') this.#begin();
    const value = this.#waiting.shift();
    if (value !== undefined) {
      if (this.#waiting.length === 0 && this.#status.state === 'paused') this.#connect();
      return Promise.resolve({ done: false, value });
    }
    if (this.#isOver) return this.#atEnd();
    const reader: Waiter<Value> = Promise.withResolvers();
    this.#readers.push(reader);
    return reader.promise;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#waiting = [];
    this.#end(null, null);
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends it with an error for the reader. */
  close(why: MillraceError): void {
    this.#end({ error: why }, why);
  }

  #begin(): void {
    const { signal } = this.#options;
    if (signal?.aborted === true) {
      this.#aborted();
      return;
    }
    signal?.addEventListener('abort', this.#aborted, { once: true });
    this.#context.open.add(this);
    this.#connect();
  }

  readonly #aborted = (): void => {
    this.#waiting = [];
    this.#end({ error: this.#options.signal?.reason }, null);
  };

  #connect(): void {
    if (this.#context.open.isSuspended) {
      this.#setStatus('paused');
      return;
    }
    this.#setStatus('connecting', this.#status.error);
    let isCurrent = true;
    const ifCurrent =
      <Args extends unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args): void => {
        if (isCurrent) listener(...args);
      };
    const { operation } = this.#spec;
    const stop = this.#context.transport.subscribe(
      { name: operation.name, text: operation.text, variables: () => this.#spec.variables() },
      {
        opened: ifCurrent(() => this.#opened()),
        next: ifCurrent((result) => this.#received(result)),
        ended: ifCurrent((why) => this.#interrupted(why ?? interrupted())),
      },
    );
    this.#leave = () => {
      isCurrent = false;
      this.#leave = null;
      stop();
    };
  }

  #opened(): void {
    this.#setStatus('live');
    this.#context.open.serverReached(this);
  }

  /**
   * One of a page’s streams waits the shortest and finds the server back: the others need not wait on, each
   * for a time of its own.
   */
  serverReached(): void {
    if (this.#status.state === 'waiting' && SERVER_WAS_GONE.has(this.#status.error?.code ?? ''))
      this.#retries.now();
  }

  suspend(): void {
    this.#leave?.();
    this.#retries.cancel();
    this.#setStatus('paused');
  }

  resume(): void {
    // What its reader has not taken yet comes first, and connects it then.
    if (this.#status.state === 'paused' && this.#waiting.length === 0) this.#connect();
  }

  #received({ data, errors = [] }: SubscriptionResult): void {
    // With an error no part of the data counts: a null in it may stand for the error.
    if (errors.length > 0) {
      this.#interrupted(fromServerErrors(errors));
      return;
    }
    this.#retries.succeeded();
    if (this.#status.state !== 'live' || this.#status.error !== null) this.#setStatus('live');
    this.#hand(this.#spec.take(data));
    if (this.#isOver || this.#waiting.length <= this.#context.settings.maxWaiting) return;
    this.#leave?.();
    this.#setStatus('paused');
  }

  #hand({ values, isLast }: Taken<Value>): void {
    for (const value of values) {
      const reader = this.#readers.shift();
      if (reader === undefined) this.#waiting.push(value);
      else reader.resolve({ done: false, value });
    }
    if (isLast === true) this.#end(null, null);
  }

  #interrupted(why: MillraceError): void {
    this.#leave?.();
    const taken = this.#spec.endedBy?.(why);
    if (taken != null) {
      this.#hand({ ...taken, isLast: true });
      return;
    }
    if (why.cursor !== null) this.#spec.goOnFrom?.(why.cursor);
    if (!this.#retries.allows(why)) {
      this.close(why);
      return;
    }
    const retryAtMs = this.#retries.schedule(why.retryAfterMs ?? 0, () => this.#connect());
    this.#setStatus('waiting', why, retryAtMs);
  }

  #end(failure: { readonly error: unknown } | null, shown: MillraceError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#leave?.();
    this.#retries.cancel();
    this.#options.signal?.removeEventListener('abort', this.#aborted);
    this.#context.open.delete(this);
    this.#setStatus('ended', shown);
    for (const reader of this.#readers.splice(0)) this.#atEnd().then(reader.resolve, reader.reject);
  }

  #atEnd(): Promise<IteratorResult<Value, undefined>> {
    const failure = this.#failure;
    this.#failure = null;
    return failure === null
      ? Promise.resolve({ done: true, value: undefined })
      : Promise.reject(failure.error);
  }

  #setStatus(
    state: WatchStatus['state'],
    error: MillraceError | null = null,
    retryAtMs: number | null = null,
  ): void {
    this.#status = { state, error, retryAtMs };
    this.#options.onStatus?.(this.#status);
  }
}

function interrupted(): MillraceError {
  return new MillraceError('INTERRUPTED', 'The server ended the stream before its end', {
    recovery: 'retry',
  });
}
