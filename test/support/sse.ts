import { waitFor } from './wait.ts';
import type { Received } from './ws.ts';

export interface TestStream {
  readonly received: readonly Received[];
  /** Comment lines (pings) that came. */
  readonly commentCount: () => number;
  /** True once the server has ended the response. */
  readonly isEnded: () => boolean;
  next(passes: (message: Received) => boolean, what: string): Promise<Received>;
  stop(): void;
}

/** A subscription over server-sent events. */
export async function openStream(
  graphqlUrl: string,
  token: string,
  query: string,
  variables: object = {},
): Promise<TestStream> {
  const received: Received[] = [];
  let comments = 0;
  let ended = false;
  const leaving = new AbortController();
  const response = await fetch(graphqlUrl, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      connection: 'close',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) comments++;
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) received.push(JSON.parse(data));
      }
    }
    ended = true;
  };
  void read().catch(() => undefined);
  return {
    received,
    commentCount: () => comments,
    isEnded: () => ended,
    next: (passes, what) =>
      waitFor(() => received.find(passes), {
        describe: () => `${what}; got ${JSON.stringify(received).slice(0, 2000)}`,
      }),
    stop: () => leaving.abort(),
  };
}
