import { buildSchema, type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { expect, test } from 'vitest';
import type { LiveSource } from '../../../src/events/live-source.ts';
import type { GraphqlDeps } from '../../../src/graphql/context.ts';
import { openSubscription } from '../../../src/graphql/execution.ts';
import { rendererFor } from '../../../src/graphql/live/render.ts';
import type { OpenTopic } from '../../../src/graphql/live/topic.ts';
import type { Identity } from '../../../src/identity/identity.ts';
import { NO_FEED_METRICS } from '../../../src/telemetry/feed-metrics.ts';

const schema = buildSchema('type Query { text: String } type Subscription { text: String }');
const document = parse('subscription { text }');
const identity = { actor: { tenantId: 'tenant' } } as unknown as Identity;

/**
 * What renders a topic of texts, or of what a resolver does in place of one; and what it says of outages and
 * to the log.
 */
function rendering() {
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const outages: string[] = [];
  const deps = {
    reads: { read: () => ({ close: async () => undefined }) },
    metrics: NO_FEED_METRICS,
    outages: {
      failed: ({ message }: Error) => void outages.push(message),
      recovered: () => void outages.push('recovered'),
    },
    log: { warn: note, error: note },
  } as unknown as GraphqlDeps;
  const topic: OpenTopic<string | (() => string), LiveSource<string | (() => string)>> = {
    source: null as never,
    present: (text) => ({ value: { text } }),
    cursorOf: () => null,
    isKept: () => false,
  };
  const render = rendererFor({ schema, document }, deps, { identity, requestId: 'request' }, topic);
  return { render, deps, outages, logged };
}

const never = (): boolean => false;
const MIB = 1024 * 1024;

test('a batch of small events is rendered whole', async () => {
  const frames = await rendering().render(
    Array.from({ length: 200 }, (_, nth) => `${nth}`),
    never,
  );
  expect(frames.map(({ text }) => JSON.parse(text as string).data.text)).toEqual(
    Array.from({ length: 200 }, (_, nth) => `${nth}`),
  );
});

test.each([
  ['large from the first on', Array.from({ length: 200 }, () => 'x'.repeat(MIB / 4))],
  // What the first were like says nothing of the later ones: a few too many of them may be under way, but not
  // all.
  ['large after many small ones', [...Array(50).fill('x'), ...Array(150).fill('x'.repeat(MIB / 4))]],
])('of a batch of events %s, only so much is rendered as memory is meant for', async (_what, events) => {
  const frames = await rendering().render(events, never);
  const chars = frames.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  expect(frames.length).toBeLessThan(events.length);
  expect(chars).toBeGreaterThanOrEqual(4 * MIB);
  expect(chars).toBeLessThan(4 * MIB + 50 * (MIB / 4 + 100));
});

test('an outage is waited out, and what was read goes out without an error', async () => {
  const { render, outages, logged } = rendering();
  let tries = 0;
  const text = (): string => {
    if (++tries < 3) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    return 'here';
  };
  const frames = await render([text], never);
  expect(frames.map((frame) => frame.text)).toEqual(['{"data":{"text":"here"}}']);
  expect(outages).toEqual(['away', 'away', 'recovered']);
  expect(logged).toEqual([]);
});

test('an outage is not waited out for nobody, and any other error is reported at once', async () => {
  const { render, outages } = rendering();
  let tries = 0;
  const away = (): string => {
    tries++;
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  };
  expect(await render([away], () => tries > 0)).toEqual([]);
  expect(tries).toBe(1);
  expect(outages).toEqual(['away']);
  const wrong = (): string => {
    throw new GraphQLError('no such thing');
  };
  const [frame] = await render([wrong], never);
  expect(JSON.parse(frame?.text as string).errors).toMatchObject([{ message: 'no such thing' }]);
});

test('a subscription field with a source of its own is refused: nothing would end it with its credential', async () => {
  const { deps } = rendering();
  const errors: string[] = [];
  const log = { error: ({ err }: { err: Error }) => errors.push(err.message) };
  let closedCount = 0;
  const operation = { close: async () => void closedCount++ };
  const opened = await openSubscription({
    schema,
    document,
    rootValue: {
      text: async function* () {
        yield { text: 'mine' };
      },
    },
    contextValue: { deps: { ...deps, log }, identity, requestId: 'request', operation },
  } as unknown as ExecutionArgs);
  expect(opened).toMatchObject({
    kind: 'refused',
    result: { errors: [{ extensions: { code: 'INTERNAL' } }] },
  });
  expect(errors).toEqual([expect.stringContaining('gives a Topic')]);
  expect(closedCount).toBe(1);
});
