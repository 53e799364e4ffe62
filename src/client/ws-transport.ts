import { type Client, createClient } from 'graphql-ws/client';
import { type MillraceError, toMillraceError } from './error.ts';
import type { ClientSettings } from './options.ts';
import { fromClose, fromServerErrors, type ServerError } from './server-errors.ts';
import type { Tokens } from './token.ts';
import type { SubscriptionResult, Transport } from './transport.ts';

/** How long a socket without subscriptions is kept for the next one. */
const LINGER_MS = 1_000;
const MAX_CONNECT_MS = 15_000;

/** All subscriptions over one socket, opened with the first and closed after the last. */
export function createWsTransport(settings: ClientSettings, tokens: Tokens): Transport {
  const connectMs = Math.min(MAX_CONNECT_MS, settings.silenceMs);
  let isConnected = false;
  let isClosed = false;
  const waiting = new Set<() => void>();
  const watchdog = new Watchdog(() => client.terminate());
  const client: Client = createClient({
    url: settings.wsUrl,
    ...(settings.webSocket !== undefined && { webSocketImpl: settings.webSocket }),
    // Each stream goes on from its own cursor after its own wait; the library would send the first document again.
    retryAttempts: 0,
    lazyCloseTimeout: LINGER_MS,
    connectionAckWaitTimeout: connectMs,
    keepAlive: settings.silenceMs / 2,
    connectionParams: async () => ({
      token: await tokens.next(),
      ...(settings.tenantId !== null && { tenantId: settings.tenantId }),
    }),
    on: {
      connecting: () => watchdog.start(connectMs),
      connected: (socket) => {
        watchdog.stop();
        isConnected = true;
        for (const opened of [...waiting]) opened();
        if (isClosed) (socket as { close(code: number): void }).close(1000);
      },
      message: () => watchdog.stop(),
      ping: (isReceived) => {
        if (!isReceived) watchdog.start(settings.silenceMs / 2);
      },
      error: () => {
        isConnected = false;
      },
      closed: () => {
        watchdog.stop();
        isConnected = false;
      },
    },
  });
  return {
    subscribe: (request, sink) => {
      let isOver = false;
      const opened = (): void => {
        if (waiting.delete(opened) && !isOver) sink.opened();
      };
      const over = (): boolean => {
        const wasOver = isOver;
        isOver = true;
        waiting.delete(opened);
        return wasOver;
      };
      waiting.add(opened);
      if (isConnected) queueMicrotask(opened);
      const leave = client.subscribe(
        { operationName: request.name, query: request.text, variables: { ...request.variables } },
        {
          next: (result) => {
            if (!isOver) sink.next(result as SubscriptionResult);
          },
          error: (thrown) => {
            if (!over()) sink.ended(errorOf(thrown));
          },
          complete: () => {
            if (!over()) sink.ended(null);
          },
        },
      );
      return () => {
        over();
        leave();
      };
    },
    close: () => {
      isClosed = true;
      watchdog.stop();
      // A socket that is still being opened is not waited for; should it come, `connected` closes it.
      if (isConnected) void Promise.resolve(client.dispose()).catch(() => undefined);
      else client.terminate();
    },
  };
}

/** What the library reports: GraphQL errors, a close event, what the token function threw, or an event of the socket. */
function errorOf(thrown: unknown): MillraceError {
  if (Array.isArray(thrown)) return fromServerErrors(thrown as ServerError[]);
  const { code, reason } = (thrown ?? {}) as { code?: unknown; reason?: unknown };
  if (typeof code === 'number') return fromClose(code, typeof reason === 'string' ? reason : '');
  return toMillraceError(thrown);
}

/** Notices that nothing comes any more: a connection that broke without a word is never closed by anybody. */
class Watchdog {
  readonly #bark: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(bark: () => void) {
    this.#bark = bark;
  }

  start(ms: number): void {
    this.stop();
    this.#timer = setTimeout(this.#bark, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
