import type { ExecutionResult } from 'graphql';
import { DomainError } from '../../core/errors.ts';
import type { Sink } from '../../fanout/frame.ts';
import { type LiveRequest, LiveSubscription } from './live-subscription.ts';

/**
 * Frames that may wait for a consumer that takes them one by one; more are dropped and read again once it has
 * taken these.
 */
const MAX_WAITING = 16;
/** And what they may hold together, before the last one, as of a socket. */
const MAX_WAITING_CHARS = 256 * 1024;

/** Result whose text is known already; yoga takes it from `stringify`. */
export interface WrittenResult extends ExecutionResult {
  readonly stringify: () => string;
}

/**
 * A live subscription that is taken from one result at a time: event streams over HTTP, and iterating
 * consumers. Nothing is held before the first `next()` nor after `return()`, and it never rejects.
 */
export class IteratedSubscription implements AsyncIterableIterator<ExecutionResult, undefined>, Sink {
  readonly #subscription: LiveSubscription;
  readonly #texts: string[] = [];
  readonly #waiting: ((result: IteratorResult<ExecutionResult, undefined>) => void)[] = [];
  readonly #onDrained: (() => void)[] = [];
  #waitingChars = 0;
  #hasEnded = false;

  constructor(request: LiveRequest) {
    this.#subscription = new LiveSubscription(request, this, null);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#subscription.start();
    // Its credential has ended a moment ago, and nobody has said so yet: what it was sent before is no longer
    // for it.
    if (!this.#hasEnded && !this.#subscription.mayReceive(Date.now())) this.#drop(0);
    const text = this.#texts.shift();
    this.#waitingChars -= text?.length ?? 0;
    if (this.#texts.length === 0) for (const callback of this.#onDrained.splice(0)) callback();
    if (text !== undefined) return Promise.resolve({ done: false, value: written(text) });
    if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#drop(0);
    this.#subscription.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  // What the subscription sends -----------------------------------------------------------------------------

  get isFull(): boolean {
    return this.#texts.length >= MAX_WAITING || this.#waitingChars > MAX_WAITING_CHARS;
  }

  send(text: string): void {
    const taker = this.#waiting.shift();
    if (taker !== undefined) taker({ done: false, value: written(text) });
    else {
      this.#texts.push(text);
      this.#waitingChars += text.length;
    }
  }

  whenDrained(callback: () => void): void {
    this.#onDrained.push(callback);
  }

  end(why: Error | null): void {
    this.#hasEnded = true;
    // All but the reason. One that was too slow still gets what is before it: it is sent the cursor behind
    // that.
    if (why instanceof DomainError && why.code === 'Unauthenticated') this.#drop(1);
    for (const taker of this.#waiting.splice(0)) taker({ done: true, value: undefined });
  }

  /** Keeps the last N. */
  #drop(keptCount: number): void {
    const dropCount = this.#texts.length - keptCount;
    if (dropCount > 0) for (const text of this.#texts.splice(0, dropCount)) this.#waitingChars -= text.length;
  }
}

function written(text: string): WrittenResult {
  return { stringify: () => text };
}
