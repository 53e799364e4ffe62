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
export class OpenWatches extends Set<OpenWatch> {
  /** Whether nothing is to be connected for now. */
  isSuspended = false;

  serverReached(by: OpenWatch): void {
    for (const watch of [...this]) if (watch !== by) watch.serverReached();
  }

  suspend(): void {
    this.isSuspended = true;
    for (const watch of [...this]) watch.suspend();
  }

  resume(): void {
    this.isSuspended = false;
    for (const watch of [...this]) watch.resume();
  }

  close(why: MillraceError): void {
    for (const watch of [...this]) watch.close(why);
  }
}
