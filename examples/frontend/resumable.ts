import { type Client, createClient } from 'graphql-ws';

export interface Request {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

export interface Sink {
  next(result: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/** A socket that comes back forever, each time with a fresh token. */
export function openSocket(graphqlUrl: string, token: () => string | Promise<string>): Client {
  return createClient({
    url: graphqlUrl.replace(/^http/, 'ws'),
    connectionParams: async () => ({ token: await token() }),
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    // At a random moment: after a restart all clients come back.
    retryWait: (retries) =>
      new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(30_000, 1_000 * 2 ** retries))),
  });
}

/** Subscribes to `jobChanges` (or `jobLog`) so that after a broken connection it goes on where it was. */
export function subscribeResumably(socket: Client, { query, variables }: Request, sink: Sink): () => void {
  const payload = { query, variables: { ...variables } as Record<string, unknown> };
  let isLeft = false;
  let leave = (): void => undefined;
  const begin = (): void => {
    let cursorOfError: unknown;
    leave = socket.subscribe(payload, {
      next: (result) => {
        // graphql-ws sends this very payload again when it has reconnected.
        const cursor = cursorOf(result.data);
        if (cursor !== undefined) payload.variables['after'] = cursor;
        // SLOW_CONSUMER says where to go on; the server ends the stream after it.
        cursorOfError = result.errors?.[0]?.extensions?.['cursor'];
        if (cursorOfError === undefined) sink.next(result);
        else payload.variables['after'] = cursorOfError;
      },
      error: (error) => sink.error(error),
      complete: () => {
        if (cursorOfError !== undefined && !isLeft) begin();
        else sink.complete();
      },
    });
  };
  begin();
  return () => {
    isLeft = true;
    leave();
  };
}

/** The cursor of an event: every root field that can be gone on with has one. */
function cursorOf(data: unknown): string | undefined {
  const [event] = Object.values((data ?? {}) as Record<string, { cursor?: string } | null>);
  return event?.cursor;
}
