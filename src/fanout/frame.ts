/** An event as it goes out: rendered once, and the same object for everybody who receives it. */
export interface Frame {
  /** The result as JSON; null when there is nothing to send and only the cursor moves on. */
  readonly text: string | null;
  /** What a client that has received this comes back with; null: they would begin again. */
  readonly cursor: string | null;
  /** Part of a state that cannot be read again from its middle: it is kept for those who take it slowly. */
  readonly isKept: boolean;
  /** Nothing comes after it. */
  readonly isLast: boolean;
}

/** Where one subscriber's frames go. Nothing here waits or throws. */
export interface Sink {
  send(text: string): void;
  /** So much is unsent that more would only pile up. */
  readonly isFull: boolean;
  /** Calls back once, when it is empty again or nearly so. */
  whenDrained(callback: () => void): void;
  /** Nothing follows; with the reason, which has been sent, when it is not the natural end. */
  end(why: Error | null): void;
}
