import type { MillraceError } from './error.ts';

/**
 * `idle`: nobody has read yet. `connecting`: on the way. `live`: subscribed. `waiting`: the connection broke;
 * the next try is at `retryAt`. `paused`: left until the reader has caught up, or the client is resumed.
 * `ended`: for good.
 */
export type WatchState = 'idle' | 'connecting' | 'live' | 'waiting' | 'paused' | 'ended';

export interface WatchStatus {
  readonly state: WatchState;
  /** Why it waits or has ended; null when all is well. */
  readonly error: MillraceError | null;
  /** When it tries again, in milliseconds since 1970. */
  readonly retryAtMs: number | null;
}

export const IDLE: WatchStatus = { state: 'idle', error: null, retryAtMs: null };

export interface WatchOptions {
  /** Ends the stream: a reader that waits gets its reason as an error. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how the connection is doing. */
  readonly onStatus?: ((status: WatchStatus) => void) | undefined;
}
