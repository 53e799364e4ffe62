/** What the tools look at: a running server, and operations that it can execute. */
export interface Target {
  /** `http://…/graphql` */
  readonly url: string;
  /** `ws://…/graphql` */
  readonly socketUrl: string;
  /** Headers that name the caller. */
  readonly headers: Readonly<Record<string, string>>;
  /** Payload of `connection_init` that is taken, and one that is not. */
  readonly init: object;
  readonly badInit: object;
  /** How long a socket may take for `connection_init`. */
  readonly initTimeoutMs: number;
  /** Largest socket message. */
  readonly maxMessageBytes: number;
  /** Longest silence of an event stream. */
  readonly pingWithinMs: number;
  /** A query that succeeds. */
  readonly query: string;
  /** A field of the root that costs nothing. */
  readonly safeField: string;
  /** A subscription that never ends by itself, and of which nothing comes after its beginning. */
  readonly endless: string;
  /**
   * A new subscription that sends an event at once, and after `finish()` one more event at least and then its
   * end.
   */
  finite(): Promise<Finite>;
}

export interface Finite {
  readonly query: string;
  finish(): Promise<void>;
}
