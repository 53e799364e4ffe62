import { expect, test } from 'vitest';
import type { DomainError } from '../../../src/core/errors.ts';
import { Subscriber, type SubscriberHost } from '../../../src/fanout/subscriber.ts';
import { IteratedSubscription, type WrittenResult } from '../../../src/graphql/live/iterated-subscription.ts';
import type { LiveRequest } from '../../../src/graphql/live/live-subscription.ts';
import { unauthenticated } from '../../../src/identity/unauthenticated.ts';
import { silentLog } from '../../support/queue.ts';

/** A subscription whose group is the test. */
function iterated(): {
  readonly stream: IteratedSubscription;
  readonly watching: () => number;
  readonly end: (why: DomainError) => void;
  readonly identity: { actor: { tenantId: string; expiresAt: Date | null } };
} {
  let watching = 0;
  let onEnd: (why: DomainError) => void = () => undefined;
  const identity = { actor: { tenantId: 'tenant', expiresAt: null as Date | null } };
  const asked = {
    deps: {
      log: silentLog,
      metrics: { expiredClosed: () => undefined, slowClosed: () => undefined },
      fanout: {
        admit: (host: SubscriberHost) => new Subscriber(host, null, 60_000),
        join: (_subscriber: Subscriber, question: unknown) => question,
        release: () => undefined,
      },
      identityWatch: {
        watch: (_identity: unknown, end: (why: DomainError) => void) => {
          watching++;
          onEnd = end;
          return { current: () => identity, unwatch: () => watching-- };
        },
      },
    },
  };
  const request = { asked, after: null, identity } as unknown as LiveRequest;
  const stream = new IteratedSubscription(request);
  return { stream, watching: () => watching, end: (why) => onEnd(why), identity };
}

async function rest(stream: IteratedSubscription): Promise<string[]> {
  const texts: string[] = [];
  for await (const result of stream) texts.push((result as WrittenResult).stringify());
  return texts;
}

test('an event stream that nobody takes from watches no credential, and one that is left watches none any more', async () => {
  const never = iterated();
  expect(never.watching()).toBe(0);
  const left = iterated();
  void left.stream.next();
  expect(left.watching()).toBe(1);
  await left.stream.return();
  expect(left.watching()).toBe(0);
});

test('what waits for an event stream when its credential ends is not sent any more, only why', async () => {
  const { stream, end } = iterated();
  const first = stream.next();
  for (const text of ['1', '2', '3']) stream.send(text);
  await first;
  end(unauthenticated('revoked', 'Token was revoked'));
  const texts = await rest(stream);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('UNAUTHENTICATED');
});

test('what waits for an event stream is not sent after its token has ended, before anybody has noticed', async () => {
  const { stream, identity, end } = iterated();
  const first = stream.next();
  for (const text of ['1', '2', '3']) stream.send(text);
  await first;
  identity.actor.expiresAt = new Date(Date.now() - 1);
  const next = stream.next();
  end(unauthenticated('expired', 'Token has expired'));
  const { value } = await next;
  expect((value as WrittenResult).stringify()).toContain('UNAUTHENTICATED');
});

test('an event stream is full with a few large results as with many small ones, and empty again when they are taken', async () => {
  const { stream } = iterated();
  const first = stream.next();
  stream.send('x');
  await first;
  stream.send('x'.repeat(200_000));
  expect(stream.isFull).toBe(false);
  stream.send('x'.repeat(200_000));
  expect(stream.isFull).toBe(true);
  await stream.next();
  await stream.next();
  expect(stream.isFull).toBe(false);
  for (let nth = 0; nth < 16; nth++) stream.send('x');
  expect(stream.isFull).toBe(true);
  await stream.return();
});
