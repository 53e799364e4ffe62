import type { MillraceError } from './error.ts';

/** What watches of a client hear from each other, and from the client. */
export interface OpenWatch {
  close(why: MillraceError): void;
  /** Another one has just reached the server. */
  serverReached(): void;
  /** Leaves the server, until `resume`. */
  suspend(): void;
  /** Goes on from where it was left. */
  resume(): void;
}

/** The watches of a client that are under way. */
export class OpenWatches {
  readonly #watches = new Set<OpenWatch>();
  #isSuspended = false;

  get size(): number {
    return this.#watches.size;
  }

  /** Whether nothing is to be connected for now. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  add(watch: OpenWatch): void {
    this.#watches.add(watch);
  }

  delete(watch: OpenWatch): void {
    this.#watches.delete(watch);
  }

  serverReached(by: OpenWatch): void {
    for (const watch of [...this.#watches]) if (watch !== by) watch.serverReached();
  }

  suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    for (const watch of [...this.#watches]) watch.suspend();
  }

  resume(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    for (const watch of [...this.#watches]) watch.resume();
  }

  close(why: MillraceError): void {
    for (const watch of [...this.#watches]) watch.close(why);
  }
}
