import { type EventStream, readStream, type StreamOptions } from '../event-stream.ts';
import { expectEqual, fail, type Report } from '../report.ts';
import type { Target } from '../target.ts';

const ABORTED_AT_ONCE = 20;
const ABORTED_ROUNDS = 5;
/** For headers that do not wait for an event; generous for a busy machine. */
const HEADERS_WITHIN_MS = 5_000;

/** GraphQL over server-sent events, distinct connections mode. */
export async function checkEventStream(target: Target, report: Report): Promise<void> {
  const { url, query, endless } = target;
  const read = (
    document: string,
    { headers = {}, ...options }: Partial<StreamOptions> = {},
  ): Promise<EventStream> =>
    readStream(document, { url, headers: { ...target.headers, ...headers }, ...options });
  const expectStream = ({ status, headers }: EventStream): void => {
    expectEqual(status, 200, 'status');
    const type = headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream')) fail(`content-type ${type}`);
  };
  const kindsOf = ({ events }: EventStream): string[] => events.map(({ event }) => event);
  /** A whole finite subscription: it is finished as soon as it has begun. */
  const readFinite = async (): Promise<EventStream> => {
    const { query: document, finish } = await target.finite();
    let finished: Promise<void> | undefined;
    const stream = await read(document, {
      until: ({ events }) => {
        if (events.length > 0) finished ??= finish();
        return false;
      },
    });
    await finished;
    return stream;
  };

  await report.check(
    'S01',
    'MUST',
    'a query by POST is answered 200 text/event-stream: next, complete',
    async () => {
      const stream = await read(query);
      expectStream(stream);
      expectEqual(kindsOf(stream), ['next', 'complete'], 'events');
      if (!JSON.parse(stream.events[0]?.data ?? '').data) fail(`next without data: ${stream.text}`);
    },
  );
  await report.check('S02', 'MUST', 'the stream ends after complete', async () => {
    if (!(await read(query)).isEnded) fail('it stays open');
  });
  await report.check('S03', 'MUST', 'GET works too', async () => {
    const stream = await read(query, { method: 'GET' });
    expectStream(stream);
    expectEqual(kindsOf(stream).at(-1), 'complete', 'last event');
  });
  await report.check('S04', 'SHOULD', 'the answer forbids caching', async () => {
    const control = (await read(query)).headers.get('cache-control') ?? '';
    if (!/no-cache|no-store/.test(control)) fail(`cache-control ${control}`);
  });
  await report.check('S05', 'MUST', 'a mutation by GET is refused', async () => {
    const { status, text } = await read('mutation { __typename }', { method: 'GET' });
    if (status < 400 && !text.includes('errors')) fail(`${status} ${text.slice(0, 100)}`);
  });
  await report.check(
    'S06',
    'MUST',
    'a validation error reaches the client, as 4xx or in a next',
    async () => {
      const stream = await read('{ noSuchFieldEver }');
      if (stream.status >= 400 && stream.status < 500) return;
      expectEqual(kindsOf(stream).at(-1), 'complete', 'last event');
      if (!JSON.parse(stream.events[0]?.data ?? '').errors) fail(`no errors: ${stream.text}`);
    },
  );
  await report.check(
    'S07',
    'SHOULD',
    'a subscription without text/event-stream in Accept is refused',
    async () => {
      const { status } = await read(endless, { headers: { accept: 'application/json' }, waitMs: 5_000 });
      if (status < 400) fail(`status ${status}`);
    },
  );
  await report.check('S10', 'MUST', 'a subscription gives next events, then complete', async () => {
    const stream = await readFinite();
    expectStream(stream);
    expectEqual(kindsOf(stream).at(-1), 'complete', 'last event');
    const nexts = stream.events.filter(({ event }) => event === 'next');
    for (const { data } of nexts) JSON.parse(data);
    if (nexts.length < 2) fail(`${nexts.length} next events`);
  });
  await report.check('S11', 'MUST', 'every event says that it is next or complete', async () => {
    const others = kindsOf(await readFinite()).filter((kind) => kind !== 'next' && kind !== 'complete');
    if (others.length > 0) fail(others.join(', '));
  });
  await report.check('S20', 'MUST', 'headers come at once, before the first event', async () => {
    const startedMs = performance.now();
    const leaving = new AbortController();
    const { status } = await begin(target, endless, leaving.signal);
    const tookMs = performance.now() - startedMs;
    leaving.abort();
    expectEqual(status, 200, 'status');
    if (tookMs > HEADERS_WITHIN_MS) fail(`${Math.round(tookMs)} ms`);
  });
  const seconds = target.pingWithinMs / 1000;
  await report.check('S21', 'SHOULD', `a comment comes within ${seconds} s on a silent stream`, async () => {
    const until = ({ comments }: EventStream): boolean => comments >= 2;
    const { comments } = await read(endless, { waitMs: target.pingWithinMs, until });
    if (comments < 2) fail(`${comments} comments; one at the beginning and a later one are wanted`);
  });
  const aborted = ABORTED_AT_ONCE * ABORTED_ROUNDS;
  await report.check('S22', 'SHOULD', `${aborted} aborted streams leave the server answering`, async () => {
    for (let round = 0; round < ABORTED_ROUNDS; round++) {
      const leaving = new AbortController();
      const streams = Array.from({ length: ABORTED_AT_ONCE }, () => begin(target, endless, leaving.signal));
      await Promise.all(streams);
      leaving.abort();
    }
    expectStream(await read(query));
  });
}

function begin({ url, headers }: Target, query: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    signal,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
}
