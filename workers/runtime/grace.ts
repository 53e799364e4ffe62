import type { Ended } from './normalise.ts';
import type { Run } from './run.ts';

export interface PatienceDeps {
  /** How long a handler that was told to stop may take to end. */
  readonly abandonGraceMs: number;
  /** Fires when the process has to end now: handlers that were told to stop get half a second. */
  readonly hurry: AbortSignal;
}

const HURRIED_GRACE_MS = 500;

/** How the run's handler ended, or that it did not within its grace after it was told to stop. Rejects as `handlerEnded` does. */
export function endOf(run: Run, handlerEnded: Promise<Ended>, deps: PatienceDeps): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let grace: Grace | undefined;
    const toldToStop = (): void => {
      grace = new Grace(deps, resolve);
    };
    run.onAbort = toldToStop;
    if (run.aborted !== null) toldToStop();
    handlerEnded
      .finally(() => {
        run.onAbort = undefined;
        grace?.end();
      })
      .then(resolve, reject);
  });
}

/** The time that a handler has once it was told to stop. */
class Grace {
  readonly #hurry: AbortSignal;
  readonly #abandon: () => void;
  readonly #hurryUp = (): void => this.#resolveIn(HURRIED_GRACE_MS);

  constructor({ abandonGraceMs, hurry }: PatienceDeps, resolve: (ended: Ended) => void) {
    this.#hurry = hurry;
    this.#abandon = () => {
      this.end();
      resolve({ kind: 'abandoned' });
    };
    this.#resolveIn(abandonGraceMs);
    if (hurry.aborted) this.#hurryUp();
    else hurry.addEventListener('abort', this.#hurryUp, { once: true });
  }

  /** The signal lives as long as the process: its listener must not. */
  end(): void {
    this.#hurry.removeEventListener('abort', this.#hurryUp);
  }

  #resolveIn(graceMs: number): void {
    setTimeout(this.#abandon, graceMs).unref();
  }
}
