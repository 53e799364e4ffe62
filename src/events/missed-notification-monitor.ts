export interface MissedNotificationOptions {
  /** Whether LISTEN is in force: without it no bell is expected. */
  readonly isListening: () => boolean;
  readonly missed: () => void;
  /** How much later than the change itself its ring may be heard; 1,000 by default. */
  readonly graceMs?: number;
}

/**
 * Notices changes that no bell announced. Such a change is one that a look found although nothing had rung since the look before it
 * and nothing rings within a second after it, while LISTEN was in force all that time. It is a sign that rings are lost: a writer
 * that says `after_commit` and does not ring, or died in between, or a pooler in the way.
 * Changes found while one is being waited for are not counted again.
 */
export class MissedNotificationMonitor {
  readonly #options: MissedNotificationOptions;
  #hasNotified = true;
  #announced = true;
  #suspicion: NodeJS.Timeout | undefined;

  constructor(options: MissedNotificationOptions) {
    this.#options = options;
  }

  /** The bell rang, or LISTEN has just come into force and whatever rang before is unknown. */
  notified(): void {
    this.#hasNotified = true;
    this.clear();
  }

  /** A look begins: what rang until now may have announced what it finds. */
  lookBegins(): void {
    this.#announced = this.#hasNotified;
    this.#hasNotified = false;
  }

  /** The look found changes. */
  found(): void {
    const { graceMs = 1_000, isListening, missed } = this.#options;
    // A ring heard while the look was under way may be about what it found.
    if (this.#announced || this.#hasNotified || this.#suspicion !== undefined || !isListening()) return;
    this.#suspicion = setTimeout(() => {
      this.#suspicion = undefined;
      if (isListening()) missed();
    }, graceMs);
    this.#suspicion.unref();
  }

  /** What comes next is old: it is read a second time after a restart, or nobody watched before. */
  startAfresh(): void {
    this.#hasNotified = true;
    this.clear();
  }

  clear(): void {
    clearTimeout(this.#suspicion);
    this.#suspicion = undefined;
  }
}
