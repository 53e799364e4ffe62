import { IDLE, type WatchOptions, type WatchStatus } from './status.ts';
import type { Watch } from './watch.ts';

/** Changes that come together are delivered together: about one frame of a screen. */
const NOTIFY_AFTER_MS = 16;

/** Keeps what the values of a watch lead to. */
export interface StateReducer<Value, State> {
  apply(value: Value): void;
  /** The connection broke: more may have happened than is known. */
  interrupted?(): void;
  state(status: WatchStatus): State;
}

/**
 * What a watch has led to so far, for the code that shows it: `state` is the same object as long as nothing
 * has changed, `subscribe` reports changes. It follows its watch from the beginning until `close`.
 */
export class View<State> {
  readonly #listeners = new Set<() => void>();
  readonly #print: (status: WatchStatus) => State;
  readonly #stop: () => void;
  #status: WatchStatus = IDLE;
  #state: State | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(print: (status: WatchStatus) => State, stop: () => void) {
    this.#print = print;
    this.#stop = stop;
  }

  /** @param open opens the watch; its failures are shown in the state and thrown to nobody */
  static over<Value, State>(
    reducer: StateReducer<Value, State>,
    open: (options: Required<Pick<WatchOptions, 'onStatus'>>) => Watch<Value>,
  ): View<State> {
    const view: View<State> = new View(
      (status) => reducer.state(status),
      () => void watch.return(),
    );
    const watch = open({
      onStatus: (status) => {
        if (status.state === 'waiting' || status.state === 'paused') reducer.interrupted?.();
        view.#status = status;
        view.#changed();
      },
    });
    const follow = async (): Promise<void> => {
      for await (const value of watch) {
        reducer.apply(value);
        view.#changed();
      }
    };
    void follow().catch(() => undefined);
    return view;
  }

  get state(): State {
    this.#state ??= this.#print(this.#status);
    return this.#state;
  }

  /** @returns stops the notifications */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Unsubscribes at once; the state stays as it is. */
  close(): void {
    this.#listeners.clear();
    this.#stop();
    clearTimeout(this.#timer);
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#state = null;
      for (const listener of [...this.#listeners]) listener();
    }, NOTIFY_AFTER_MS);
  }
}
