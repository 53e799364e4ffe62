export interface GraceDeps {
  /** How long a handler that was asked to stop may take to end. */
  readonly abandonGraceMs: number;
  /** Fires when the process has to end now: handlers that were asked to stop get half a second. */
  readonly forceStop: AbortSignal;
}

/**
 * Together with MILLRACE_SHUTDOWN_SECONDS well within the 30 s after which Kubernetes kills a process that it
 * has asked to stop.
 */
export const DEFAULT_ABANDON_GRACE_MS = 10_000;
const FORCED_GRACE_MS = 500;

/** The time that a handler has once it was asked to stop; then it is given up. */
export class Grace {
  readonly #forceStop: AbortSignal;
  readonly #abandon: () => void;
  readonly #shortenGrace = (): void => this.#abandonIn(FORCED_GRACE_MS);
  #isOver = false;

  /** @param abandon called once, when the time is over before `end` */
  constructor({ abandonGraceMs, forceStop }: GraceDeps, abandon: () => void) {
    this.#forceStop = forceStop;
    this.#abandon = abandon;
    this.#abandonIn(abandonGraceMs);
    if (forceStop.aborted) this.#shortenGrace();
    else forceStop.addEventListener('abort', this.#shortenGrace, { once: true });
  }

  /** The handler has ended. The signal lives as long as the process: its listener must not. */
  end(): void {
    this.#isOver = true;
    this.#forceStop.removeEventListener('abort', this.#shortenGrace);
  }

  #abandonIn(graceMs: number): void {
    setTimeout(() => {
      if (this.#isOver) return;
      this.end();
      this.#abandon();
    }, graceMs).unref();
  }
}
