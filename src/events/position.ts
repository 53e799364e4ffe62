import { isAtLeast, type Snapshot } from './snapshot.ts';

/** Which server, and which of its lives. */
export interface ServerIdentity {
  readonly systemId: string;
  readonly timeline: number;
  /** Differs after every restart and every crash recovery; two numbers in one text. */
  readonly life: string;
}

/** Where a reader of the feed stands: all that this snapshot of this server shows has been delivered. */
export interface Position {
  readonly server: ServerIdentity;
  readonly snapshot: Snapshot;
  /** The server's clock when the snapshot was taken, milliseconds since 1970. */
  readonly takenAtMs: number;
}

/** How far the way from one position to a later one has been gone, in the order of job ids. */
export interface PageStart {
  readonly upTo: Position;
  readonly afterId: string;
}

/** The further of two positions; the second, where they are of different lives and so can't be compared. */
export function furtherOf(one: Position | null, other: Position): Position {
  if (one === null || one.server.life !== other.server.life) return other;
  return isAtLeast(other.snapshot, one.snapshot) ? other : one;
}
