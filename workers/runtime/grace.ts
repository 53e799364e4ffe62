export interface GraceDeps {
  /** How long a handler that was told to stop may take to end. */
  readonly abandonGraceMs: number;
  /** Fires when the process has to end now: handlers that were told to stop get half a second. */
  readonly hurry: AbortSignal;
}

const HURRIED_GRACE_MS = 500;

/** The time that a handler has once it was told to stop; then it is given up. */
export class Grace {
  readonly #hurry: AbortSignal;
  readonly #abandon: () => void;
  readonly #hurryUp = (): void => this.#abandonIn(HURRIED_GRACE_MS);
  #isOver = false;

  /** @param abandon called once, when the time is over before `end` */
  constructor({ abandonGraceMs, hurry }: GraceDeps, abandon: () => void) {
    this.#hurry = hurry;
    this.#abandon = abandon;
    this.#abandonIn(abandonGraceMs);
    if (hurry.aborted) this.#hurryUp();
    else hurry.addEventListener('abort', this.#hurryUp, { once: true });
  }

  /** The handler has ended. The signal lives as long as the process: its listener must not. */
  end(): void {
    this.#isOver = true;
    this.#hurry.removeEventListener('abort', this.#hurryUp);
  }

  #abandonIn(graceMs: number): void {
    setTimeout(() => {
      if (this.#isOver) return;
      this.end();
      this.#abandon();
    }, graceMs).unref();
  }
}
