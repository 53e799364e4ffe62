import type { LiveSource } from './live-source.ts';

/**
 * A source that can be iterated too, one event at a time. Nothing is held before the first `next()` nor after
 * `return()`, which ends it at once, whatever it is doing; `next()` rejects, and it has ended, when it cannot
 * be read and trying again would not help.
 */
export abstract class IterableSource<Event>
  implements LiveSource<Event>, AsyncIterableIterator<Event, undefined>
{
  #turn: Promise<unknown> = Promise.resolve();

  abstract ready(): Promise<boolean>;
  abstract take(limit: number): Event[];
  abstract readonly heardAtMs: number | null;
  abstract readonly isCaughtUp: boolean;
  abstract covers(other: this): boolean;
  abstract adopt(other: this): void;
  abstract end(): void;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.then(
      () => undefined,
      () => this.end(),
    );
    return turn;
  }

  return(): Promise<IteratorResult<Event, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  async #next(): Promise<IteratorResult<Event, undefined>> {
    while (await this.ready()) {
      const [event] = this.take(1);
      if (event !== undefined) return { done: false, value: event };
    }
    return { done: true, value: undefined };
  }
}
