import type { TestApi } from './api.ts';
import { waitFor } from './wait.ts';
import { openSocket, type Received } from './ws.ts';

export const TRANSPORTS = ['http', 'sse', 'socket'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What a client sends: not always a document. */
export interface Asked {
  readonly query?: string;
  readonly documentId?: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
  readonly extensions?: Record<string, unknown>;
}

export interface Answer {
  /** Null over a socket, which has none. */
  readonly status: number | null;
  readonly headers: Headers | null;
  // biome-ignore lint/suspicious/noExplicitAny: see GraphqlAnswer
  readonly data: any;
  readonly errors: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
}

/** Asks the same thing over one of the transports, and waits for the first answer, which a refusal is. */
export async function ask(
  api: Pick<TestApi, 'server'>,
  token: string,
  transport: Transport,
  asked: Asked,
): Promise<Answer> {
  const { graphqlUrl } = api.server;
  if (transport === 'socket') return askSocket(graphqlUrl, token, asked);
  const leaving = new AbortController();
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      accept: transport === 'sse' ? 'text/event-stream' : 'application/graphql-response+json',
      'content-type': 'application/json',
      connection: 'close',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(asked),
  });
  const { status, headers } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const result = isStream ? await firstEvent(response) : await response.json();
  leaving.abort();
  return { status, headers, data: result.data ?? null, errors: result.errors ?? [] };
}

async function askSocket(graphqlUrl: string, token: string, asked: Asked): Promise<Answer> {
  const socket = openSocket(graphqlUrl, { token });
  let first: Received | undefined;
  let isOver = false;
  const stop = socket.client.subscribe<Received>({ ...asked, query: asked.query ?? '' } as never, {
    next: (message) => {
      first ??= message as Received;
    },
    error: (error) => {
      first ??= { errors: error as never[] };
    },
    complete: () => {
      isOver = true;
    },
  });
  try {
    await waitFor(() => first !== undefined || isOver, { describe: 'an answer over the socket' });
    return { status: null, headers: null, data: first?.data ?? null, errors: first?.errors ?? [] };
  } finally {
    stop();
    await socket.close();
  }
}

async function firstEvent(response: Response): Promise<Received> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const data = /^data: (.+)\n\n?/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`The stream ended without an event: ${text}`);
}
