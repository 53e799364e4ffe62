/** Wakes one waiting loop. A signal that comes before the wait is not lost. */
export class Wake {
  #isSignalled = false;
  #resolve: (() => void) | undefined;

  signal(): void {
    this.#isSignalled = true;
    this.#resolve?.();
  }

  /** Forgets a signal that has been answered by what follows. */
  reset(): void {
    this.#isSignalled = false;
  }

  /** Waits for a signal, at most `timeoutMs` where given. */
  async wait(timeoutMs?: number): Promise<void> {
    if (!this.#isSignalled) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
        if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.#resolve = undefined;
    }
    this.#isSignalled = false;
  }
}
