import { expect, test } from 'vitest';
import type { LiveSource } from '../../src/events/live-source.ts';
import type { Frame } from '../../src/fanout/frame.ts';
import { Stream } from '../../src/fanout/stream.ts';
import { Subscriber, type SubscriberHost } from '../../src/fanout/subscriber.ts';

/** Brings these and ends. */
class Numbers implements LiveSource<number> {
  readonly heardAtMs = null;
  readonly isCaughtUp = false;
  hasEnded = false;
  #left: number[];

  constructor(count: number) {
    this.#left = Array.from({ length: count }, (_, nth) => nth);
  }

  ready = async (): Promise<boolean> => !this.hasEnded && this.#left.length > 0;
  take = (limit: number): number[] => this.#left.splice(0, limit);
  covers = (): boolean => false;
  adopt = (): void => undefined;
  end = (): void => {
    this.hasEnded = true;
  };
}

function frameOf(number: number): Frame {
  return { text: `${number}`, cursor: `${number}`, isKept: false, isLast: false };
}

/** A stream of N numbers to one subscriber, of which `render` gives at most N at a time. */
function streamOf(count: number, atATime: number, onRender: (nth: number) => void = () => undefined) {
  const sent: string[] = [];
  const restingWhileLeft: number[] = [];
  let rendered = 0;
  const source = new Numbers(count);
  const stream = new Stream<number, Numbers>({
    source,
    render: async (numbers, isOver) => {
      onRender(++rendered);
      return isOver() ? [] : numbers.slice(0, atATime).map(frameOf);
    },
    onRest: (resting) => {
      if (resting.isResting && sent.length % 200 > 0) restingWhileLeft.push(sent.length);
    },
    onSent: () => undefined,
    onEmpty: () => undefined,
    toError: (error) => error as Error,
  });
  const host: SubscriberHost = {
    sink: {
      send: (text) => void sent.push(text),
      isFull: false,
      whenDrained: () => undefined,
      end: () => undefined,
    },
    mayReceive: () => true,
    isGroupCurrent: () => true,
    rejoin: () => undefined,
    ended: () => undefined,
  };
  const subscriber = new Subscriber(host, null, 60_000);
  stream.add(subscriber);
  return { stream, subscriber, sent, restingWhileLeft, renderedCount: () => rendered };
}

test('what a rendering leaves is rendered next, in order, and nobody joins in between', async () => {
  const { stream, sent, restingWhileLeft, renderedCount } = streamOf(400, 30);
  await stream.run();
  expect(sent).toEqual(Array.from({ length: 400 }, (_, nth) => `${nth}`));
  // Seven for each batch of two hundred.
  expect(renderedCount()).toBe(14);
  expect(restingWhileLeft).toEqual([]);
});

test('what is left when the last subscriber goes is not rendered any more', async () => {
  const { stream, subscriber, sent, renderedCount } = streamOf(100, 10, (nth) => {
    if (nth === 3) subscriber.drop();
  });
  await stream.run();
  expect(sent).toHaveLength(20);
  expect(renderedCount()).toBe(3);
});
