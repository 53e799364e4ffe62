import type { LinkedSocket } from './socket-link.ts';

/** How often each socket is pinged. */
const PING_INTERVAL_MS = 12_000;
/**
 * The sockets are pinged in this many portions, so that ten thousand are not pinged in one turn of the loop.
 */
const PORTIONS = 24;

/** Keeps sockets alive, and ends those whose other side is gone without a word. One timer for all of them. */
export class Pings {
  readonly #portions: Set<LinkedSocket>[] = Array.from({ length: PORTIONS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  readonly #patientPings: number;
  #turn = 0;

  /** @param slowConsumerSeconds how long a consumer may read nothing of what waits for it */
  constructor(slowConsumerSeconds: number) {
    this.#patientPings = Math.ceil((slowConsumerSeconds * 1_000) / PING_INTERVAL_MS) + 1;
    this.#timer = setInterval(() => this.#pingPortion(), PING_INTERVAL_MS / PORTIONS).unref();
  }

  /** Until the socket has closed. */
  add(socket: LinkedSocket): void {
    // The portion that was just pinged: the first ping comes after a whole interval.
    this.#portions[this.#turn]?.add(socket);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #pingPortion(): void {
    this.#turn = (this.#turn + 1) % PORTIONS;
    const portion = this.#portions[this.#turn] ?? new Set();
    for (const socket of portion) {
      const { link } = socket;
      if (link === null || socket.readyState === socket.CLOSED) portion.delete(socket);
      // A slow reader's ping stands behind all that it has not read; how long it may read nothing is another
      // limit's to say.
      else if (link.silentPings > (link.hasUnsent ? this.#patientPings : 0)) socket.terminate();
      else link.ping();
    }
  }
}
