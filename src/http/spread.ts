import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What one returning client costs a server, about: connecting, checking its token, reading what it has
 * missed.
 */
const MS_EACH = 0.2;
const SLICE_MS = 10;

/**
 * How long the ends of many streams are spread: clients that are asked to come back all at once do so, and
 * take the next server down.
 */
export function spreadMsFor(count: number, mostMs: number): number {
  return Math.min(mostMs, Math.floor(count * MS_EACH));
}

/** When a client should come back, for those that take advice: anywhere within the spread again. */
export function retryAdviceMs(spreadMs: number): number {
  return Math.floor(Math.random() * (spreadMs + 1));
}

/** Does something with each, evenly over a time. */
export async function spreadOut<T>(
  all: readonly T[],
  spreadMs: number,
  act: (one: T) => void,
): Promise<void> {
  const sliceSize = Math.ceil((all.length * SLICE_MS) / Math.max(spreadMs, SLICE_MS));
  for (let begin = 0; begin < all.length; begin += sliceSize) {
    if (begin > 0) await sleep(SLICE_MS);
    for (const one of all.slice(begin, begin + sliceSize)) act(one);
  }
}
