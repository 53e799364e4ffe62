import type { WatchStatus } from './status.ts';

/**
 * A stream that outlives its connections. It begins with the first read; leaving a `for await` loop
 * unsubscribes at once, and drops what has come and was not read.
 */
export interface Watch<Value> extends AsyncIterableIterator<Value, undefined> {
  /** How its connection is doing. */
  readonly status: WatchStatus;
  /**
   * Where another watch can go on (`after`); null while there is no such place, and for streams that need
   * none.
   */
  readonly cursor: string | null;
  /** @throws MillraceError when the stream can't go on; the signal's reason when that was aborted */
  next(): Promise<IteratorResult<Value, undefined>>;
  return(): Promise<IteratorReturnResult<undefined>>;
}
