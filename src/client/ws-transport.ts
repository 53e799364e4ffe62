import { type Client, createClient } from 'graphql-ws/client';
import { type MillraceError, toMillraceError } from './error.ts';
import type { ClientSettings } from './options.ts';
import { fromClose, fromServerErrors, type ServerError } from './server-errors.ts';
import type { Tokens } from './token.ts';
import type { SubscriptionResult, Transport } from './transport.ts';

/** How long a socket without subscriptions is kept for the next one. */
const LINGER_MS = 1_000;
const MAX_CONNECT_MS = 15_000;
/** With which we close a socket that we have no token for, as the library does. */
const NO_TOKEN = 4005;

/** All subscriptions over one socket, opened with the first and closed after the last. */
export function createWsTransport(settings: ClientSettings, tokens: Tokens): Transport {
  const connectMs = Math.min(MAX_CONNECT_MS, settings.silenceMs);
  let isConnected = false;
  let isClosed = false;
  const waiting = new Set<() => void>();
  let opening: Pick<WebSocket, 'close'> | undefined;
  let noToken: MillraceError | undefined;
  const watchdog = new Watchdog(() => client.terminate());
  const client: Client = createClient({
    url: settings.wsUrl,
    ...(settings.webSocket !== undefined && { webSocketImpl: settings.webSocket }),
    // Each stream goes on from its own cursor after its own wait; the library would send the first document
    // again.
    retryAttempts: 0,
    lazyCloseTimeout: LINGER_MS,
    connectionAckWaitTimeout: connectMs,
    keepAlive: settings.silenceMs / 2,
    connectionParams: async () => {
      const socket = opening;
      try {
        const token = await tokens.next();
        return { token, ...(settings.tenantId !== null && { tenantId: settings.tenantId }) };
      } catch (error) {
        // Reported once this socket is closed, by its code. Thrown, it would be reported at once, and the
        // library would take the end of this socket for that of the next one, should that be tried sooner.
        noToken = toMillraceError(error);
        socket?.close(NO_TOKEN, 'no token');
        return undefined;
      }
    },
    on: {
      connecting: () => watchdog.start(connectMs),
      opened: (socket) => {
        opening = socket as WebSocket;
      },
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
        { operationName: request.name, query: request.text, variables: { ...request.variables() } },
        {
          next: (result) => {
            if (!isOver) sink.next(result as SubscriptionResult);
          },
          error: (thrown) => {
            if (!over()) sink.ended(isNoToken(thrown) && noToken !== undefined ? noToken : errorOf(thrown));
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

function isNoToken(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | null)?.code === NO_TOKEN;
}

/** What the library reports: GraphQL errors, a close event, or an event of the socket. */
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
