/** A row of a live list. */
interface LiveRow {
  readonly id: string;
  readonly uuid: string;
  readonly version: string;
}

/**
 * What an event of a live list means for its rows. A row that is null was deleted meanwhile, which the next
 * event says.
 */
export type RowChange<Row> =
  | { readonly row: Row | null }
  | { readonly removedId: string }
  | {
      readonly feed:
        | { readonly __typename: 'FeedReady'; readonly isComplete: boolean }
        | { readonly __typename: 'FeedCheckpoint' }
        | { readonly __typename: 'ResyncRequired' };
    };

/** The rows that the events of a watch leave, by global id. Knows no connection. */
export class LiveSet<Row extends LiveRow> {
  readonly #maxRows: number;
  readonly #isDone: (row: Row) => boolean;
  #rows = new Map<string, Row>();
  /** A fresh state that is still coming; it takes the place of what is shown when it is complete. */
  #next: Map<string, Row> | null = null;
  #isReady = false;
  #isComplete = true;

  /**
   * @param maxRows more are not kept: those that are done go first, the oldest before others
   * @param isDone whether a row is one that hardly changes any more
   */
  constructor(maxRows: number, isDone: (row: Row) => boolean) {
    this.#maxRows = maxRows;
    this.#isDone = isDone;
  }

  /** Whether the initial state is there, and whatever was missed has come. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * False when there are rows that match and are not here: the initial state was cut off, or there are more
   * than are kept.
   */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Newest first. */
  rows(): readonly Row[] {
    return [...this.#rows.values()].sort((a, b) => (a.uuid < b.uuid ? 1 : -1));
  }

  /** It is not known any more whether everything has come. */
  interrupted(): void {
    this.#isReady = false;
  }

  apply(change: RowChange<Row>): void {
    if ('row' in change) {
      if (change.row !== null) this.#put(this.#next ?? this.#rows, change.row);
    } else if ('removedId' in change) {
      (this.#next ?? this.#rows).delete(change.removedId);
    } else if (change.feed.__typename === 'ResyncRequired') {
      this.#next = new Map();
      this.#isReady = false;
    } else {
      this.#isReady = true;
      if (change.feed.__typename === 'FeedCheckpoint') return;
      this.#rows = this.#next ?? this.#rows;
      this.#next = null;
      this.#isComplete = change.feed.isComplete;
    }
  }

  #put(rows: Map<string, Row>, row: Row): void {
    const known = rows.get(row.id);
    // Only after a resume: what comes twice may come as it was.
    if (known !== undefined && BigInt(known.version) > BigInt(row.version)) return;
    rows.set(row.id, row);
    if (rows.size > this.#maxRows * 1.1) this.#prune(rows);
  }

  #prune(rows: Map<string, Row>): void {
    const rank = (row: Row): string => `${this.#isDone(row) ? 0 : 1}${row.uuid}`;
    const oldestFirst = [...rows.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const { id } of oldestFirst.slice(0, rows.size - this.#maxRows)) rows.delete(id);
    this.#isComplete = false;
  }
}
