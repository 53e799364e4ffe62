/** Where a text stands among those of its video. */
interface Place {
  readonly id: string;
  readonly t_start: number;
}

const BEFORE_ALL: Place = { id: '00000000-0000-0000-0000-000000000000', t_start: -1 };

/**
 * Texts of a video in the order of time, page by page, the last one shorter than the others or empty.
 * @param read gives the next `pageSize` texts after a place
 */
export async function* pagesByTime<Row extends Place>(
  pageSize: number,
  signal: AbortSignal,
  read: (after: Place) => Promise<{ readonly rows: readonly Row[] }>,
): AsyncGenerator<readonly Row[]> {
  let after = BEFORE_ALL;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last;
  }
}
