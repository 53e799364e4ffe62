import { expect, test } from 'vitest';
import type { Frame, Sink } from '../../src/fanout/frame.ts';
import { type Carrier, Subscriber, type SubscriberHost } from '../../src/fanout/subscriber.ts';

/** A client that takes N frames at a time, and whose rights the test changes. */
class Host implements SubscriberHost, Sink {
  readonly sink: Sink = this;
  readonly sent: string[] = [];
  room = 1;
  hasExpired = false;
  hasOtherRights = false;
  rejoined = 0;
  #onDrained: (() => void)[] = [];

  get isFull(): boolean {
    return this.sent.length >= this.room;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  whenDrained(callback: () => void): void {
    this.#onDrained.push(callback);
  }

  drain(): void {
    this.room += 10;
    for (const callback of this.#onDrained.splice(0)) callback();
  }

  end(): void {}
  ended(): void {}
  mayReceive = (): boolean => !this.hasExpired;
  isGroupCurrent = (): boolean => !this.hasOtherRights;

  rejoin(): void {
    this.rejoined++;
    this.hasOtherRights = false;
  }
}

const STATE: readonly Frame[] = ['one', 'two', 'three'].map((text) => ({
  text,
  cursor: null,
  isKept: true,
  isLast: false,
}));

function kept(): { host: Host; subscriber: Subscriber; left: () => number } {
  let left = 0;
  const carrier: Carrier = {
    leave: () => {
      left++;
    },
    caughtUp: () => undefined,
  };
  const host = new Host();
  const subscriber = new Subscriber(host, null, 60_000);
  subscriber.carrier = carrier;
  subscriber.deliver(STATE, Date.now());
  expect(host.sent).toEqual(['one']);
  return { host, subscriber, left: () => left };
}

test('a state that is kept for a slow client is sent to it once there is room', () => {
  const { host, subscriber, left } = kept();
  host.drain();
  expect(host.sent).toEqual(['one', 'two', 'three']);
  expect([left(), host.rejoined]).toEqual([0, 0]);
  subscriber.drop();
});

test('what was kept for a client with other rights than it has by now is not sent: it is asked for again', () => {
  const { host, subscriber, left } = kept();
  host.hasOtherRights = true;
  host.drain();
  expect(host.sent).toEqual(['one']);
  expect([left(), host.rejoined]).toEqual([1, 1]);
  subscriber.drop();
});

test('what was kept for a client whose token has ended meanwhile is not sent', () => {
  const { host, subscriber } = kept();
  host.hasExpired = true;
  host.drain();
  expect(host.sent).toEqual(['one']);
  subscriber.drop();
});

test('a client that left while its sink was full is not sent anything when it drains', () => {
  const { host, subscriber, left } = kept();
  subscriber.drop();
  host.drain();
  expect(host.sent).toEqual(['one']);
  expect([left(), host.rejoined]).toEqual([1, 0]);
});
