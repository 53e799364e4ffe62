/** What becomes of an event: a value to yield, nothing, or the last value of the stream. */
export type Mapped<To> = { readonly value: To; readonly isLast?: boolean } | null;

/**
 * A source with each event mapped. Not a generator: a generator's `return()` waits for the pending `next()`, and so would
 * keep a subscription alive until the next event after its client had left.
 */
export function mapSource<From, To>(
  source: AsyncIterableIterator<From>,
  map: (event: From) => Mapped<To> | Promise<Mapped<To>>,
): AsyncIterableIterator<To> {
  let ended = false;
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    ended = true;
    await source.return?.();
    return { done: true, value: undefined };
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next(): Promise<IteratorResult<To>> {
      while (!ended) {
        const result = await source.next();
        if (result.done === true) return end();
        const mapped = await map(result.value);
        if (ended) break;
        if (mapped === null) continue;
        if (mapped.isLast === true) await end();
        return { done: false, value: mapped.value };
      }
      return end();
    },
    return: end,
  };
}
