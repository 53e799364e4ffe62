import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { waitFor } from './wait.ts';

/** A message of a subscription, as the client got it. */
// biome-ignore lint/suspicious/noExplicitAny: see GraphqlAnswer
export type Received = { readonly data?: any; readonly errors?: readonly any[] };

export interface TestSubscription {
  /** Everything that came, oldest first. */
  readonly received: readonly Received[];
  /** `complete`, or the error that ended it. */
  readonly ended: () => unknown;
  /** The first message from `from` on that passes; fails after 10 s. */
  next(passes: (message: Received) => boolean, what: string): Promise<Received>;
  stop(): void;
}

export interface TestSocket {
  readonly client: Client;
  /** Code of the close frame, once there was one. */
  readonly closeCode: () => number | null;
  subscribe(query: string, variables?: Record<string, unknown>, extensions?: object): TestSubscription;
  close(): Promise<void>;
}

/** A graphql-ws client that never reconnects by itself, so that a test sees how its socket ended. */
export function openSocket(graphqlUrl: string, connectionParams: Record<string, unknown>): TestSocket {
  let closeCode: number | null = null;
  let isOpen = false;
  const client = createClient({
    url: graphqlUrl.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: {
      opened: () => {
        isOpen = true;
      },
      closed: (event) => {
        closeCode = (event as { code: number }).code;
        isOpen = false;
      },
    },
  });
  return {
    client,
    closeCode: () => closeCode,
    subscribe: (query, variables = {}, extensions = {}) => subscribe(client, query, variables, extensions),
    close: async () => {
      await client.dispose();
      await waitFor(() => !isOpen, { describe: 'the socket to close' });
    },
  };
}

function subscribe(
  client: Client,
  query: string,
  variables: Record<string, unknown>,
  extensions: object,
): TestSubscription {
  const received: Received[] = [];
  let ended: unknown = null;
  const stop = client.subscribe<Received>(
    { query, variables, extensions: { ...extensions } },
    {
      next: (message) => received.push(message as Received),
      error: (error) => {
        ended = error;
      },
      complete: () => {
        ended ??= 'complete';
      },
    },
  );
  return {
    received,
    ended: () => ended,
    next: (passes, what) =>
      waitFor(() => received.find(passes), {
        describe: () => `${what}; got ${JSON.stringify({ received, ended }).slice(0, 2000)}`,
      }),
    stop,
  };
}
