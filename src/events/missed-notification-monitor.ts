export interface MissedNotificationOptions {
  /** Whether LISTEN is in force: without it no notification is expected. */
  readonly isListening: () => boolean;
  readonly missed: () => void;
  /** How much later than the change itself its notification may arrive; 1,000 by default. */
  readonly graceMs?: number;
}

/**
 * Notices changes that no notification announced. Such a change is one that a look found although nothing was
 * notified since the look before it and nothing is notified within a second after it, while LISTEN was in
 * force all that time. It is a sign that notifications are lost: a writer that says `after_commit` and does
 * not notify, or died in between, or a pooler in the way. Changes found while one is being waited for are not
 * counted again.
 */
export class MissedNotificationMonitor {
  readonly #options: MissedNotificationOptions;
  #hasNotified = true;
  #announced = true;
  #suspicion: NodeJS.Timeout | undefined;

  constructor(options: MissedNotificationOptions) {
    this.#options = options;
  }

  /** A notification came, or LISTEN has just come into force and whatever was notified before is unknown. */
  notified(): void {
    this.#hasNotified = true;
    this.clear();
  }

  /** A look begins: what was notified until now may have announced what it finds. */
  lookBegins(): void {
    this.#announced = this.#hasNotified;
    this.#hasNotified = false;
  }

  /** The look found changes. */
  found(): void {
    const { graceMs = 1_000, isListening, missed } = this.#options;
    // A notification that came while the look was under way may be about what it found.
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
