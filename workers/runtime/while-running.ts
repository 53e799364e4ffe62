import type { Runs } from './runs.ts';

/** Does something again and again for as long as anything runs here: an idle worker is not woken for it. */
export class WhileRunning {
  readonly #runs: Pick<Runs, 'openCount'>;
  readonly #everyMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(runs: Pick<Runs, 'openCount'>, everyMs: number, work: () => void) {
    this.#runs = runs;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** Something has begun to run. */
  start(): void {
    this.#timer ??= setInterval(() => {
      if (this.#runs.openCount > 0) this.#work();
      else this.stop();
    }, this.#everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
