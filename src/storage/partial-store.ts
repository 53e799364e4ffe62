/** The object that an upload in pieces is going to be. */
export interface PartialPlan {
  readonly key: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** What a driver has to remember between two pieces: JSON, kept by the caller. */
export type PartialState = Readonly<Record<string, unknown>>;

export interface AppendOptions {
  /** Keeps what the driver has to remember from now on. */
  readonly save: (state: PartialState) => Promise<void>;
  /** Fires when the caller may write no longer, as another does: nothing is written afterwards. */
  readonly signal: AbortSignal;
}

/**
 * Objects that come in pieces, over any time and through any process. Nothing of one is under its object's
 * key before it is published. One caller at a time may append to one; who that is the caller has to see to.
 */
export interface PartialStore {
  begin(plan: PartialPlan): Promise<PartialState>;
  /** How many bytes are there for good; null when they are gone (published, or discarded). */
  sizeOf(state: PartialState): Promise<number | null>;
  /**
   * Adds all that a source gives to what is there, and makes it last.
   * @returns how many bytes are there now
   * @throws the signal's reason; DomainError `ObjectNotFound` when what was there is gone
   */
  append(
    plan: PartialPlan,
    state: PartialState,
    source: AsyncIterable<Buffer>,
    options: AppendOptions,
  ): Promise<number>;
  /**
   * Gives the whole object its name. Done before, it does nothing.
   * @throws DomainError `ObjectNotFound` when the pieces are gone and the object is not there
   */
  publish(plan: PartialPlan, state: PartialState): Promise<void>;
  /** Removes what is there; doing it again is no error. */
  discard(plan: Pick<PartialPlan, 'key'>, state: PartialState): Promise<void>;
  /** Only of drivers that hold connections: closes them. */
  close?(): void;
}
