/** One event of a stream, as it was written. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** What has come of an event stream so far. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: StreamEvent[];
  /** Lines that begin with a colon: signs of life. */
  comments: number;
  /** The body as it came. */
  text: string;
  /** True once the server has ended it. */
  isEnded: boolean;
}

export interface StreamOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  /** Looked at whenever something came; true leaves. */
  readonly until?: (stream: EventStream) => boolean;
  /** The stream is left after this long. */
  readonly waitMs?: number;
}

/** Executes an operation over server-sent events and reads until its end, `until`, or the time is up. */
export async function readStream(
  query: string,
  { url, headers, method = 'POST', until, waitMs = 20_000 }: StreamOptions,
): Promise<EventStream> {
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), waitMs);
  const isPost = method === 'POST';
  const response = await fetch(isPost ? url : `${url}?${new URLSearchParams({ query })}`, {
    method,
    signal: leaving.signal,
    headers: {
      accept: 'text/event-stream',
      ...(isPost && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isPost ? JSON.stringify({ query }) : null,
  });
  const stream: EventStream = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: 0,
    text: '',
    isEnded: false,
  };
  try {
    await take(stream, response, until, leaving);
  } catch (thrown) {
    if (!leaving.signal.aborted) throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return stream;
}

async function take(
  stream: EventStream,
  response: Response,
  until: StreamOptions['until'],
  leaving: AbortController,
): Promise<void> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const text = decoder.decode(chunk, { stream: true });
    stream.text += text;
    const blocks = (open + text).split(/\r?\n\r?\n/);
    open = blocks.pop() ?? '';
    for (const block of blocks) addBlock(stream, block);
    if (until?.(stream) === true) {
      leaving.abort();
      return;
    }
  }
  stream.isEnded = true;
}

function addBlock(stream: EventStream, block: string): void {
  const lines = block.split(/\r?\n/);
  stream.comments += lines.filter((line) => line.startsWith(':')).length;
  const valuesOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trim());
  const [event] = valuesOf('event');
  const data = valuesOf('data');
  if (event !== undefined || data.length > 0)
    stream.events.push({ event: event ?? 'message', data: data.join('\n') });
}
